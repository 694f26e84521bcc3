import SSHTestSupport
import Testing

@testable import BridgeSSH

/// The pool's decisions about who gets which connection, tested without connections.
@Suite("The state of a pool") struct PoolStateTests {
    private static func limits(perKey: Int = 2, all: Int = 3, sessions: Int = 2, idle: Double = 10) -> SSHConnectionPool.Limits {
        var limits = SSHConnectionPool.Limits()
        limits.connectionsPerKey = perKey
        limits.connections = all
        limits.sessionsPerConnection = sessions
        limits.idleTimeout = .seconds(idle)
        return limits
    }

    @Test("callers share a connection up to its limit; then another is opened; then callers wait") func sharing() {
        var state = PoolState<String>(limits: Self.limits())
        #expect(state.ask(1, for: "a", at: 0) == [.open(1, "a")])
        #expect(state.ask(2, for: "a", at: 0) == [])
        #expect(state.ask(3, for: "a", at: 0) == [.open(2, "a")])
        #expect(state.opened(1, at: 1) == [.lend(1, to: 1), .lend(1, to: 2)])
        #expect(state.opened(2, at: 1) == [.lend(2, to: 3)])
        #expect(state.ask(4, for: "a", at: 1) == [.lend(2, to: 4)])
        #expect(state.ask(5, for: "a", at: 1) == [])
        #expect(state.returned(1, at: 2) == [.lend(1, to: 5)])
    }

    @Test("an idle connection is closed after its time, or for another key") func idle() {
        var state = PoolState<String>(limits: Self.limits(all: 1))
        _ = state.ask(1, for: "a", at: 0)
        _ = state.opened(1, at: 0)
        #expect(state.returned(1, at: 5) == [.wake(at: 15)])
        #expect(state.timerFired(at: 14) == [.wake(at: 15)])
        #expect(state.timerFired(at: 15) == [.close(1)])
        _ = state.ask(2, for: "a", at: 20)
        _ = state.opened(2, at: 20)
        #expect(state.ask(3, for: "b", at: 20) == [])
        #expect(state.returned(2, at: 21) == [.close(2), .open(3, "b")])
    }

    @Test("of the idle connections the one that was idle longest is closed first") func longestIdle() {
        var state = PoolState<String>(limits: Self.limits(all: 2, sessions: 1))
        for id in 1...2 {
            _ = state.ask(id, for: "a", at: 0)
            _ = state.opened(id, at: 0)
        }
        #expect(state.returned(2, at: 5) == [.wake(at: 15)])
        #expect(state.returned(1, at: 6) == [.wake(at: 15)])
        #expect(state.ask(3, for: "b", at: 7) == [.close(2), .open(3, "b"), .wake(at: 16)])
    }

    @Test("a caller that waits for space in the pool is not overtaken by a busy key") func fairness() {
        var state = PoolState<String>(limits: Self.limits(all: 1, sessions: 2))
        _ = state.ask(1, for: "a", at: 0)
        _ = state.opened(1, at: 0)
        #expect(state.ask(2, for: "b", at: 0) == [])
        #expect(state.ask(3, for: "a", at: 0) == [])
        #expect(state.returned(1, at: 1) == [.close(1), .open(2, "b")])
        #expect(state.opened(2, at: 2) == [.lend(2, to: 2)])
        #expect(state.returned(2, at: 3) == [.close(2), .open(3, "a")])
    }

    @Test("a failed opening fails the callers that waited for it, once each") func failure() {
        var state = PoolState<String>(limits: Self.limits(perKey: 1))
        for caller in 1...3 { _ = state.ask(caller, for: "a", at: 0) }
        #expect(state.openingFailed(1, at: 1) == [.fail(1, opening: 1), .fail(2, opening: 1), .open(2, "a")])
        #expect(state.openingFailed(2, at: 1) == [.fail(3, opening: 2)])
        #expect(state.connectionCount == 0)
    }

