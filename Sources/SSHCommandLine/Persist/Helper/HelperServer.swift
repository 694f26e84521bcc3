import BridgeSSH
import ErrorCore
import Synchronization

/// Holds a helper's state, and performs its actions. All tasks of a helper share this object.
final class HelperServer: Sendable {
    private struct GuardedState {
        var state: HelperServerState
        var connection: SSHConnection?
        var waiting: [CheckedContinuation<Bool, Never>] = []
        var lock: OwnedDescriptor?
        var timer: Task<Void, Never>?
    }

    private let guarded: Mutex<GuardedState>
    private let request: OpenRequest
    private let startedAt = ContinuousClock.now
    /// The keepalives while nothing runs, and in a terminal session or a copy, if no option sets them.
    private static let watch = SSHKeepaliveOptions(interval: .seconds(15), countMax: 3)

    init(_ request: OpenRequest, lock: OwnedDescriptor) {
        self.request = request
        guarded = Mutex(GuardedState(state: HelperServerState(keepFor: request.keepFor, at: 0), lock: lock))
    }

    private var now: Double { startedAt.duration(to: .now).inSeconds }

    var status: HelperStatus {
        let (state, now) = (guarded.withLock { $0.state }, now)
        return HelperStatus(
            process: Int(getpid()), named: request.named, endpoint: request.endpoint, age: now,
            idle: state.running > 0 ? 0 : now - state.idleSince, keepFor: state.keepFor, runs: state.runs,
            running: state.running, isReady: state.phase == .ready)
    }

    /// How the server was trusted when the connection was made.
    var trust: KeptTrust { KeptTrust(hostKeys: guarded.withLock { $0.connection }?.acceptedHostKeys ?? []) }

    // MARK: What happens

    func opened(_ connection: SSHConnection) {
        change { guarded in
            guarded.connection = connection
            return guarded.state.opened(at: now)
        }
        Task {
            await connection.ended()
            leave()
        }
    }

    func failedToOpen() { change { $0.state.failedToOpen() } }

    /// Stops taking runs: the connection has ended, or the helper was asked to stop.
    func leave() { change { $0.state.leave() } }

    /// The connection for one more run; nil if the run has to use another connection.
    func begin(_ request: RunRequest) -> SSHConnection? {
        var connection: SSHConnection?
        change { guarded in
            guard let actions = guarded.state.begin(keepFor: request.keepFor, watchesServer: request.watchesServer) else {
                return []
            }
            connection = guarded.connection
            return actions
        }
        return connection
    }

    func ended(_ request: RunRequest) { change { $0.state.ended(at: now, watchesServer: request.watchesServer) } }

