import BridgeSSH
import NIOCore
import SSHTestSupport
import Testing

@testable import SSHTransport

/// The length of an RSA signature in the answer of the first key exchange.
@Suite struct HostKeyReplyTests {
    private static func string(_ parts: [UInt8]...) -> [UInt8] {
        var writer = SSHWireWriter()
        for part in parts { writer.string(part) }
        return writer.bytes
    }

    private static func packet(_ payload: [UInt8], padding: Int = 9) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.uint32(UInt32(1 + payload.count + padding))
        writer.byte(UInt8(padding))
        writer.raw(payload + [UInt8](repeating: 7, count: padding))
        return writer.bytes
    }

    private static let modulus = [0, 0xc1] + [UInt8](repeating: 0x11, count: 255)
    private static let key = string(Array("ssh-rsa".utf8), [1, 0, 1], modulus)

    private static func reply(_ number: UInt8 = 31, key: [UInt8] = key, signature: [UInt8], _ algorithm: String = "rsa-sha2-256")
        -> [UInt8]
    {
        [number] + string(key, [UInt8](repeating: 3, count: 32), string(Array(algorithm.utf8), signature))
    }

    /// Passed on in pieces of every size.
    private func shown(_ bytes: [UInt8]) -> [UInt8] {
        var results: Set<[UInt8]> = []
        for size in [1, 3, 6, 7, 100, 600, bytes.count] {
            var reply = HostKeyReply()
            var shown: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                shown += reply.take(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)])).readableBytesView
            }
            results.insert(shown)
        }
        #expect(results.count == 1)
        return results.first ?? []
    }

    private static let lists = packet([20] + [UInt8](repeating: 5, count: 300))
    private static let ignore = packet([2, 0, 0, 0, 1, 65])
    private static let newKeys = packet([21])

    @Test("missing leading zeros are restored", arguments: [31, 33] as [UInt8], [255, 254, 200, 1])
    func padded(_ number: UInt8, _ count: Int) throws {
        let signature = [UInt8](repeating: 0x42, count: count)
        let before = Self.lists + Self.ignore
        let result = shown(before + Self.packet(Self.reply(number, signature: signature)) + Self.newKeys)
        #expect(result.starts(with: before) && result.suffix(Self.newKeys.count) == Self.newKeys[...])
        let packet = Array(result.dropFirst(before.count).dropLast(Self.newKeys.count))
        let padding = Int(packet[4])
        #expect(packet.count % 8 == 0 && (4...11).contains(padding) && KeyExchangeInit.length(packet) == packet.count)
        let whole = [UInt8](repeating: 0, count: 256 - count) + signature
        #expect(Array(packet[5..<(packet.count - padding)]) == Self.reply(number, signature: whole))
    }

    static let others: [[UInt8]] = [
        reply(signature: [UInt8](repeating: 0x42, count: 256)), reply(signature: [UInt8](repeating: 0x42, count: 257)),
        reply(signature: []),
        reply(key: string(Array("ssh-ed25519".utf8), [UInt8](repeating: 1, count: 32)), signature: [1, 2, 3], "ssh-ed25519"),
        reply(key: [1, 2, 3], signature: [1, 2, 3]),
        reply(key: string(Array("ssh-rsa".utf8), [3], [1] + [UInt8](repeating: 0, count: 4000)), signature: [1, 2, 3]),
        // The group message of a group exchange, and bytes that are not a message.
        [31] + string(modulus, [2]), [31], [33], [33, 0, 0, 0, 9], [31, 255, 255, 255, 255, 0],
        reply(signature: [1, 2, 3]) + [0],
    ]

    @Test("everything else is passed on unchanged", arguments: others) func unchanged(_ payload: [UInt8]) {
        let bytes = Self.lists + Self.packet(payload) + Self.newKeys
        #expect(shown(bytes) == bytes)
    }

    @Test("missing zeros are also restored in the answer after a group message") func groupExchange() {
        let group = Self.packet([31] + Self.string(Self.modulus, [2]))
        let result = shown(Self.lists + group + Self.packet(Self.reply(33, signature: [0x42])) + Self.newKeys)
        #expect(result.count > (Self.lists + group + Self.newKeys).count + 256)
    }

    @Test("bytes after the answer are ignored") func processEnded() {
        let short = Self.packet(Self.reply(signature: [0x42]))
        let whole = Self.packet(Self.reply(signature: [UInt8](repeating: 0x42, count: 256)))
        #expect(shown(whole + short) == whole + short)
    }
}