    @Test("a dead connection is not lent again, and is closed when it is returned") func death() {
        var state = PoolState<String>(limits: Self.limits())
        _ = state.ask(1, for: "a", at: 0)
        _ = state.opened(1, at: 0)
        #expect(state.died(1, at: 1) == [])
        #expect(state.ask(2, for: "a", at: 1) == [.open(2, "a")])
        #expect(state.returned(1, at: 2) == [.close(1)])
        #expect(state.died(1, at: 3) == [])
    }

    @Test("a pool that is closed refuses, and keeps nothing") func closing() {
        var state = PoolState<String>(limits: Self.limits(perKey: 1, sessions: 1))
        _ = state.ask(1, for: "a", at: 0)
        _ = state.opened(1, at: 0)
        _ = state.ask(2, for: "a", at: 0)
        _ = state.ask(3, for: "b", at: 0)
        #expect(Set(state.close()) == [.refuse(2), .refuse(3)])
        #expect(state.ask(4, for: "a", at: 0) == [.refuse(4)])
        #expect(state.opened(2, at: 1) == [.close(2)])
        #expect(state.returned(1, at: 1) == [.close(1)])
        #expect(state.isDone)
    }

    @Test("a connection whose channels interrupted commands hold serves fewer callers, and is replaced when none is left")
    func lingering() {
        var state = PoolState<String>(limits: Self.limits(perKey: 1))
        _ = state.ask(1, for: "a", at: 0)
        _ = state.opened(1, at: 0)
        #expect(state.used(1, .init(active: 0, lingering: 1, limit: 2), at: 1) == [])
        #expect(state.ask(2, for: "a", at: 1) == [])
        #expect(state.used(1, .init(active: 0, lingering: 2, limit: 2), at: 2) == [.open(2, "a")])
        #expect(state.returned(1, at: 3) == [.close(1)])
        #expect(state.opened(2, at: 4).contains(.lend(2, to: 2)))
    }

    @Test("a caller that needs another channel on its connection goes first, and does not wait for idle holders")
    func borrowing() {
        var state = PoolState<String>(limits: Self.limits(perKey: 1, sessions: 3))
        for caller in 1...3 { _ = state.ask(caller, for: "a", at: 0) }
        _ = state.opened(1, at: 0)
        #expect(state.used(1, .init(active: 1, lingering: 0, limit: 1), at: 0) == [])
        #expect(state.ask(4, for: "a", at: 0) == [])
        #expect(state.ask(5, for: "a", isBorrower: true, at: 0) == [])
        // Three callers have leases of the connection, and its one channel is free.
        #expect(state.used(1, .init(active: 0, lingering: 0, limit: 1), at: 1) == [.lend(1, to: 5)])
        #expect(state.returned(1, isBorrowed: true, at: 2) == [])
    }

    @Test(
        "in all cases, limits hold, no caller is served twice or forgotten, and each key's callers keep their order",
        arguments: 0..<60)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var world = PoolWorld(
            limits: Self.limits(
                perKey: .random(in: 1...3, using: &random), all: .random(in: 1...5, using: &random),
                sessions: .random(in: 1...3, using: &random)))
        for _ in 0..<300 {
            world.step(&random)
            world.check()
        }
        // In the end every opening succeeds and every connection is returned: then no caller may remain.
        world.settle()
        #expect(world.waiting.isEmpty, "\(world.waiting)")
        world.apply(world.state.close())
        #expect(world.state.isDone)
        #expect(world.open.isEmpty && world.opening.isEmpty)
    }
}

/// Performs the actions of a pool's state, and checks that each is allowed.
private struct PoolWorld {
    var state: PoolState<String>
    let limits: SSHConnectionPool.Limits
    var now = 0.0
    var nextCaller = 1
    var waiting: [String: [Int]] = [:]
    var opening: [Int: String] = [:]
    var open: [Int: String] = [:]
    var leases: [Int: Int] = [:]
    var lingering: [Int: Int] = [:]
    var dead: Set<Int> = []
    var wake: Double?

    init(limits: SSHConnectionPool.Limits) {
        self.limits = limits
        state = PoolState(limits: limits)
    }

