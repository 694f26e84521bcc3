import BridgeSSH
internal import Synchronization

/// The memory of all that running hosts' outputs are kept in. Who finds no room waits until another host has ended.
///
/// One host at a time may go beyond it, up to its own limit, so that hosts that hold a part each do not wait for each other for
/// ever. If its command falls silent another one takes its place.
package final class KeptBudget: Sendable {
    /// One host's part.
    package final class Share: Sendable {
        fileprivate let held = Mutex(0)
        /// Whether its command has ended: it asks for nothing more, and its room is free as soon as what holds it has let go.
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
        /// When the leader asked last.
        var leaderAsked = ContinuousClock.now
    }

    private let state = Mutex(State())
    private let limit: Int
    /// A leader that has asked for nothing for so long has fallen silent.
    private static let patience = Duration.seconds(1)

    package init(limit: Int) { self.limit = limit }

    /// How much is in use.
    package var used: Int { state.withLock { $0.used } }

    /// Takes room for so many bytes, waiting for it if needed.
    ///
    /// - Parameter wait: what ends the waiting; the room is then taken all the same.
    package func take(_ count: Int, for share: Share, _ wait: OutputWait) async {
        share.held.withLock { $0 += count }
        if state.withLock({ $0.take(count, share, limit) }) { return }
        let patience = Task { [weak self] in
            while (try? await Task.sleep(for: Self.patience)) != nil { self?.replaceSilentLeader() }
        }
        defer { patience.cancel() }
        while !wait.isOver {
            if await self.wait(count, share, wait) { return }
        }
        state.withLock { $0.used += count }
    }

    /// - Returns: whether there was room at once; if not, it is to be looked for again.
    private func wait(_ count: Int, _ share: Share, _ wait: OutputWait) async -> Bool {
        let hadRoom = Mutex(false)
        await withCheckedContinuation { continuation in
            let token: UInt64? = state.withLock { state in
                guard !state.take(count, share, limit) else { return nil }
                state.nextToken += 1
                state.waiters.append(Waiter(token: state.nextToken, share: share, continuation: continuation))
                return state.nextToken
            }
            guard let token else {
                hadRoom.withLock { $0 = true }
                return continuation.resume()
            }
            wait.attach { self.release(token) }
        }
        wait.detach()
        return hadRoom.withLock { $0 }
    }

    private func release(_ token: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.token == token }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume()
    }

    private func replaceSilentLeader() {
        let woken: Waiter? = state.withLock { state in
            guard state.leaderAsked.duration(to: .now) >= Self.patience, !state.waiters.isEmpty else { return nil }
            if let leader = state.leader, leader.hasEnded.withLock({ $0 }) { return nil }
            let next = state.waiters.removeFirst()
            (state.leader, state.leaderAsked) = (next.share, .now)
            return next
        }
        woken?.continuation.resume()
    }

    /// A host's output is kept here no more.
    package func end(_ share: Share) {
        let count = share.held.withLock { held in
            defer { held = 0 }
            return held
        }
        let woken = state.withLock { state in
            state.used -= count
            if state.leader === share { state.leader = nil }
            // They look again, in their order.
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken { waiter.continuation.resume() }
    }
}

extension KeptBudget.State {
    fileprivate mutating func take(_ count: Int, _ share: KeptBudget.Share, _ limit: Int) -> Bool {
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

extension KeptBudget {
    /// What holds a host's output once its command has ended; the room is free when all have let it go.
    package final class Use: Sendable {
        private let share: Share
        private let budget: KeptBudget
        private let holders: Mutex<Int>

        package init(of share: Share, in budget: KeptBudget, holders: Int) {
            self.share = share
            share.hasEnded.withLock { $0 = true }
            self.budget = budget
            self.holders = Mutex(holders)
        }

        /// One of the holders lets it go.
        package func end() {
            let isLast = holders.withLock { holders in
                holders -= 1
                return holders == 0
            }
            if isLast { budget.end(share) }
        }
    }
}

/// The memory that running hosts' receive windows draw from: what servers may send ahead of us, over all hosts.
///
/// Few hosts have wide windows and many hosts narrow ones. The narrowest is kept free for each host that may still run beside
/// those that do; of what is left beyond that a host gets its part, and an eighth at most, so that those that come later find
/// some too.
struct WindowBudget {
    private typealias Window = SSHConnection.CommandWindow
    private static let widest = 2 << 20
    private var left: Int
    private let expected: Int

    /// - Parameter hosts: how many may run at once.
    init(limit: Int, hosts: Int) {
        left = limit
        expected = hosts
    }

    /// - Parameter parallel: how many hosts run at once as things are.
    /// - Returns: a window for one host; it is to be given back.
    mutating func take(parallel: Int, running: Int) -> Int {
        let others = max(0, expected - running - 1)
        let free = left - others * Window.memory(of: Window.least)
        let part = free / max(8, parallel - running)
        let window = min(Self.widest, max(Window.least, Window.window(in: part)))
        left -= Window.memory(of: window)
        return window
    }

    mutating func give(_ window: Int) { left += Window.memory(of: window) }
}
