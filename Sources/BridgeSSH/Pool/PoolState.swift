/// Decides which caller gets which connection, and which connections are opened and closed. It is pure: it has no clock, network
/// or tasks. Times are in seconds on any one clock. Connections with the same `Key` can serve the same callers.
///
/// Callers are served in order of arrival. A caller that waits because of its key's limit delays only callers with the same key.
/// A caller that waits because of the pool's limit delays all later ones, so that busy keys cannot starve an idle one.
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
        /// The number of callers that hold it.
        var leases = 0
        /// The number of these that also hold another connection, and use this one for a single channel.
        var borrowers = 0
        /// The channels that count at its server.
        var usage = Usage()
        var idleSince = 0.0
        /// It is dead, used up, or belongs to a closed pool. It is closed when all callers have returned it.
        var isRetired = false

        /// Whether another caller may hold it.
        ///
        /// A holder may not have opened a channel yet, so every holder counts. For a borrower, only other borrowers count as
        /// holders: a borrower has no free channel on its first connection, and waits for one on this connection.
        func canServe(_ caller: Caller, _ limits: SSHConnectionPool.Limits) -> Bool {
            let holders = caller.isBorrower ? borrowers : leases
            return isOpen && !isRetired && max(holders, usage.active) + usage.lingering < limit(limits)
        }

        func limit(_ limits: SSHConnectionPool.Limits) -> Int { min(limits.sessionsPerConnection, usage.limit ?? .max) }
    }

    /// The channels of a connection that count at its server.
    struct Usage: Hashable {
        /// Channels that callers use.
        var active = 0
        /// Channels that interrupted commands still occupy.
        var lingering = 0
        /// The server's limit on channels, if known.
        var limit: Int?
    }

    private struct Caller {
        let id: Int
        let key: Key
        /// Whether the caller holds a connection without a free channel.
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

    // MARK: State

    /// Connections that are open or being opened.
    var connectionCount: Int { connections.count }
    var waitingCount: Int { callers.count }
    /// Usable connections with a key, including those being opened.
    func count(of key: Key) -> Int { connections.values.count { $0.key == key && !$0.isRetired } }
    /// The number of callers that hold a connection.
    func leases(of connection: Int) -> Int { connections[connection]?.leases ?? 0 }
    /// Whether a closed pool has no connections left.
    var isDone: Bool { isClosed && connections.isEmpty && callers.isEmpty }

    // MARK: Events

    /// A caller requests a connection.
    ///
    /// - Parameter isBorrower: whether the caller holds a connection without a free channel. It goes first, because others may
    ///   wait for the connection that it holds.
    mutating func ask(_ caller: Int, for key: Key, isBorrower: Bool = false, at now: Double) -> [Action] {
        guard !isClosed else { return [.refuse(caller)] }
        let place = isBorrower ? callers.firstIndex { !$0.isBorrower } : nil
        callers.insert(Caller(id: caller, key: key, isBorrower: isBorrower), at: place ?? callers.count)
        return settle(at: now)
    }

    /// A waiting caller gives up. A connection that is being opened for it is kept for the next caller.
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

    /// The callers that the connection would have served fail. For the callers behind them, another attempt is made.
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

    /// A connection ended on its own. Its holders notice this themselves, and return it.
    mutating func died(_ id: Int, at now: Double) -> [Action] {
        guard connections[id] != nil else { return [] }
        connections[id]?.isRetired = true
        return connections[id]?.leases == 0 ? remove(id) + settle(at: now) : settle(at: now)
    }

    /// The channel count of a connection changed. If interrupted commands occupy every channel, the connection is useless.
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

    /// Lends no more connections. Connections in use are closed when they are returned.
    mutating func close() -> [Action] {
        isClosed = true
        let refusals = callers.map { Action.refuse($0.id) }
        callers = []
        for id in connections.keys { connections[id]?.isRetired = true }
        return refusals + idle.flatMap { remove($0.id) }
    }

    // MARK: Decisions

    /// Open connections without holders, the longest idle first.
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
        /// For each key, the callers that connections being opened will serve.
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
            guard let closings = makeSpace() else { break }
            actions += closings + [open(caller.key)]
        }
        callers = waiting + queue
        if let first = idle.first { actions.append(.wake(at: first.since + limits.idleTimeout.boundedSeconds)) }
        return actions
    }

    /// Whether the connections being opened are enough for this many callers.
    private func isCovered(_ key: Key, _ count: Int) -> Bool {
        let opening = connections.values.count { $0.key == key && !$0.isOpen && !$0.isRetired }
        let (space, isEnormous) = opening.multipliedReportingOverflow(by: limits.sessionsPerConnection)
        return isEnormous || space >= count
    }

    /// The connection with the caller's key that has the fewest holders, if it has a free channel for the caller.
    private func available(for caller: Caller) -> Int? {
        connections.filter { $0.value.key == caller.key && $0.value.canServe(caller, limits) }
            .min { ($0.value.leases, $0.key) < ($1.value.leases, $1.key) }?.key
    }

    /// - Returns: nil if the pool is full and no connection is idle.
    private mutating func makeSpace() -> [Action]? {
        if connections.count < limits.connections { return [] }
        return idle.first.map { remove($0.id) }
    }

    private mutating func open(_ key: Key) -> Action {
        defer { nextConnection += 1 }
        connections[nextConnection] = Connection(key: key)
        return .open(nextConnection, key)
    }
}
