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
    ///   - key: at least the mode's key length.
    ///   - iv: at least 16 bytes.
    ///   - macKey: at least the length of the mode's MAC.
    init(_ mode: PacketMode, key: [UInt8], iv: [UInt8], macKey: [UInt8]) {
        self.mode = mode
        let isSplit = mode.cipher == .chaCha20Poly1305
        self.key = SymmetricKey(data: key.prefix(isSplit ? 32 : mode.keyLength))
        lengthKey = SymmetricKey(data: isSplit ? key[32..<64] : [])
        self.macKey = SymmetricKey(data: macKey.prefix(mode.tagLength))
        self.iv = Array(iv.prefix(mode.cipher == .aesGCM ? 12 : 16))
    }

    /// The number of bytes of a packet that are needed to read its length.
    var headLength: Int { mode.hasSeparateLength ? 4 : mode.blockLength }

    /// Protects a packet. Its length field need not match its body.
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

    /// Reads the length field of a packet, without changing the state of the cipher.
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

    /// Decrypts a packet with its tag, and returns everything after the length field.
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

    /// Encrypts or decrypts by AES, and advances the counter.
    private mutating func counted(_ bytes: [UInt8]) throws -> [UInt8] {
        let result = try aes(bytes)
        // The counter is one big-endian number of 128 bits. A partial block counts as a whole one.
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
        // OpenSSH's nonce is the packet's number with 64 bits. Its counter has 64 bits too, and the upper half is always 0.
        let nonce = [UInt8](repeating: 0, count: 8) + SSHWire.uint32(sequence)
        return Array(
            try Insecure.ChaCha20CTR.encrypt(bytes, using: key, counter: .init(offset: counter), nonce: .init(data: nonce)))
    }

    private func polyTag(_ packet: [UInt8], _ sequence: UInt32) throws -> [UInt8] {
        Poly1305.tag(packet, key: try chaCha([UInt8](repeating: 0, count: 32), key, 0, sequence))
    }
}

/// The one-time authenticator of RFC 8439 section 2.5. swift-crypto has it only together with its cipher.
enum Poly1305 {
    /// - Parameter key: 32 bytes, used for nothing else.
    static func tag(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        // A number has five digits of 26 bits, so that sums of products fit in 64 bits.
        let clamp: [UInt8] = [255, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15]
        let multiplier = digits(zip(key, clamp).map { $0 & $1 })
        var sum = [UInt64](repeating: 0, count: 5)
        for start in stride(from: 0, to: message.count, by: 16) {
            let block = digits(Array(message[start..<min(start + 16, message.count)]) + [1])
            for index in 0..<5 { sum[index] += block[index] }
            sum = product(sum, multiplier)
        }
        return bytes(reduced(sum), plus: Array(key[16..<32]))
    }

    /// The digits of up to 17 bytes, the least significant first.
    private static func digits(_ bytes: [UInt8]) -> [UInt64] {
        var digits = [UInt64](repeating: 0, count: 5)
        for (index, byte) in bytes.enumerated() {
            let bit = index * 8
            digits[bit / 26] |= UInt64(byte) << UInt64(bit % 26) & 0x3ff_ffff
            if bit % 26 > 18, bit / 26 < 4 { digits[bit / 26 + 1] |= UInt64(byte) >> UInt64(26 - bit % 26) }
        }
        return digits
    }

    private static func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: 5)
        for i in 0..<5 {
            for j in 0..<5 {
                // The part above 2^130 counts five times, because the modulus is 2^130 - 5.
                result[(i + j) % 5] += left[i] * right[j] * (i + j < 5 ? 1 : 5)
            }
        }
        return carried(carried(result))
    }

    private static func carried(_ digits: [UInt64]) -> [UInt64] {
        var digits = digits
        for index in 0..<5 {
            let carry = digits[index] >> 26
            digits[index] &= 0x3ff_ffff
            if index < 4 { digits[index + 1] += carry } else { digits[0] += carry * 5 }
        }
        return digits
    }

    /// The same number below 2^130 - 5.
    private static func reduced(_ digits: [UInt64]) -> [UInt64] {
        let digits = carried(carried(digits))
        var excess = digits
        excess[0] += 5
        excess =
            zip(0..<5, excess).reduce(into: (digits: [UInt64](), carry: UInt64(0))) { state, next in
                let value = next.1 + state.carry
                state.carry = value >> 26
                state.digits.append(next.0 < 4 ? value & 0x3ff_ffff : value)
            }.digits
        guard excess[4] >> 26 != 0 else { return digits }
        excess[4] &= 0x3ff_ffff
        return excess
    }

    /// The lower 128 bits of the sum, the least significant byte first.
    private static func bytes(_ digits: [UInt64], plus pad: [UInt8]) -> [UInt8] {
        var carry = 0
        return (0..<16).map { index in
            let bit = index * 8
            var byte = digits[bit / 26] >> UInt64(bit % 26)
            if bit % 26 > 18 { byte |= digits[bit / 26 + 1] << UInt64(26 - bit % 26) }
            let value = Int(byte & 0xff) + Int(pad[index]) + carry
            carry = value >> 8
            return UInt8(value & 0xff)
        }
    }
}
