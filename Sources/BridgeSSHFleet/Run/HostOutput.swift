internal import BridgeSSH
internal import Crypto
internal import SSHRun
internal import Synchronization

/// What a run does with the output of its hosts.
package struct OutputPolicy: Sendable {
    /// The number of bytes kept of each stream.
    package var limit: Int
    /// Whether the pieces of output become events, too.
    package var streams: Bool

    package init(limit: Int, streams: Bool) {
        self.limit = limit
        self.streams = streams
    }
}

/// One output stream of one host. Its pieces become events, its first bytes are kept, and the rest is counted and hashed.
final class HostOutput: OutputSink {
    private struct State {
        var kept: [UInt8] = []
        /// The number of bytes reserved for ``kept``, all charged to the budget.
        var room = 0
        var total = 0
        var rest: SHA256?
        var lastTaken = ContinuousClock.now
        var isTaking = false

        /// How much room to add so that `count` more bytes can be kept. Room doubles, so each byte moves once or twice.
        func growth(for count: Int, limit: Int) -> Int {
            let needed = kept.count + count
            return needed > room ? min(limit, max(needed, 2 * room)) - room : 0
        }

        mutating func grow(by count: Int) {
            guard count > 0 else { return }
            room += count
            kept.reserveCapacity(room)
        }

        /// Keeps the first `count` bytes, counts all of them, and hashes the rest.
        mutating func take(_ bytes: UnsafeRawBufferPointer, keeping count: Int) {
            total += bytes.count
            if count > 0 { kept.append(contentsOf: bytes.prefix(count)) }
            guard count < bytes.count else { return }
            var hash = rest ?? SHA256()
            rest = nil
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[count...]))
            rest = hash
        }
    }

    private let host: String
    private let stream: SSHEvidence.OutputStream
    private let policy: OutputPolicy
    private let queue: FleetEventQueue
    private let budget: OutputMemoryBudget
    private let share: OutputMemoryBudget.Share
    private let wait = OutputWait()
    private let state = Mutex(State())

    init(
        _ host: String, _ stream: SSHEvidence.OutputStream, _ policy: OutputPolicy, _ queue: FleetEventQueue,
        _ budget: OutputMemoryBudget,
        _ share: OutputMemoryBudget.Share
    ) {
        self.host = host
        self.stream = stream
        self.policy = policy
        self.queue = queue
        self.budget = budget
        self.share = share
    }

    /// - Throws: `OutputFailure.abandoned`.
    func write(_ bytes: [UInt8]) async throws {
        try await write(
            SSHOutputChunk(copying: bytes, stream: stream == .standardOutput ? .standardOutput : .standardError))
    }

    /// - Throws: `OutputFailure.abandoned`.
    func write(_ chunk: SSHOutputChunk) async throws {
        guard !wait.isOver else { throw OutputFailure.abandoned }
        let (count, growth) = state.withLock { state in
            state.isTaking = true
            let count = max(0, min(chunk.count, policy.limit - state.kept.count))
            return (count, state.growth(for: count, limit: policy.limit))
        }
        if growth > 0 { await budget.take(growth, for: share, wait) }
        state.withLock { state in
            state.grow(by: growth)
            chunk.withUnsafeBytes { state.take($0, keeping: count) }
        }
        if policy.streams { await queue.send(chunk.bytes, of: host, stream, wait) }
        state.withLock { ($0.isTaking, $0.lastTaken) = (false, .now) }
        if wait.isOver { throw OutputFailure.abandoned }
    }

    func abandon() { wait.end() }
    var isAbandoned: Bool { wait.isOver }
    var idleTime: Duration? { state.withLock { $0.isTaking ? nil : $0.lastTaken.duration(to: .now) } }

    var kept: FleetKeptOutput {
        state.withLock { state in
            FleetKeptOutput(bytes: state.kept, total: state.total, restDigest: state.rest.map { Array($0.finalize()) } ?? [])
        }
    }
}
