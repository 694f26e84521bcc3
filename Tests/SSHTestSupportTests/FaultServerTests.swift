import Foundation
import NIOCore
import NIOPosix
import SSHTestSupport
import Testing

@Suite struct FaultServerTests {
    @Test("a silent server stays open and reads") func silenceStaysOpenAndReads() async throws {
        try await FaultServer.run(.silent) { server in
            try await RawClient.with(server.port) { client in
                try await client.send("SSH-2.0-Test\r\n")
                try await server.received.wait(for: "SSH-2.0-Test\r\n")
                #expect(client.received.byteCount == 0)
                #expect(client.isOpen)
                #expect(server.connectionCount == 1)
            }
        }
    }

    @Test(
        "a server ends as scripted",
        arguments: [
            ("", FaultScript.finishesAtOnce, RawClient.Ending.finished),
            ("", .closesAtOnce, .finished),
            ("", .resetsAtOnce, .reset),
            ("220 mail\r\n", .says("220 mail\r\n", then: .finishes), .finished),
            ("220 mail\r\n", .says("220 mail\r\n", then: .closes), .finished),
            ("SSH-2.0-FaultServer_1\r\n", .garbageAfterIdentification().onlyIdentification, .finished),
        ])
    func endsAsItsScriptSays(_ text: String, _ script: FaultScript, _ ending: RawClient.Ending) async throws {
        try await FaultServer.run(script) { server in
            let (end, received) = try await RawClient.ending(at: server.port)
            #expect(end == ending)
            #expect(received == text)
        }
    }

    @Test(
        "a server waits for the client before it ends",
        arguments: [
            (FaultScript.identifies(then: .finishes), RawClient.Ending.finished), (.identifies(then: .resets), .reset),
            (.keyExchangeInit(then: .finishes), .finished), (.keyExchangeInit(then: .resets), .reset),
            (.says("hello\n", then: .readsThenFinishes), .finished),
        ])
    func waitsForTheClientBeforeItEnds(_ script: FaultScript, _ ending: RawClient.Ending) async throws {
        try await FaultServer.run(script) { server in
            try await RawClient.with(server.port) { client in
                try await client.received.wait(for: "\n")
                try await client.send("SSH-2.0-Test\r\n")
                try await client.expect(ending)
            }
        }
    }

    @Test("a tarpit never ends") func aTarpitNeverEnds() async throws {
        try await FaultServer.run(.tarpit(every: .milliseconds(1))) { server in
            try await RawClient.with(server.port) { client in
                var place = 0
                for _ in 0..<20 { place = try await client.received.wait(for: "\r\n", after: place) }
                #expect(!client.received.text.contains("SSH-"))
            }
        }
    }

    @Test("an SSH-1 server identifies itself and stays open") func ssh1IdentifiesItselfAndStaysOpen() async throws {
        try await FaultServer.run(.ssh1) { server in
            try await RawClient.with(server.port) { client in
                try await client.received.wait(for: "SSH-1.5-FaultServer_1\r\n")
                #expect(client.isOpen)
            }
        }
    }

    @Test("listens on IPv6") func listensOnIPv6() async throws {
        try await FaultServer.run(.says("six", then: .finishes), host: "::1") { server in
            try await RawClient.with(server.port, host: "::1") { client in try await client.received.wait(for: "six") }
        }
    }

    @Test("the client of OpenSSH reads the disconnect") func theClientOfOpenSSHReadsTheDisconnect() async throws {
        try await FaultServer.run(.disconnects(reason: 11, text: "go away")) { server in
            let result = try await ssh(server.port)
            #expect(result.errorOutput.contains(":11: go away"), "\(result.errorOutput)")
        }
    }

    @Test("the client of OpenSSH reads the algorithms") func theClientOfOpenSSHReadsTheAlgorithms() async throws {
        var lists = KeyExchangeLists()
        lists.cipher = ["only-this-one"]
        try await FaultServer.run(.keyExchangeInit(lists, then: .waits)) { server in
            let result = try await ssh(server.port)
            #expect(result.errorOutput.contains("no matching cipher found. Their offer: only-this-one"), "\(result.errorOutput)")
        }
    }

    /// Checks the socket, not its port, which another program may use since.
    @Test("a server stops listening after the closure") func stopsListeningAfterTheClosure() async throws {
        let socket = try await FaultServer.run(.silent) { server in
            try OwnSocket.all().first { $0.port == server.port && $0.listens }?.inode
        }
        #expect(socket != nil)
        #expect(try !OwnSocket.all().contains { $0.inode == socket })
    }

    @Test("a full listener does not answer") func aFullListenerDoesNotAnswer() async throws {
        try await FullListener.run { listener in
            await #expect(throws: (any Error).self) {
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connectTimeout(.milliseconds(500)).connect(host: "127.0.0.1", port: listener.port).get()
                try await channel.close()
            }
        }
    }

    private func ssh(_ port: Int) async throws -> ProcessResult {
        try await ProcessRun.run("ssh", ["-F", "none", "-o", "BatchMode=yes", "-p", "\(port)", "x@127.0.0.1", "true"])
    }
}

extension FaultScript {
    /// The bytes that are text.
    fileprivate var onlyIdentification: FaultScript {
        FaultScript(
            steps.map { step in
                guard case .send(let bytes) = step else { return step }
                return .send(bytes.filter { $0 != 0xFF })
            })
    }
}
