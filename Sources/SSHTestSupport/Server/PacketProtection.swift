import Crypto
import CryptoExtras
import Foundation

/// Encrypts or decrypts the packets of one direction.
struct PacketProtection {
    struct Corrupt: Error {}

    let mode: PacketMode
    private let key: SymmetricKey
    /// The key of the length field with chacha20-poly1305.
    private let lengthKey: SymmetricKey
    private let macKey: SymmetricKey
    private var iv: [UInt8]

    /// - Parameters:
    ///   - key: at least as many bytes as the mode's key has.
    ///   - iv: at least 16 bytes.
    ///   - macKey: at least as many bytes as the mode's MAC has.
    init(_ mode: PacketMode, key: [UInt8], iv: [UInt8], macKey: [UInt8]) {
        self.mode = mode
        let isSplit = mode.cipher == .chaCha20Poly1305
        self.key = SymmetricKey(data: key.prefix(isSplit ? 32 : mode.keyLength))
        lengthKey = SymmetricKey(data: isSplit ? key[32..<64] : [])
        self.macKey = SymmetricKey(data: macKey.prefix(mode.tagLength))
        self.iv = Array(iv.prefix(mode.cipher == .aesGCM ? 12 : 16))
    }

    /// How many bytes of a packet must have come before its length can be read.
    var headLength: Int { mode.hasSeparateLength ? 4 : mode.blockLength }

    /// Protects a packet. Its length field and what follows it may contradict each other.
    mutating func seal(_ length: [UInt8], _ body: [UInt8], sequence: UInt32) throws -> [UInt8] {
        switch mode.cipher {
        case .aesCTR where mode.hasSeparateLength:
            let packet = length + (try counted(body))
            return packet + mac(packet, sequence)
        case .aesCTR:
            let packet = length + body
            return try counted(packet) + mac(packet, sequence)
        case .aesGCM:
            let box = try AES.GCM.seal(body, using: key, nonce: AES.GCM.Nonce(data: iv), authenticating: length)
            advanceGCM()
            return length + box.ciphertext + box.tag
        case .chaCha20Poly1305:
            let packet = try chaCha(length, lengthKey, 0, sequence) + chaCha(body, key, 1, sequence)
            return packet + (try polyTag(packet, sequence))
        }
    }

    /// The length field at the head of a packet, read without going on.
    func length(_ head: [UInt8], sequence: UInt32) throws -> UInt32 {
        let clear =
            switch mode.cipher {
            case .aesCTR where !mode.hasSeparateLength: try aes(head)
            case .aesCTR, .aesGCM: head
            case .chaCha20Poly1305: try chaCha(Array(head.prefix(4)), lengthKey, 0, sequence)
            }
        var reader = PayloadReader(clear)
        return try reader.uint32()
    }

    /// Everything behind the length field of a packet that came with its tag.
    mutating func open(_ packet: [UInt8], sequence: UInt32) throws -> [UInt8] {
        let sealed = Array(packet.dropLast(mode.tagLength))
        let tag = Array(packet.suffix(mode.tagLength))
        switch mode.cipher {
        case .aesCTR where mode.hasSeparateLength:
            guard mac(sealed, sequence) == tag else { throw Corrupt() }
            return try counted(Array(sealed.dropFirst(4)))
        case .aesCTR:
            let clear = try counted(sealed)
            guard mac(clear, sequence) == tag else { throw Corrupt() }
            return Array(clear.dropFirst(4))
        case .aesGCM:
            let nonce = try AES.GCM.Nonce(data: iv)
            let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropFirst(4), tag: tag)
            advanceGCM()
            return Array(try AES.GCM.open(box, using: key, authenticating: sealed.prefix(4)))
        case .chaCha20Poly1305:
            guard try polyTag(sealed, sequence) == tag else { throw Corrupt() }
            return try chaCha(Array(sealed.dropFirst(4)), key, 1, sequence)
        }
    }

    private func mac(_ packet: [UInt8], _ sequence: UInt32) -> [UInt8] {
        let bytes = SSHWire.uint32(sequence) + packet
        return mode.tagLength == 64
            ? Array(HMAC<SHA512>.authenticationCode(for: bytes, using: macKey))
            : Array(HMAC<SHA256>.authenticationCode(for: bytes, using: macKey))
    }

    private func aes(_ bytes: [UInt8]) throws -> [UInt8] {
        Array(try AES._CTR.encrypt(bytes, using: key, nonce: .init(nonceBytes: iv)))
    }

    /// Encrypts or decrypts by AES and goes on behind the blocks.
    private mutating func counted(_ bytes: [UInt8]) throws -> [UInt8] {
        let result = try aes(bytes)
        // The counter is one big-endian number of 128 bits. A part of a block takes a whole one.
        var carry = (bytes.count + mode.blockLength - 1) / mode.blockLength
        for index in iv.indices.reversed() where carry > 0 {
            carry += Int(iv[index])
            iv[index] = UInt8(carry & 0xff)
            carry >>= 8
        }
        return result
    }

    /// RFC 5647 section 7.1: the last eight bytes of the nonce count the packets.
    private mutating func advanceGCM() {
        for index in (4..<12).reversed() {
            iv[index] &+= 1
            if iv[index] != 0 { return }
        }
    }

    private func chaCha(_ bytes: [UInt8], _ key: SymmetricKey, _ counter: UInt32, _ sequence: UInt32) throws -> [UInt8] {
        // OpenSSH's nonce is a packet's number of 64 bits, its counter one of 64 too, whose upper half is always 0.
        let nonce = [UInt8](repeating: 0, count: 8) + SSHWire.uint32(sequence)
        return Array(
            try Insecure.ChaCha20CTR.encrypt(bytes, using: key, counter: .init(offset: counter), nonce: .init(data: nonce)))
    }

    private func polyTag(_ packet: [UInt8], _ sequence: UInt32) throws -> [UInt8] {
        Poly1305.tag(packet, key: try chaCha([UInt8](repeating: 0, count: 32), key, 0, sequence))
    }
}
