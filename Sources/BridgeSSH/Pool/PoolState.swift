/// Decides who gets which connection, and which are opened and closed: pure, without clock, network or tasks. Times are seconds
/// on any one clock; `Key` is what connections must have in common to serve the same callers.
///
/// Callers are served in the order in which they came. One that waits for its own key's limit holds up only its own key; one
/// that waits for the pool's limit holds up all behind it, so that busy keys cannot starve an idle one.
struct PoolState<Key: Hashable & Sendable> {
    enum Action: Hashable {
        /// Opens a connection; ``opened(_:at:)`` or ``openingFailed(_:)`` follows.
        case open(Int, Key)
        /// Hands a connection to a caller; ``returned(_:at:)`` follows.
        case lend(Int, to: Int)
        /// Reports to a caller that the opening it waited for failed.
        case fail(Int, opening: Int)
        /// Reports to a caller that the pool is closed.
        case refuse(Int)
        /// Closes an unused connection.
        case close(Int)
        /// Calls ``timerFired(at:)`` at that time; replaces an earlier call.
        case wake(at: Double)
    }

    private struct Connection {
        let key: Key
        var isOpen = false
        /// Callers that have it.
        var leases = 0
        /// Those of them that have another connection too, and this one for a single channel.
        var borrowers = 0
        /// What its server counts.
        var usage = Usage()
        var idleSince = 0.0
        /// It is dead or used up, or the pool is closed: it is closed once it is returned.
        var isRetired = false

        /// Whether another caller may have it.
        ///
        /// Those that have it may not have a channel yet, and those that borrow wait for one while they have a connection
        /// without room: so only what is in use counts for these.
        func hasRoom(for caller: Caller, _ limits: SSHConnectionPool.Limits) -> Bool {
            let holders = caller.isBorrower ? borrowers : leases
            return isOpen && !isRetired && max(holders, usage.active) + usage.lingering < limit(limits)
        }

        func limit(_ limits: SSHConnectionPool.Limits) -> Int { min(limits.sessionsPerConnection, usage.limit ?? .max) }
    }

    /// The channels of a connection, as its server counts them.
    struct Usage: Hashable {
        /// Channels that callers use.
        var active = 0
        /// Channels that interrupted commands still use.
        var lingering = 0
        /// How many the server allows, as far as is known.
        var limit: Int?
    }

    private struct Caller {
        let id: Int
        let key: Key
        /// Whether it has a connection that has no room for one more channel.
        let isBorrower: Bool
    }

    let limits: SSHConnectionPool.Limits
    private var connections: [Int: Connection] = [:]
    private var callers: [Caller] = []
    private var nextConnection = 1
    private var isClosed = false

    init(limits: SSHConnectionPool.Limits) {
        self.limits = limits
    }

    // MARK: What is there

    /// Connections that are open or being opened.
    var connectionCount: Int { connections.count }
    /// Callers that wait.
    var waitingCount: Int { callers.count }
    /// Connections of one key that serve callers, or are to.
    func count(of key: Key) -> Int { connections.values.count { $0.key == key && !$0.isRetired } }
    /// Callers that have a connection.
    func leases(of connection: Int) -> Int { connections[connection]?.leases ?? 0 }
    /// Whether nothing is left of a pool that was closed.
    var isDone: Bool { isClosed && connections.isEmpty && callers.isEmpty }

    // MARK: What happens

    /// A caller requests a connection.
    ///
    /// - Parameter isBorrower: whether it has one without room for one more channel. It goes first: others may wait for it.
    mutating func ask(_ caller: Int, for key: Key, isBorrower: Bool = false, at now: Double) -> [Action] {
        guard !isClosed else { return [.refuse(caller)] }
        let place = isBorrower ? callers.firstIndex { !$0.isBorrower } : nil
        callers.insert(Caller(id: caller, key: key, isBorrower: isBorrower), at: place ?? callers.count)
        return settle(at: now)
    }

    /// A waiting caller gives up. The connection being opened for it is kept for the next.
    mutating func withdraw(_ caller: Int, at now: Double) -> [Action] {
        callers.removeAll { $0.id == caller }
        return settle(at: now)
    }

    mutating func opened(_ id: Int, at now: Double) -> [Action] {
        guard var connection = connections[id] else { return [] }
        connection.isOpen = true
        connection.idleSince = now
        connections[id] = connection
        return connection.isRetired ? remove(id) : settle(at: now)
    }