    /// Waits until the helper takes runs. Returns false if it takes no more.
    func waitUntilReady() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = guarded.withLock { guarded in
                switch guarded.state.phase {
                case .ready: return true
                case .leaving: return false
                case .opening:
                    guarded.waiting.append(continuation)
                    return nil
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    // MARK: Actions

    private func change(_ body: (inout GuardedState) -> [HelperServerState.Action]) {
        let actions = guarded.withLock { body(&$0) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: HelperServerState.Action) {
        switch action {
        case .admit: release(true)
        case .withdraw:
            request.files.remove()
            guarded.withLock { $0.lock = nil }
            release(false)
        case .watchServer:
            guard request.configuration.keepalive == nil, let connection = guarded.withLock({ $0.connection }) else { return }
            // Read the state when the task runs: another change may have come first.
            Task { await connection.keepAlive(guarded.withLock { $0.state.isWatched } ? Self.watch : nil) }
        case .wake(let time): wake(at: time)
        case .exit:
            let connection = guarded.withLock { $0.connection }
            Task(executorPreference: SingleEventLoop.executor) {
                await connection?.close()
                finish(with: .success)
            }
        }
    }

    private func release(_ isReady: Bool) {
        let waiting = guarded.withLock { guarded in
            defer { guarded.waiting = [] }
            return guarded.waiting
        }
        for continuation in waiting { continuation.resume(returning: isReady) }
    }

    private func wake(at time: Double) {
        let timer = Task {
            guard (try? await Task.sleep(for: .seconds(max(0, time - now)))) != nil else { return }
            change { $0.state.timerFired(at: now) }
        }
        guarded.withLock { guarded in
            guarded.timer?.cancel()
            guarded.timer = timer
        }
    }
}

/// Decides what a helper does next. Pure: no clock, sockets or tasks. Times are seconds on any one clock.
struct HelperServerState: Equatable {
    enum Phase: Equatable {
        /// The helper connects; runs wait.
        case opening
        /// The helper takes runs.
        case ready
        /// The helper takes no more runs; running commands may finish.
        case leaving
    }

    enum Action: Equatable {
        /// Admits the waiting runs.
        case admit
        /// Removes the socket and the lock, so that another helper can start, and rejects waiting runs.
        case withdraw
        /// Turns the keepalives on or off.
        case watchServer(Bool)
        /// Calls ``HelperServerState/timerFired(at:)`` at this time; replaces an earlier timer.
        case wake(at: Double)
        /// Closes the connection and ends the process.
        case exit
    }

    private(set) var phase = Phase.opening
    /// Commands so far, including running ones.
    private(set) var runs = 0
    private(set) var running = 0
    /// How many running commands want keepalives.
    private var watching = 0
    /// Seconds that the helper stays without a command.
    private(set) var keepFor: Double
    private(set) var startedAt: Double
    private(set) var idleSince: Double
    private var hasExited = false
    /// The maximum number of commands at once: a server may allow more than this process has threads for.
    static let maximumAtOnce = 64

    init(keepFor: Double, at now: Double) {
        self.keepFor = keepFor
        startedAt = now
        idleSince = now
    }

    /// The connection is made.
    mutating func opened(at now: Double) -> [Action] {
        guard phase == .opening else { return [] }
        phase = .ready
        idleSince = now
        return [.admit] + becameIdle()
    }

    /// A run requests its command.
    ///
    /// - Returns: nil if the run has to use another connection.
    mutating func begin(keepFor: Double, watchesServer: Bool = false) -> [Action]? {
        guard phase == .ready, running < Self.maximumAtOnce else { return nil }
        self.keepFor = keepFor
        let wasWatched = isWatched
        running += 1
        runs += 1
        watching += watchesServer ? 1 : 0
        return wasWatched == isWatched ? [] : [.watchServer(isWatched)]
    }

    /// A command has ended, and its run has the report.
    mutating func ended(at now: Double, watchesServer: Bool = false) -> [Action] {
        let wasWatched = isWatched
        running -= 1
        watching -= watchesServer ? 1 : 0
        guard running == 0 else { return wasWatched == isWatched ? [] : [.watchServer(isWatched)] }
        idleSince = now
        return phase == .leaving ? exit() : becameIdle()
    }

    /// Connecting has failed. ``leave()`` follows once the run has the report.
    mutating func failedToOpen() -> [Action] {
        guard phase == .opening else { return [] }
        phase = .leaving
        return [.withdraw]
    }

    /// The connection has ended, or the helper was asked to stop.
    mutating func leave() -> [Action] {
        let withdrawal: [Action] = phase == .leaving ? [] : [.withdraw]
        phase = .leaving
        return withdrawal + (running == 0 ? exit() : [])
    }

    mutating func timerFired(at now: Double) -> [Action] {
        guard phase == .ready, running == 0 else { return [] }
        return now >= idleSince + keepFor ? leave() : [.wake(at: idleSince + keepFor)]
    }

    /// Whether keepalives are on.
    var isWatched: Bool { running == 0 || watching > 0 }

    private func becameIdle() -> [Action] { [.watchServer(true), .wake(at: idleSince + keepFor)] }

    private mutating func exit() -> [Action] {
        defer { hasExited = true }
        return hasExited ? [] : [.exit]
    }
}
