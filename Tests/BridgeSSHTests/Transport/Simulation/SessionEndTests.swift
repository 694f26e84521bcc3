import BridgeSSH
import NIOCore
import SSHTestSupport
import Testing

@testable import SSHTransport

/// Chains of one to three sessions in simulated time. Each seed is another order of events: data, keepalives, cancellations,
/// a hop that falls silent or ends, a fault, the owner's close.
@Suite("The end of sessions, in simulated time") struct SessionEndTests {
    private static let keepalive = SSHKeepaliveOptions(interval: .seconds(1), countMax: 2)

    @Test("every wait ends once a hop is lost or the owner closes", arguments: 0..<150)
    func everyOrder(seed: Int) throws {
        let chain = SimulatedChain(hops: seed % 3 + 1, seed: UInt64(seed))
        let run = try RandomRun(chain, Self.keepalive)
        try run.play(events: Int.random(in: 0..<60, using: &chain.random))
        let trouble = run.trouble()
        if let trouble {
            run.cause(trouble)
            if chain.chance(7) {
                try run.expectLoss(of: trouble)
            } else {
                try run.play(events: Int.random(in: 0..<100, using: &chain.random))
            }
        }
        let description = "seed \(seed), \(trouble.map { "\($0)" } ?? "the owner closes")"
        _ = chain.close()
        _ = try chain.run(atMost: .milliseconds(10_000)) { chain.waiters.allSatisfy(\.isDone) }
        #expect(chain.waiters.filter { !$0.isDone }.map { "\($0.name) on hop \($0.hop)" } == [], "\(description)")
        chain.loop.run()
        #expect(chain.loop.timerCount == 0, "\(description)")
        for session in chain.sessions {
            #expect(
                session.assumeIsolated { $0.channels.all.allSatisfy { $0.consumer == nil } && $0.waitingCount == 0 },
                "\(description)")
        }
    }

    /// The timers of the sessions have any offset from each other. The outer hop may be waiting for an answer each time the
    /// inner session checks; this must not keep the inner session from giving up.
    @Test("only a silent hop is given up", arguments: [(2, 1), (3, 0), (3, 1), (3, 2)], 0..<25)
    func silence(_ place: (hops: Int, silent: Int), phase: Int) throws {
        let chain = SimulatedChain(hops: place.hops, seed: UInt64(phase))
        for _ in 0..<place.hops {
            try chain.addSession(Self.keepalive)
            // The timers are in phase, or a little more than a round trip apart at most.
            let interval = Int64(Self.keepalive.interval.seconds * 1000)
            let apart = Int64.random(in: 0...100, using: &chain.random)
            let passed = Int64(chain.loop.now.uptimeNanoseconds / 1_000_000) % interval
            chain.loop.advance(by: .milliseconds(interval - passed + apart))
        }
        let run = RandomRun(chain, command: try chain.startCommand())
        try run.expectLoss(of: run.cause(.silence(hop: place.silent)))
    }

    @Test("closing a channel ends every wait for it, even if a request is never answered", arguments: [false, true])
    func closing(isSilent: Bool) throws {
        let chain = SimulatedChain(hops: 1, seed: 1)
        try chain.addSession(nil)
        let command = try chain.startCommand()
        chain.servers[0].answersRequests = false
        let run = RandomRun(chain, command: command)
        run.wait(for: command)
        _ = try chain.run(atMost: .milliseconds(1000)) { false }
        chain.servers[0].isSilent = isSilent
        let session = chain.sessions[0]
        // Close it twice, as when a deadline ends a command and its owner then releases it.
        for _ in 0..<2 { session.assumeIsolated { $0.closeChannel(command) } }
        _ = try chain.run(atMost: .milliseconds(1000)) { chain.waiters.allSatisfy(\.isDone) }
        #expect(chain.waiters.filter { !$0.isDone }.map(\.name) == [])
        #expect(chain.fault(0) == nil)
    }

    @Test("each interval of silence has a keepalive") func keepalives() throws {
        let chain = SimulatedChain(hops: 1, seed: 1)
        try chain.addSession(Self.keepalive)
        _ = try chain.run(atMost: .milliseconds(10_000)) { false }
        #expect((9...10).contains(chain.servers[0].keepaliveCount))
        #expect(chain.fault(0) == nil)
    }

    @Test("a silent server is asked as often as the limit says before it is given up") func keepaliveLimit() throws {
        let chain = SimulatedChain(hops: 1, seed: 1)
        try chain.addSession(Self.keepalive)
        chain.servers[0].isSilent = true
        _ = try chain.run(atMost: .milliseconds(2500)) { false }
        #expect(chain.fault(0) == nil)
        _ = try chain.run(atMost: .milliseconds(1000)) { chain.fault(0) != nil }
        #expect(chain.fault(0)?.event == .keepaliveUnanswered(count: 2))
    }
}

/// Random events on a chain.
private final class RandomRun {
    enum Trouble {
        case silence(hop: Int)
        case end(hop: Int)
        case fault(hop: Int)

        var hop: Int {
            switch self {
            case .silence(let hop), .end(let hop), .fault(let hop): hop
            }
        }
    }

