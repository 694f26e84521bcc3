import SSHTestSupport
import Testing

@Suite struct FaultProxyTests {
    private static let text = String((0..<1000).map { Character(UnicodeScalar(UInt8(97 + $0 % 26))) })

    @Test("the proxy passes and counts everything") func passesEverythingAndCounts() async throws {
        try await FaultServer.run(FaultScript([.awaitLine, .send(Array(Self.text.utf8)), .awaitEnd, .finish])) { server in
            try await FaultProxy.run(to: server.port) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.send("hello\n")
                    try await client.received.wait(for: Self.text)
                    try await client.send("bye")
                    try await client.finish()
                    try await client.expect(.finished)
                    #expect(server.received.text == "hello\nbye")
                    let seen = proxy.statistics
                    #expect(seen.connections == 1)
                    #expect(seen.bytesFromClient == 9)
                    #expect(seen.bytesFromServer == 1000)
                    #expect(seen.turns == 3)
                }
            }
        }
    }

    @Test(
        "cuts at the byte", arguments: [(FaultProxy.Action.finish, RawClient.Ending.finished), (.reset, .reset)],
        [0, 1, 999, 1000])
    func cutsAtTheByte(_ expected: (FaultProxy.Action, RawClient.Ending), _ count: Int) async throws {
        // The server waits for an answer, so that a reset cannot overtake earlier bytes.
        let script = FaultScript([.awaitLine, .send(Array(Self.text.utf8))])
        try await FaultServer.run(script) { server in
            try await FaultProxy.run(to: server.port, fault: .init(expected.0, afterServerBytes: count)) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.send("go\n")
                    try await client.expect(expected.1)
                    // A reset may discard bytes that the client has not read yet (RFC 9293 section 3.10.7.4).
                    if expected.1 == .finished { #expect(client.received.text == String(Self.text.prefix(count))) }
                    #expect(client.received.byteCount <= count)
                }
            }
        }
    }

    @Test("corrupts four bytes at the byte") func corruptsFourBytesAtTheByte() async throws {
        try await FaultServer.run(.says(Self.text, then: .finishes)) { server in
            try await FaultProxy.run(to: server.port, fault: .init(.corrupt, afterServerBytes: 10)) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.expect(.finished)
                    let pairs = zip(client.received.bytes, Self.text.utf8)
                    #expect(client.received.byteCount == 1000)
                    #expect(pairs.enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset) == [10, 11, 12, 13])
                }
            }
        }
    }

    @Test("alters one of the client's bytes", arguments: [0, 1, 500, 999]) func altersOneByteOfTheClients(_ place: Int)
        async throws
    {
        let script = FaultScript([.awaitLine, .send(Array("got it".utf8)), .awaitEnd, .finish])
        try await FaultServer.run(script) { server in
            try await FaultProxy.run(to: server.port, fault: .init(.flip(0x80), after: place, from: .client)) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.send(Self.text + "\n")
                    try await client.received.wait(for: "got it")
                    let pairs = zip(server.received.bytes, Self.text.utf8).enumerated()
                    #expect(server.received.byteCount == 1001)
                    #expect(pairs.filter { $0.element.0 != $0.element.1 }.map(\.offset) == [place])
                    #expect(server.received.bytes[place] == Array(Self.text.utf8)[place] ^ 0x80)
                }
            }
        }
    }

    @Test("cuts at a client's byte and keeps a record", arguments: [1, 500, 1000]) func cutsAtTheClientsByteAndKeepsARecord(
        _ count: Int
    ) async throws {
        try await FaultServer.run(.says("hello", then: .waits)) { server in
            let record = WireRecord()
            let fault = FaultProxy.Fault(.finish, after: count, from: .client)
            try await FaultProxy.run(to: server.port, fault: fault, from: "127.0.7.7", record: record) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.received.wait(for: "hello")
                    try await client.send(Self.text)
                    try await client.expect(.finished)
                    try await server.received.wait(for: String(Self.text.prefix(count)))
                }
                await proxy.connectionsClosed()
                #expect(server.received.byteCount == count)
                #expect(record.bytes(from: .server) == Array("hello".utf8))
                #expect(record.bytes(from: .client).starts(with: Self.text.utf8.prefix(count)))
            }
        }
    }

    @Test("the fault mute drops the server's data and still reads the client's") func muteDropsServerDataAndStillReadsTheClient()
        async throws
    {
        try await FaultServer.run(.says(Self.text, then: .finishes)) { server in
            try await FaultProxy.run(to: server.port, fault: .init(.mute, afterServerBytes: 100)) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.received.wait(for: String(Self.text.prefix(100)))
                    try await client.send("taken")
                    while proxy.statistics.bytesFromClient < 5 { try await Task.sleep(for: .milliseconds(1)) }
                    #expect(client.received.byteCount == 100)
                    #expect(client.isOpen)
                }
                await proxy.connectionsClosed()
                #expect(server.received.byteCount == 0)
            }
        }
    }

    @Test("a proxy stalls at the byte and stays open") func stallsAtTheByteAndStaysOpen() async throws {
        try await FaultServer.run(.says(Self.text, then: .finishes)) { server in
            try await FaultProxy.run(to: server.port, fault: .init(.stall, afterServerBytes: 100)) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.received.wait(for: String(Self.text.prefix(100)))
                    try await client.send("this is not delivered")
                    try await Task.sleep(for: .milliseconds(100))
                    #expect(client.received.byteCount == 100)
                    #expect(client.isOpen)
                    #expect(server.received.byteCount == 0)
                }
            }
        }
    }

    @Test("cuts when triggered", arguments: [(FaultProxy.Action.finish, RawClient.Ending.finished), (.reset, .reset)])
    func cutsWhenTriggered(_ action: FaultProxy.Action, _ ending: RawClient.Ending) async throws {
        try await FaultServer.run(.says("ready", then: .waits)) { server in
            try await FaultProxy.run(to: server.port) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.received.wait(for: "ready")
                    await proxy.trigger(action)
                    try await client.expect(ending)
                }
            }
        }
    }

    @Test("corrupts when triggered") func corruptsWhenTriggered() async throws {
        try await FaultServer.run(FaultScript([.send(Array("one".utf8)), .awaitLine, .send(Array("two more".utf8)), .finish])) {
            server in
            try await FaultProxy.run(to: server.port) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.received.wait(for: "one")
                    await proxy.trigger(.corrupt)
                    try await client.send("\n")
                    try await client.expect(.finished)
                    #expect(client.received.text.hasPrefix("one") && client.received.text.hasSuffix("more"))
                    #expect(!client.received.text.contains("two"))
                }
            }
        }
    }

    @Test("delays each way without losing order") func delaysEachWayWithoutLosingOrder() async throws {
        let clock = ContinuousClock()
        try await FaultServer.run(FaultScript([.awaitLine, .send(Array(Self.text.utf8)), .finish])) { server in
            try await FaultProxy.run(to: server.port, delay: .milliseconds(60)) { proxy in
                try await RawClient.with(proxy.port) { client in
                    let start = clock.now
                    for character in ["a", "b", "c", "\n"] { try await client.send(character) }
                    try await client.expect(.finished)
                    // Time can prove only that it was not faster.
                    #expect(clock.now - start >= .milliseconds(120))
                    #expect(client.received.text == Self.text)
                    #expect(server.received.text == "abc\n")
                }
            }
        }
    }

    @Test("a delayed stream loses nothing") func aDelayLosesNothing() async throws {
        let bytes = [UInt8](repeating: 7, count: 16 << 20)
        try await FaultServer.run(.says(bytes, then: .finishes)) { server in
            try await FaultProxy.run(to: server.port, delay: .milliseconds(50)) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.expect(.finished)
                    #expect(client.received.byteCount == bytes.count)
                }
            }
        }
    }

    @Test("a stalled reader blocks the server") func aStalledReaderBlocksTheServer() async throws {
        let bytes = [UInt8](repeating: 7, count: 32 << 20)
        try await FaultServer.run(FaultScript([.send([1]), .awaitLine, .send(bytes), .finish])) { server in
            try await FaultProxy.run(to: server.port) { proxy in
                try await RawClient.with(proxy.port) { client in
                    try await client.received.wait(for: "\u{1}")
                    await proxy.stopReading(from: .server)
                    try await client.send("\n")
                    try await Task.sleep(for: .milliseconds(100))
                    #expect(proxy.statistics.bytesFromServer == 1)
                    await proxy.resumeReading(from: .server)
                    try await client.expect(.finished)
                    #expect(proxy.statistics.bytesFromServer == bytes.count + 1)
                }
            }
        }
    }

    @Test("a refused connection resets the client") func aRefusedConnectionResetsTheClient() async throws {
        // Use a separate address: on 127.0.0.1 another test may have taken the port meanwhile.
        let host = "127.0.0.94"
        let port = try await FaultServer.run(.silent, host: host) { $0.port }
        try await FaultProxy.run(to: port, host: host) { proxy in
            let (end, _) = try await RawClient.ending(at: proxy.port)
            #expect(end == .reset)
        }
    }
}
