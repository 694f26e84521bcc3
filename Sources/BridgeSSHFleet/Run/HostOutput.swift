internal import BridgeSSH
internal import Crypto
internal import SSHRun
internal import Synchronization

/// What a run does with the outputs of its hosts.
package struct OutputPolicy: Sendable {
    /// What is kept of each stream, in bytes.
    package var limit: Int
    /// Whether the pieces are events too.
    package var streams: Bool

    package init(limit: Int, streams: Bool) {
        self.limit = limit
        self.streams = streams
    }
}

/// One output stream of one host: its pieces become events, its first bytes are kept, and the rest is counted and hashed.
final class HostOutput: OutputSink {
    private struct State {
        var kept: [UInt8] = []
        var total = 0
        var rest: SHA256?
        var lastTaken = ContinuousClock.now
        var isTaking = false

        mutating func keep(_ bytes: ArraySlice<UInt8>, limit: Int) {
            // An array doubles its room: the last time it gets no more than it may use.
            let count = kept.count + bytes.count
            if count > kept.capacity, count > limit / 2 { kept.reserveCapacity(limit) }
            kept.append(contentsOf: bytes)
        }
    }

    private let host: String
    private let stream: FleetEvent.OutputStream
    private let policy: OutputPolicy
    private let queue: FleetEventQueue
    private let budget: KeptBudget
    private let share: KeptBudget.Share
    private let wait = OutputWait()
    private let state = Mutex(State())

    init(
        _ host: String, _ stream: FleetEvent.OutputStream, _ policy: OutputPolicy, _ queue: FleetEventQueue, _ budget: KeptBudget,
        _ share: KeptBudget.Share
    ) {
        self.host = host
        self.stream = stream
        self.policy = policy
        self.queue = queue
        self.budget = budget
        self.share = share
    }

    func write(_ chunk: SSHOutputChunk) async throws { try await write(chunk.bytes) }

    /// - Throws: `OutputFailure.abandoned`.
    func write(_ bytes: [UInt8]) async throws {
        guard !wait.isOver else { throw OutputFailure.abandoned }
        let room = state.withLock { state in
            state.isTaking = true
            return min(bytes.count, policy.limit - state.kept.count)
        }
        if room > 0 { await budget.take(room, for: share, wait) }
        state.withLock { state in
            state.total += bytes.count
            if room > 0 { state.keep(bytes[..<room], limit: policy.limit) }
            guard room < bytes.count else { return }
            var rest = state.rest ?? SHA256()
            rest.update(data: bytes[max(0, room)...])
            state.rest = rest
        }
        if policy.streams { await queue.send(bytes, of: host, stream, wait) }
        state.withLock { ($0.isTaking, $0.lastTaken) = (false, .now) }
        if wait.isOver { throw OutputFailure.abandoned }
    }

    func abandon() { wait.end() }
    var isAbandoned: Bool { wait.isOver }
    var idleTime: Duration? { state.withLock { $0.isTaking ? nil : $0.lastTaken.duration(to: .now) } }

    var kept: KeptOutput {
        state.withLock { state in
            KeptOutput(bytes: state.kept, total: state.total, restDigest: state.rest.map { Array($0.finalize()) } ?? [])
        }
    }
}