    /// The callers that the connection would have served fail; those behind them are worth another attempt.
    mutating func openingFailed(_ id: Int, at now: Double) -> [Action] {
        guard let connection = connections.removeValue(forKey: id) else { return [] }
        let failed = callers.filter { $0.key == connection.key }.prefix(limits.sessionsPerConnection).map(\.id)
        callers.removeAll { failed.contains($0.id) }
        return failed.map { .fail($0, opening: id) } + settle(at: now)
    }

    /// A caller returns a connection.
    mutating func returned(_ id: Int, isBorrowed: Bool = false, at now: Double) -> [Action] {
        guard var connection = connections[id] else { return [] }
        connection.leases -= 1
        if isBorrowed { connection.borrowers -= 1 }
        connection.idleSince = now
        connections[id] = connection
        return connection.isRetired && connection.leases == 0 ? remove(id) + settle(at: now) : settle(at: now)
    }

    /// A connection has ended by itself. Those who have it find out by themselves, and return it.
    mutating func died(_ id: Int, at now: Double) -> [Action] {
        guard connections[id] != nil else { return [] }
        connections[id]?.isRetired = true
        return connections[id]?.leases == 0 ? remove(id) + settle(at: now) : settle(at: now)
    }

    /// What a connection's server counts has changed. One whose every channel is taken by interrupted commands is of no use.
    mutating func used(_ id: Int, _ usage: Usage, at now: Double) -> [Action] {
        connections[id]?.usage = usage
        guard let connection = connections[id] else { return [] }
        guard usage.lingering >= connection.limit(limits), usage.lingering > 0 else { return settle(at: now) }
        return died(id, at: now)
    }

    mutating func timerFired(at now: Double) -> [Action] {
        let late = idle.filter { now >= $0.since + limits.idleTimeout.boundedSeconds }.map(\.id)
        return late.flatMap { remove($0) } + settle(at: now)
    }

    /// No more connections are lent; those that are lent are closed when they come back.
    mutating func close() -> [Action] {
        isClosed = true
        let refusals = callers.map { Action.refuse($0.id) }
        callers = []
        for id in connections.keys { connections[id]?.isRetired = true }
        return refusals + idle.flatMap { remove($0.id) }
    }

    // MARK: What follows

    /// Connections that are open and unused, the longest idle first.
    private var idle: [(id: Int, since: Double)] {
        connections.filter { $0.value.isOpen && $0.value.leases == 0 }.map { ($0.key, $0.value.idleSince) }
            .sorted { ($0.since, $0.id) < ($1.since, $1.id) }
    }

    private mutating func remove(_ id: Int) -> [Action] {
        connections[id] = nil
        return [.close(id)]
    }

    private mutating func settle(at now: Double) -> [Action] {
        var actions: [Action] = []
        /// Callers of each key that a connection being opened will serve.
        var expecting: [Key: Int] = [:]
        var waiting: [Caller] = []
        var queue = callers[...]
        while let caller = queue.popFirst() {
            if expecting[caller.key] == nil, let id = available(for: caller) {
                connections[id]?.leases += 1
                if caller.isBorrower { connections[id]?.borrowers += 1 }
                actions.append(.lend(id, to: caller.id))
                continue
            }
            waiting.append(caller)
            expecting[caller.key, default: 0] += 1
            guard !isCovered(caller.key, expecting[caller.key, default: 0]), count(of: caller.key) < limits.connectionsPerKey
            else {
                continue
            }
            guard let room = makeRoom() else { break }
            actions += room + [open(caller.key)]
        }
        callers = waiting + queue
        if let first = idle.first { actions.append(.wake(at: first.since + limits.idleTimeout.boundedSeconds)) }
        return actions
    }

    /// Whether the connections on their way are enough for so many callers.
    private func isCovered(_ key: Key, _ count: Int) -> Bool {
        let opening = connections.values.count { $0.key == key && !$0.isOpen && !$0.isRetired }
        let (room, isEnormous) = opening.multipliedReportingOverflow(by: limits.sessionsPerConnection)
        return isEnormous || room >= count
    }

    /// The connection of a caller's key that the fewest have, if another may have it too.
    private func available(for caller: Caller) -> Int? {
        connections.filter { $0.value.key == caller.key && $0.value.hasRoom(for: caller, limits) }
            .min { ($0.value.leases, $0.key) < ($1.value.leases, $1.key) }?.key
    }

    /// - Returns: nil if the pool is full and no connection is idle.
    private mutating func makeRoom() -> [Action]? {
        if connections.count < limits.connections { return [] }
        return idle.first.map { remove($0.id) }
    }

    private mutating func open(_ key: Key) -> Action {
        defer { nextConnection += 1 }
        connections[nextConnection] = Connection(key: key)
        return .open(nextConnection, key)
    }
}
