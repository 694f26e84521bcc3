import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A real server behind a faulty wire.
@Suite("Matrix: the wire") struct WireMatrix {
    /// A place in the server's stream, by the number of bytes before it.
    enum Place: Sendable {
        case halfIdentification, identification, halfKeyExchangeInit, authentication

        /// The identification line is known only from the server itself.
        func bytes(_ box: SSHDSandbox) async throws -> Int {
            switch self {
            case .halfIdentification: 10
            case .identification: try await box.identificationLength()
            case .halfKeyExchangeInit: 600
            // libssh2 1.11 asks for SSH_MSG_EXT_INFO, and sshd sends some 300 bytes of it.
            case .authentication: InstalledLibrary.is111 ? 1840 : 1700
            }
        }
    }

    static let cuts: [(FaultProxy.Action, Place, SSHError.Code)] = [
        (.finish, .halfIdentification, .bannerClosed), (.reset, .halfIdentification, .bannerClosed),
        (.stall, .halfIdentification, .bannerTimedOut),
        // A reset discards bytes that the client has not read: its place is certain only before the first line.
        (.finish, .identification, .kexClosedEarly),
        (.stall, .identification, .kexTimedOut),
        (.finish, .halfKeyExchangeInit, .kexClosed),
        (.stall, .halfKeyExchangeInit, .kexTimedOut),
        (.finish, .authentication, .authConnectionDropped),
        (.stall, .authentication, .authTimedOut),
        (.corrupt, .halfKeyExchangeInit, .kexHostKeySignatureInvalid), (.corrupt, .authentication, .sessionProtocolError),
    ]

    @Test("a connection cut, reset or stalled before a command", arguments: cuts)
    func cut(_ action: FaultProxy.Action, _ place: Place, _ code: SSHError.Code) async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await FaultProxy.run(to: box.port, fault: .init(action, afterServerBytes: place.bytes(box))) { proxy in
                var testRun = try await box.testRun(through: proxy.port)
                if case .stall = action { testRun.connectTimeout = 2 }
                try await testRun.check(.failure(code))
            }
        }
    }

    @Test("a connection cut or reset while the client signs", arguments: [FaultProxy.Action.finish, .reset])
    func whileSigning(_ action: FaultProxy.Action) async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await FaultProxy.run(to: box.port) { proxy in
                let replies: @Sendable (FakeAgent.Request) -> FakeAgent.Reply = { request in
                    if request.asksForIdentities { return .identities([box.clientKey]) }
                    Task { await proxy.trigger(action) }
                    return .nothing
                }
                try await FakeAgent.run(replies: replies) { agent in
                    var testRun = try await box.testRun(through: proxy.port)
                    testRun.use(agent: agent.socket)
                    // After two seconds, as on a busy machine, the server's time limit for logins is the likely reason.
                    let codes: [SSHError.Code] = [.authConnectionDropped, .authTimedOut]
                    let error = try await testRun.byLibrary().error
                    #expect(codes.contains { $0 == error?.code }, "\(error.map { "\($0)" } ?? "no error")")
                    let result = try await testRun.byExecutable()
                    #expect(codes.contains { result.errorOutput.contains("(\($0.rawValue))") }, "\(result.errorOutput)")
                }
            }
        }
    }

    /// Runs a command that reports its start, then disturbs the wire, and checks the outcome.
    private func during(
        _ expected: Expected, server configuration: String = "",
        _ command: String = "echo running; sleep 300", keepalive: Double? = nil,
        act: @escaping @Sendable (SSHDSandbox, FaultProxy) async throws -> Void
    ) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(SSHDSandbox.Options(configuration)) { box in
                try await FaultProxy.run(to: box.port) { proxy in
                    var testRun = try await box.testRun(.alice, command, through: proxy.port)
                    testRun.keepalive = keepalive
                    try await testRun.check(expected, during: { try await act(box, proxy) })
                }
            }
        }
    }

    @Test("the connection ends, is reset or corrupted while a command runs")
    func session() async throws {
        try await during(.unknown(.sessionConnectionLost, output: "running\n")) { await $1.trigger(.finish) }
        try await during(.unknown(.sessionConnectionLost, output: "running\n")) { await $1.trigger(.reset) }
        try await during(.unknown(.sessionProtocolError), "echo running; while :; do echo x; sleep 0.1; done") {
            await $1.trigger(.corrupt)
        }
    }

    static let stopped = Expected.unknown(.sessionKeepaliveTimedOut, output: "running\n")

    @Test("a stalled wire, and a stopped server, are noticed by keepalives")
    func keepalive() async throws {
        try await during(Self.stopped, keepalive: 0.5) { await $1.trigger(.stall) }
        try await during(Self.stopped, keepalive: 0.5) { box, _ in
            for server in box.connectionServers { server.send(signal: 19) }
        }
    }

    @Test("the server's process is killed while a command runs") func serverKilled() async throws {
        try await during(.unknown(.sessionConnectionLost, output: "running\n")) { box, _ in
            for server in box.connectionServers { server.send(signal: 9) }
        }
    }

    @Test("the server gives up a client that does not answer") func clientAlive() async throws {
        try await during(
            .unknown(.sessionConnectionLost, output: "running\n"), server: "ClientAliveInterval 1\nClientAliveCountMax 1"
        ) { box, proxy in
            // The server's questions arrive, the client's answers do not.
            await proxy.stopReading(from: .client)
        }
    }

    @Test("a status, and then the connection's end before the output's end") func statusThenLost() async throws {
        let box = try await SharedSandbox.plain.box()
        try await FaultProxy.run(to: box.port) { proxy in
            // A sleeping process holds the output open; on a terminal, a note says so once the status has come.
            let testRun = try await box.testRun(.alice, "sleep 300 & exit 3", through: proxy.port)
            let result = try await testRun.onTerminal(["--json"]) { terminal in
                try await terminal.standardOutput.wait(for: "keeps its output open")
                await proxy.trigger(.finish)
            }
            #expect(result.termination == .exited(198))
            let last = try #require(result.output.split(separator: "\r\n").last)
            let object = try JSON(parsing: Data(last.utf8))
            #expect(object["exitStatus"] == .integer(3))
            #expect(object["error"]?["code"] == .string("ssh.session.connection-lost"))
            #expect(object["error"]?["commandMayHaveRun"] == .string("yes"))
        }
    }
}

extension SSHDSandbox {
    /// The length of the server's identification line with its end.
    func identificationLength() async throws -> Int {
        var length = 0
        try await RawConnection.run(to: port) { connection in length = try await connection.received.wait(for: "\r\n") }
        return length
    }
}
