import SSHTestSupport
import SSHTransportTesting

@testable import BridgeSSH
@testable import SSHTransport

/// A session from its first byte to its last, with a server that sends unsolicited packets: in the clear until the keys are
/// exchanged, encrypted afterwards.
///
/// The input is the content of the packets before encryption. Every wait of the session must end when the server stops sending,
/// and the failure's text must be safe for a terminal.
enum FuzzedSession {
    private static let loop = SimulatedLoop()

    @Sendable static func run(_ bytes: [UInt8]) {
        guard let input = SessionInput(bytes) else { return }
        let server = InMemoryServer(mode: input.mode)
        server.uninvited[input.place] = input.packets
        let wire = SimulatedWire(to: server, on: loop)
        guard (try? server.connect()) != nil, let session = try? Session(transport: wire, stageBegan: { _ in }) else {
            preconditionFailure("no session")
        }
        let use = SessionUse(session)
        use.start(on: .of(loop))
        var hasEnded = false
        while !use.isDone {
            loop.run()
            if use.hasStarted {
                try? server.write("output")
                try? server.exit(0)
            }
            if carry(wire, server, input.pieceLength) || use.isDone { continue }
            loop.run()
            guard !use.isDone else { break }
            precondition(!hasEnded, "a wait that never ends")
            hasEnded = true
            wire.end()
        }
        loop.run()
        precondition(loop.timerCount == 0)
    }

    /// - Returns: whether there were bytes to carry.
    private static func carry(_ wire: SimulatedWire, _ server: InMemoryServer, _ pieceLength: Int) -> Bool {
        var hasCarried = true
        // After a hostile packet the server may no longer understand the client.
        do { hasCarried = try wire.carryToServer() } catch { server.end() }
        let hasBrought = (try? wire.carryToClient { min($0, pieceLength) }) ?? false
        return hasCarried || hasBrought
    }
}

/// The operations that the session performs.
///
/// Unchecked, because only the loop's thread uses it.
private final class SessionUse: @unchecked Sendable {
    private let session: Session
    private(set) var hasStarted = false
    private(set) var isDone = false

    init(_ session: Session) { self.session = session }

    func start(on executor: LoopExecutor) {
        Task(executorPreference: executor) {
            do { try await self.perform() } catch { await self.report() }
            await self.session.close()
            await self.session.collectUnread()
            self.isDone = true
        }
    }

    private func perform() async throws {
        await session.attach()
        _ = try await session.handshake(SSHAlgorithmPreferences())
        if try await session.authenticationMethods(user: "user") != nil {
            guard try await session.authenticate(user: "user", password: SSHSecret("password")) == .success else { return }
        }
        await session.authenticated(keepalive: nil)
        let channel = try await session.openChannel()
        try await session.execute(channel, "command") {}
        hasStarted = true
        for stream in [0, 1] { while try await session.read(channel, stream: stream) != nil {} }
        await session.waitForEnd(of: channel)
        _ = await session.exit(of: channel)
        await session.closeChannel(channel)
    }

    private func report() async {
        guard let fault = await session.fault else { return }
        Parsers.check(await session.describing(SSHEvidence(event: fault.event, stage: fault.stage ?? .local)))
    }
}
