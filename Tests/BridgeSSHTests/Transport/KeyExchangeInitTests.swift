import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTransport

@Suite struct KeyExchangeInitTests {
    private let lists = ["kex-a,kex-b", "host-a", "c1,c2", "c3", "m1", "m2", "none", "none,zlib", "", ""]

    private func packet(_ lists: [String], padding: Int = 4) -> [UInt8] {
        var payload = SSHWireWriter()
        payload.byte(20)
        payload.raw([UInt8](repeating: 7, count: 16))
        for list in lists { payload.string(list) }
        payload.boolean(false)
        payload.uint32(0)
        var packet = SSHWireWriter()
        packet.uint32(UInt32(1 + payload.bytes.count + padding))
        packet.byte(UInt8(padding))
        packet.raw(payload.bytes)
        packet.raw([UInt8](repeating: 0, count: padding))
        return packet.bytes
    }

    @Test("reads the lists") func readsTheLists() throws {
        let read = try #require(KeyExchangeInit.parse(packet(lists) + [1, 2, 3]))
        #expect(read.keyExchange == ["kex-a", "kex-b"])
        #expect(read.hostKey == ["host-a"])
        #expect(read.cipherToServer == ["c1", "c2"])
        #expect(read.cipherToClient == ["c3"])
        #expect(read.macToServer == ["m1"])
        #expect(read.macToClient == ["m2"])
        #expect(read.compressionToServer == ["none"])
        #expect(read.compressionToClient == ["none", "zlib"])
    }

    @Test("waits for a whole packet") func waitsForAWholePacket() {
        let whole = packet(lists)
        for count in 0..<whole.count { #expect(KeyExchangeInit.parse(Array(whole.prefix(count))) == nil) }
    }

    @Test("other packets are refused") func refusesWhatIsNone() {
        var other = packet(lists)
        other[5] = 21
        #expect(KeyExchangeInit.parse(other) == nil)
        #expect(KeyExchangeInit.parse([UInt8](repeating: 0xff, count: 4096)) == nil)
        #expect(KeyExchangeInit.parse(packet(["a"])) == nil)
    }

    @Test("any bytes are safe") func survivesAnything() {
        var generator = SeededGenerator(seed: 99)
        let whole = packet(lists)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator) }
            _ = KeyExchangeInit.parse(bytes)
        }
    }
}
