import BridgeSSH
internal import Crypto
internal import SSHRun
internal import Synchronization

/// A run's treatment of the output of its hosts.
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
        var reservedCount = 0
        var total = 0
        var rest: SHA256?
        var lastTaken = ContinuousClock.now
        var isTaking = false

        /// The number of bytes to reserve so that `count` more bytes can be kept. The space doubles, so each byte moves once or
        /// twice.
        func growth(for count: Int, limit: Int) -> Int {
            let needed = kept.count + count
            return needed > reservedCount ? min(limit, max(needed, 2 * reservedCount)) - reservedCount : 0
        }

        mutating func grow(by count: Int) {
            guard count > 0 else { return }
            reservedCount += count
            kept.reserveCapacity(reservedCount)
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

/// The memory that holds the output of all running hosts. A host that gets no memory waits until another host has ended.
///
/// One host at a time, the leader, may exceed it, up to its own limit. Otherwise hosts that each hold a part could wait for each
/// other forever. If the leader's command falls silent, another host takes its place.
package final class OutputMemoryBudget: Sendable {
    /// One host's share.
    package final class Share: Sendable {
        fileprivate let held = Mutex(0)
        /// Whether its command has ended. It then requests no more memory, and its memory is freed once all holders have released
        /// it.
        let hasEnded = Mutex(false)
        package init() {}
    }

    fileprivate struct Waiter {
        let token: UInt64
        let share: Share
        let continuation: CheckedContinuation<Void, Never>
    }

    fileprivate struct State {
        var used = 0
        var waiters: [Waiter] = []
        var nextToken: UInt64 = 0
        var leader: Share?
        /// When the leader last requested memory.
        var leaderAsked = ContinuousClock.now
    }

    private let state = Mutex(State())
    private let limit: Int
    /// A leader that reads nothing for this long counts as silent.
    private static let timeLimit = Duration.seconds(1)

    package init(limit: Int) { self.limit = limit }

    /// The number of bytes in use.
    package var used: Int { state.withLock { $0.used } }

    /// How many requests wait for memory.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Takes memory for `count` bytes, and waits for it if necessary.
    ///
    /// - Parameter wait: can end the wait; the memory is then taken nevertheless.
    package func take(_ count: Int, for share: Share, _ wait: OutputWait) async {
        share.held.withLock { $0 += count }
        if state.withLock({ $0.take(count, share, limit) }) { return }
        let timer = Task { [weak self] in
            while (try? await Task.sleep(for: Self.timeLimit)) != nil { self?.replaceSilentLeader(after: Self.timeLimit) }
        }
        defer { timer.cancel() }
        while !wait.isOver {
            if await self.wait(count, share, wait) { return }
        }
        state.withLock { $0.used += count }
    }

    /// - Returns: whether memory was available at once. If not, the caller must try again.
    private func wait(_ count: Int, _ share: Share, _ wait: OutputWait) async -> Bool {
        let hadSpace = Mutex(false)
        await withCheckedContinuation { continuation in
            let token: UInt64? = state.withLock { state in
                guard !state.take(count, share, limit) else { return nil }
                state.nextToken += 1
                state.waiters.append(Waiter(token: state.nextToken, share: share, continuation: continuation))
                return state.nextToken
            }
            guard let token else {
                hadSpace.withLock { $0 = true }
                return continuation.resume()
            }
            wait.attach { self.release(token) }
        }
        wait.detach()
        return hadSpace.withLock { $0 }
    }

    private func release(_ token: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.token == token }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume()
    }

    /// Gives the place of a leader that has asked for nothing for `silence` to the first waiter.
    func replaceSilentLeader(after silence: Duration) {
        let woken: Waiter? = state.withLock { state in
            guard state.leaderAsked.duration(to: .now) >= silence, !state.waiters.isEmpty else { return nil }
            if let leader = state.leader, leader.hasEnded.withLock({ $0 }) { return nil }
            let next = state.waiters.removeFirst()
            (state.leader, state.leaderAsked) = (next.share, .now)
            return next
        }
        woken?.continuation.resume()
    }

    /// Releases all of a host's memory.
    package func end(_ share: Share) {
        let count = share.held.withLock { held in
            defer { held = 0 }
            return held
        }
        let woken = state.withLock { state in
            state.used -= count
            if state.leader === share { state.leader = nil }
            // All waiters try again, in their order.
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken { waiter.continuation.resume() }
    }
}

extension OutputMemoryBudget.State {
    fileprivate mutating func take(_ count: Int, _ share: OutputMemoryBudget.Share, _ limit: Int) -> Bool {
        if leader === share {
            leaderAsked = .now
        } else if used + count > limit {
            guard leader == nil else { return false }
            (leader, leaderAsked) = (share, .now)
        }
        used += count
        return true
    }
}

extension OutputMemoryBudget {
    /// The holders of a host's output after its command has ended. The memory is released when the last holder releases it.
    package final class SharedHold: Sendable {
        private let share: Share
        private let budget: OutputMemoryBudget
        private let holders: Mutex<Int>

        package init(of share: Share, in budget: OutputMemoryBudget, holders: Int) {
            self.share = share
            share.hasEnded.withLock { $0 = true }
            self.budget = budget
            self.holders = Mutex(holders)
        }

        /// One of the holders releases the output.
        package func end() {
            let isLast = holders.withLock { holders in
                holders -= 1
                return holders == 0
            }
            if isLast { budget.end(share) }
        }
    }
}

/// The memory for the receive windows of all running hosts: how much servers may send before it is read.
///
/// A few hosts get wide windows, many hosts narrow ones. The budget reserves the narrowest window for every host that may still
/// start. A host gets its part of the remaining memory, at most an eighth, so that later hosts get some, too.
struct WindowBudget {
    private typealias Window = SSHConnection.CommandWindow
    private static let maximumWindow = 2 << 20
    private var left: Int
    private let expected: Int

    /// - Parameter hosts: the most hosts that may run at once.
    init(limit: Int, hosts: Int) {
        left = limit
        expected = hosts
    }

    /// - Parameter parallel: how many hosts may run at once at present.
    /// - Returns: a window for one host, in bytes; the caller must give it back.
    mutating func take(parallel: Int, running: Int) -> Int {
        let others = max(0, expected - running - 1)
        let free = left - others * Window.memory(of: Window.minimum)
        let part = free / max(8, parallel - running)
        let window = min(Self.maximumWindow, max(Window.minimum, Window.window(in: part)))
        left -= Window.memory(of: window)
        return window
    }

    mutating func give(_ window: Int) { left += Window.memory(of: window) }
}