    private let chain: SimulatedChain
    /// The command on the last session; nil if that session is lent for a question instead.
    private let command: ChannelID?
    private var last: Int { chain.sessions.count - 1 }

    init(_ chain: SimulatedChain, command: ChannelID) {
        self.chain = chain
        self.command = command
    }

    /// Sets up the sessions, at random times, and something that waits for each of them.
    init(_ chain: SimulatedChain, _ keepalive: SSHKeepaliveOptions) throws {
        self.chain = chain
        let isAsking = chain.chance(3)
        for hop in chain.servers.indices {
            // Keepalives begin after the questions.
            try chain.addSession(isAsking && hop == chain.servers.count - 1 ? nil : keepalive)
            _ = try chain.run(atMost: .milliseconds(.random(in: 0...1000, using: &chain.random))) { false }
        }
        command = isAsking ? nil : try chain.startCommand()
        for server in chain.servers { server.answersRequests = false }
        for hop in chain.sessions.indices {
            let session = chain.sessions[hop]
            chain.wait("the transport's close", on: hop) { try await session.transport.closeFuture.get() }
            session.assumeIsolated { _ = $0.deadlines.add(after: .hours(1)) {} }
        }
        if let command { wait(for: command) } else { ask() }
    }

    func wait(for command: ChannelID) {
        let session = chain.sessions[last]
        chain.wait("the reader", on: last) { while try await session.read(command, stream: 0) != nil {} }
        chain.wait("the end", on: last) { await session.waitForEnd(of: command) }
        chain.wait("the exit", on: last) { _ = await session.exit(of: command) }
        chain.wait("the request", on: last) { _ = try await session.setEnvironment(command, name: "A", value: "B") }
    }

    /// As keyboard-interactive authentication does.
    private func ask() {
        let session = chain.sessions[last]
        chain.wait("the question", on: last) {
            while true {
                let loan = PendingLoan()
                _ = try await session.lend({ 0 }, to: loan, interrupt: { loan.interrupt() })
                try await session.arrival()
            }
        }
    }

    // MARK: Events

    func play(events: Int) throws {
        for _ in 0..<events { try playOne() }
    }

    private func playOne() throws {
        switch Int.random(in: 0..<20, using: &chain.random) {
        case 0: try chain.servers[last].write("output")
        case 1 where chain.chance(2): try chain.servers[last].exit(0)
        case 2: chain.waiters.randomElement(using: &chain.random).map { if $0.name != "the transport's close" { $0.cancel() } }
        case 3: waitMore()
        default: break
        }
        try chain.step()
    }

    private func waitMore() {
        let hop = Int.random(in: 0...last, using: &chain.random)
        let session = chain.sessions[hop]
        // A lent buffer is not reused.
        guard hop != last || command != nil else { return }
        if chain.chance(5) {
            chain.wait("the opening", on: hop) { _ = try await session.openChannel() }
        } else {
            chain.wait("the arrival", on: hop) { try await session.arrival() }
        }
    }

    // MARK: Trouble

    /// - Returns: nil if the owner closed it.
    func trouble() -> Trouble? {
        let hop = Int.random(in: 0...last, using: &chain.random)
        switch Int.random(in: 0..<5, using: &chain.random) {
        case 0: return nil
        case 1: return .end(hop: hop)
        case 2: return .fault(hop: hop)
        // Without keepalives silence is not noticed.
        default: return hop == last && command == nil ? .end(hop: hop) : .silence(hop: hop)
        }
    }

    @discardableResult
    func cause(_ trouble: Trouble) -> Trouble {
        switch trouble {
        case .silence(let hop): chain.servers[hop].isSilent = true
        case .end(let hop): chain.servers[hop].end()
        case .fault(let hop): chain.sessions[hop].enqueueFailure(Fault(.deadlinePassed(SSHDeadline(kind: .connect, seconds: 1))))
        }
        return trouble
    }

    /// The hop and all hops behind it are lost, with the fault of that hop; those before it are not.
    func expectLoss(of trouble: Trouble) throws {
        let hops = trouble.hop...last
        let waiters = chain.waiters
        func isOver() -> Bool {
            hops.allSatisfy { chain.fault($0) != nil } && waiters.allSatisfy { $0.isDone || $0.hop < trouble.hop }
        }
        let end = chain.loop.now + .milliseconds(8000)
        while !isOver(), chain.loop.now < end { try playOne() }
        for hop in hops {
            let fault = chain.fault(hop)
            #expect(fault?.isOfEarlierHop == (hop > trouble.hop), "\(trouble): hop \(hop) has \(String(describing: fault))")
        }
        for hop in 0..<trouble.hop { #expect(chain.fault(hop) == nil, "\(trouble)") }
        if case .silence(let hop) = trouble { #expect(chain.fault(hop)?.event == .keepaliveUnanswered(count: 2), "\(trouble)") }
        let waiting = waiters.filter { !$0.isDone && $0.hop >= trouble.hop }.map { "\($0.name) on hop \($0.hop)" }
        #expect(waiting == [], "\(trouble)")
    }
}