    mutating func step(_ random: inout SeededGenerator) {
        now += .random(in: 0...3, using: &random)
        switch Int.random(in: 0..<15, using: &random) {
        case 0...4:
            let key = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            waiting[key, default: []].append(nextCaller)
            apply(state.ask(nextCaller, for: key, at: now))
            nextCaller += 1
        case 5...7:
            guard let id = opening.keys.sorted().randomElement(using: &random) else { return }
            finishOpening(id)
        case 8:
            guard let id = opening.keys.sorted().randomElement(using: &random) else { return }
            opening[id] = nil
            apply(state.openingFailed(id, at: now))
        case 9...11:
            guard let id = leases.keys.sorted().randomElement(using: &random) else { return }
            giveBack(id)
        case 12:
            guard let id = open.keys.sorted().randomElement(using: &random) else { return }
            lingering[id] = Int.random(in: 0...limits.sessionsPerConnection, using: &random)
            if lingering[id] == limits.sessionsPerConnection { dead.insert(id) }
            use(id)
        case 13:
            guard let id = open.keys.sorted().randomElement(using: &random) else { return }
            dead.insert(id)
            apply(state.died(id, at: now))
        default:
            if Bool.random(using: &random), let key = waiting.keys.sorted().randomElement(using: &random),
                let caller = waiting[key]?.randomElement(using: &random)
            {
                remove(caller, from: key)
                apply(state.withdraw(caller, at: now))
            } else if let time = wake {
                now = max(now, time)
                wake = nil
                apply(state.timerFired(at: now))
            }
        }
    }

    /// The number of channels that the server counts now.
    private mutating func use(_ id: Int) {
        apply(state.used(id, .init(active: leases[id] ?? 0, lingering: lingering[id] ?? 0), at: now))
    }

    mutating func settle() {
        lingering = [:]
        for id in open.keys.sorted() { use(id) }
        while !opening.isEmpty || !leases.isEmpty {
            if let id = opening.keys.min() { finishOpening(id) }
            if let id = leases.keys.min() { giveBack(id) }
        }
    }

    private mutating func finishOpening(_ id: Int) {
        open[id] = opening.removeValue(forKey: id)
        apply(state.opened(id, at: now))
    }

    private mutating func giveBack(_ id: Int) {
        leases[id] = (leases[id] ?? 0) > 1 ? (leases[id] ?? 0) - 1 : nil
        apply(state.returned(id, at: now))
        if open[id] != nil { use(id) }
    }

    private mutating func remove(_ caller: Int, from key: String) {
        waiting[key]?.removeAll { $0 == caller }
        if waiting[key]?.isEmpty == true { waiting[key] = nil }
    }

    mutating func apply(_ actions: [PoolState<String>.Action]) {
        for action in actions {
            switch action {
            case .open(let id, let key):
                #expect(waiting[key] != nil, "opened without a caller")
                opening[id] = key
            case .lend(let id, let caller):
                let key = open[id] ?? ""
                #expect(waiting[key]?.first == caller, "out of order")
                #expect(!dead.contains(id), "lent a dead one")
                remove(caller, from: key)
                leases[id, default: 0] += 1
            case .fail(let caller, _), .refuse(let caller):
                let key = waiting.first { $0.value.contains(caller) }?.key
                #expect(key != nil, "failed twice")
                if let key { remove(caller, from: key) }
            case .close(let id):
                #expect(leases[id] == nil && open[id] != nil, "closed under a caller")
                open[id] = nil
            case .wake(let time): wake = time
            }
        }
    }

    func check() {
        #expect(state.connectionCount == open.count + opening.count)
        #expect(state.connectionCount <= limits.connections)
        #expect(leases.values.allSatisfy { $0 <= limits.sessionsPerConnection })
        #expect(state.waitingCount == waiting.values.map(\.count).reduce(0, +))
        for key in ["a", "b", "c"] { #expect(state.count(of: key) <= limits.connectionsPerKey) }
        // Each waiting caller waits for an event that can still come.
        if !waiting.isEmpty { #expect(!opening.isEmpty || !leases.isEmpty) }
        // Every idle connection has a time at which it is closed.
        if open.keys.contains(where: { leases[$0] == nil }) { #expect(wake != nil) }
    }
}
