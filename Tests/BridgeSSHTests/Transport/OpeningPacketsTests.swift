import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTransport

/// The packets before the first encrypted one.
@Suite struct OpeningPacketsTests {
    private static func packet(_ payload: [UInt8], padding: Int = 4) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.uint32(UInt32(1 + payload.count + padding))
        writer.byte(UInt8(padding))
        writer.raw(payload + [UInt8](repeating: 0, count: padding))
        return writer.bytes
    }

    private static let lists = lists(of: "kex")

    private static func lists(of methods: String) -> [UInt8] {
        var payload = SSHWireWriter()
        payload.byte(20)
        payload.raw([UInt8](repeating: 7, count: 16))
        for list in [methods, "host", "c1", "c2", "m1", "m2", "none", "none", "", ""] { payload.string(list) }
        payload.boolean(false)
        payload.uint32(0)
        return payload.bytes
    }

    private static let ignore: [UInt8] = [2, 0, 0, 0, 1, 65]

    /// Whole, and in pieces of any size.
    private func take(_ bytes: [UInt8]) -> (packets: OpeningPackets, violation: SSHProtocolViolation?) {
        var results: [(OpeningPackets, SSHProtocolViolation?)] = []
        for size in [1, 2, 5, 6, 7, 100, bytes.count] {
            var packets = OpeningPackets(refusesClientSigns: true)
            var violation: SSHProtocolViolation?
            var rest = bytes[...]
            while !rest.isEmpty, violation == nil {
                violation = packets.take(rest.prefix(max(1, size)))
                rest = rest.dropFirst(max(1, size))
            }
            results.append((packets, violation))
        }
        for result in results {
            #expect(result.1 == results[0].1)
            #expect(result.0.hasEnded == results[0].0.hasEnded && result.0.algorithms == results[0].0.algorithms)
        }
        return results[0]
    }

    @Test("packets before the lists are skipped") func readsPastWhatComesBeforeTheLists() {
        let (packets, violation) = take(
            Self.packet(Self.ignore) + Self.packet([4, 1] + [UInt8](repeating: 0, count: 8)) + Self.packet(Self.lists))
        #expect(violation == nil)
        #expect(packets.algorithms?.keyExchange == ["kex"])
        #expect(packets.hasLists && !packets.isAnswered && !packets.hasEnded)
    }

    @Test("observation ends with NEWKEYS", arguments: [4, 12, 26, 255]) func endsWithNewKeys(_ padding: Int) {
        let (packets, violation) = take(
            Self.packet(Self.lists) + Self.packet([31, 1, 2, 3]) + Self.packet([21], padding: padding)
                + [UInt8](repeating: 0xff, count: 100))
        #expect(violation == nil)
        #expect(packets.hasEnded && packets.isAnswered)
    }

    /// RFC 4253 section 7.1: until NEWKEYS only messages of the transport and of the method.
    @Test("no other message may come in between") func nothingElseMayComeInBetween() {
        for message in UInt8.min ... .max {
            let before = take(Self.packet([message, 0])).violation
            let after = take(Self.packet(Self.lists) + Self.packet([message, 0])).violation
            let late = take(Self.packet(Self.lists) + Self.packet([31]) + Self.packet([message, 0])).violation
            switch message {
            case 1: #expect(before == .malformedPacket && after == before && late == before)
            case 2...4: #expect(before == nil && after == nil && late == nil)
            case 20: #expect(before == nil && after == .unexpectedMessage(20) && late == .unexpectedMessage(20))
            case 21: #expect(before == .unexpectedMessage(21) && after == .unexpectedMessage(21) && late == nil)
            case 30...49: #expect(before == .unexpectedMessage(message) && after == nil && late == nil)
            default:
                #expect(before == .unexpectedMessage(message) && after == before && late == before, "message \(message)")
            }
        }
    }

    /// RFC 8308 section 2.1.
    @Test(
        "only a client may send a client's extension names",
        arguments: [
            ("ext-info-c", true), ("a,ext-info-c", true), ("kex-strict-c-v00@openssh.com,a", true), (",,ext-info-c,", true),
            ("ext-info-s,a", false), ("a,kex-strict-s-v00@openssh.com", false), ("ext-info-cc,xext-info-c", false), ("", false),
        ])
    func onlyAClientGivesItsSigns(_ methods: String, _ isForeign: Bool) {
        let packet = Self.packet(Self.lists(of: methods))
        #expect(take(packet).violation == (isForeign ? .clientOnlyMethod : nil))
        // libssh2 before 1.11 knows none of these names, and ignores them like any other.
        var packets = OpeningPackets(refusesClientSigns: false)
        #expect(packets.take(packet) == nil)
    }

    /// RFC 4253 section 11.1: a DISCONNECT has a reason code of four bytes.
    @Test("a disconnect needs its reason", arguments: 0...12) func aDisconnectNeedsItsReason(_ size: Int) {
        let disconnect = Self.packet([1] + [UInt8](repeating: 0, count: size))
        let expected: SSHProtocolViolation? = size < 4 ? .malformedPacket : nil
        #expect(take(disconnect).violation == expected)
        #expect(take(Self.packet(Self.lists) + disconnect).violation == expected)
    }

    @Test("an impossible length", arguments: [0, 1, 2, 3, 40_001, 0x7fff_ffff, 0xffff_ffff] as [UInt32], [0, 1, 255] as [UInt8])
    func aLengthThatCannotBe(_ length: UInt32, _ padding: UInt8) {
        guard !(length >= UInt32(padding) + 2 && length <= 40_000) else { return }
        var writer = SSHWireWriter()
        writer.uint32(length)
        writer.byte(padding)
        writer.byte(2)
        #expect(take(writer.bytes + [0, 0, 0]).violation == .malformedPacket)
    }

    @Test("any bytes are safe") func survivesAnything() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<3000 {
            var bytes = Self.packet(Self.ignore) + Self.packet(Self.lists) + Self.packet([31]) + Self.packet([21])
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            var packets = OpeningPackets()
            _ = packets.take(bytes)
        }
    }
}
