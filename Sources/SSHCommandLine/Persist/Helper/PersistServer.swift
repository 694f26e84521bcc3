import BridgeSSH
import ErrorCore
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The state of a helper, and what it comes to: the one place that all of a helper's tasks meet.
final class PersistServer: Sendable {
    private struct Contents {
        var state: PersistServerState
        var connection: SSHConnection?
        var waiting: [CheckedContinuation<Bool, Never>] = []
        var lock: OwnedDescriptor?
        var timer: Task<Void, Never>?
    }

    private let contents: Mutex<Contents>
    private let request: OpenRequest
    private let startedAt = ContinuousClock.now
    /// How often a silent server is asked whether it is there while nothing runs, or in a terminal session or a copy, where no
    /// option says so.
    private static let watch = SSHKeepaliveOptions(interval: .seconds(15), countMax: 3)

    init(_ request: OpenRequest, lock: OwnedDescriptor) {
        self.request = request
        contents = Mutex(Contents(state: PersistServerState(keepFor: request.keepFor, at: 0), lock: lock))
    }

    private var now: Double { startedAt.duration(to: .now).inSeconds }

    var status: HelperStatus {
        let (state, now) = (contents.withLock { $0.state }, now)
        return HelperStatus(
            process: Int(getpid()), named: request.named, endpoint: request.endpoint, age: now,
            idle: state.running > 0 ? 0 : now - state.idleSince, keepFor: state.keepFor, runs: state.runs,
            running: state.running, isReady: state.phase == .ready)
    }

    /// How the server was trusted when the connection was made.
    var trust: KeptTrust { KeptTrust(hostKeys: contents.withLock { $0.connection }?.acceptedHostKeys ?? []) }

    // MARK: What happens

    func opened(_ connection: SSHConnection) {
        change { contents in
            contents.connection = connection
            return contents.state.opened(at: now)
        }
        Task {
            await connection.ended()
            leave()
        }
    }

    func failedToOpen() { change { $0.state.failedToOpen() } }

    /// The connection has ended, or the helper was asked to stop.
    func leave() { change { $0.state.leave() } }

    /// The connection for one more run; nil if the run has to go elsewhere.
    func begin(_ request: RunRequest) -> SSHConnection? {
        var connection: SSHConnection?
        change { contents in
            guard let actions = contents.state.begin(keepFor: request.keepFor, watchesServer: request.watchesServer) else {
                return []
            }
            connection = contents.connection
            return actions
        }
        return connection
    }

    func ended(_ request: RunRequest) { change { $0.state.ended(at: now, watchesServer: request.watchesServer) } }

    /// Waits until runs are taken; false if none are any more.
    func isReady() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = contents.withLock { contents in
                switch contents.state.phase {
                case .ready: return true
                case .leaving: return false
                case .opening:
                    contents.waiting.append(continuation)
                    return nil
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    // MARK: What is done about it

    private func change(_ body: (inout Contents) -> [PersistServerState.Action]) {
        let actions = contents.withLock { body(&$0) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: PersistServerState.Action) {
        switch action {
        case .admit: release(true)
        case .withdraw:
            request.files.remove()
            contents.withLock { $0.lock = nil }
            release(false)
        case .watchServer:
            guard request.configuration.keepalive == nil, let connection = contents.withLock({ $0.connection }) else { return }
            // What counts is how it is when this runs, for another may have overtaken it.
            Task { await connection.keepAlive(contents.withLock { $0.state.isWatched } ? Self.watch : nil) }
        case .wake(let time): wake(at: time)
        case .exit:
            let connection = contents.withLock { $0.connection }
            Task(executorPreference: OneLoop.executor) {
                await connection?.close()
                finish(with: .success)
            }
        }
    }

    private func release(_ isReady: Bool) {
        let waiting = contents.withLock { contents in
            defer { contents.waiting = [] }
            return contents.waiting
        }
        for continuation in waiting { continuation.resume(returning: isReady) }
    }

    private func wake(at time: Double) {
        let timer = Task {
            guard (try? await Task.sleep(for: .seconds(max(0, time - now)))) != nil else { return }
            change { $0.state.timerFired(at: now) }
        }
        contents.withLock { contents in
            contents.timer?.cancel()
            contents.timer = timer
        }
    }
}
