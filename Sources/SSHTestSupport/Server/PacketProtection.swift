import Crypto
import CryptoExtras
import Foundation

/// aes128-ctr and hmac-sha2-256 for one direction (RFC 4253 section 6, RFC 4344 section 4, RFC 6668).
struct PacketProtection {
    static let blockLength = 16
    static let macLength = 32

    private let key: SymmetricKey
    private let macKey: SymmetricKey
    private var counter: [UInt8]

    init(key: [UInt8], iv: [UInt8], macKey: [UInt8]) {
        self.key = SymmetricKey(data: key)
        self.macKey = SymmetricKey(data: macKey)
        counter = iv
    }

    /// Encrypts or decrypts whole blocks and goes on behind them.
    mutating func crypt(_ bytes: [UInt8]) throws -> [UInt8] {
        let result = try peek(bytes)
        advance(by: bytes.count / Self.blockLength)
        return result
    }

    /// Decrypts without going on, to look at a packet's length.
    func peek(_ bytes: [UInt8]) throws -> [UInt8] {
        Array(try AES._CTR.encrypt(bytes, using: key, nonce: .init(nonceBytes: counter)))
    }

    func mac(_ packet: [UInt8], sequence: UInt32) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: SSHWire.uint32(sequence) + packet, using: macKey))
    }

    /// The counter is one big-endian number of 128 bits.
    private mutating func advance(by blocks: Int) {
        var carry = blocks
        for index in counter.indices.reversed() where carry > 0 {
            carry += Int(counter[index])
            counter[index] = UInt8(carry & 0xff)
            carry >>= 8
        }
    }
}

/// Takes a byte stream apart into packets.
struct PacketInput {
    struct Broken: Error {}

    var protection: PacketProtection?
    private var sequence: UInt32 = 0
    private var unread: [UInt8] = []
    private static let longest = 1 << 18

    mutating func append(_ bytes: some Sequence<UInt8>) { unread += bytes }

    /// The bytes up to a line feed, without the line end.
    mutating func line() -> [UInt8]? {
        guard let end = unread.firstIndex(of: 10) else { return nil }
        defer { unread.removeSubrange(...end) }
        let line = unread[..<end]
        return Array(line.last == 13 ? line.dropLast() : line)
    }

    /// The next payload, or nil until all of it has come.
    mutating func payload() throws -> [UInt8]? {
        guard unread.count >= PacketProtection.blockLength else { return nil }
        let first = Array(unread.prefix(PacketProtection.blockLength))
        var head = PayloadReader(try protection?.peek(first) ?? first)
        let length = 4 + Int(try head.uint32())
        let macLength = protection == nil ? 0 : PacketProtection.macLength
        guard length <= Self.longest else { throw Broken() }
        guard unread.count >= length + macLength else { return nil }
        let encrypted = Array(unread.prefix(length))
        let packet = try protection?.crypt(encrypted) ?? encrypted
        if let protection, protection.mac(packet, sequence: sequence) != Array(unread[length..<(length + macLength)]) {
            throw Broken()
        }
        unread.removeFirst(length + macLength)
        sequence &+= 1
        guard packet.count > 5 + Int(packet[4]) else { throw Broken() }
        return Array(packet[5..<(packet.count - Int(packet[4]))])
    }
}

/// Makes packets.
struct PacketOutput {
    var protection: PacketProtection?
    private var sequence: UInt32 = 0

    mutating func packet(_ payload: [UInt8], spoilingMAC: Bool = false) throws -> [UInt8] {
        let packet = SSHWire.packet(payload, blockLength: protection == nil ? 8 : PacketProtection.blockLength)
        defer { sequence &+= 1 }
        guard var protection else { return packet }
        var mac = protection.mac(packet, sequence: sequence)
        if spoilingMAC { mac[0] ^= 0xff }
        defer { self.protection = protection }
        return try protection.crypt(packet) + mac
    }
}
