internal import NIOCore

/// Finds the server's answer in the first key exchange (RFC 4253 section 8, RFC 4419 section 3, RFC 5656 section 4), and pads
/// its signature to the length that libssh2 requires.
///
/// An RSA signature is as long as the modulus (RFC 8017 section 8.2.1), leading zeros included. Some servers omit the zeros
/// (lsh), which makes one signature in 256 shorter. OpenSSH pads it (ssh-rsa.c: `openssh_RSA_verify`); libssh2 rejects it. The
/// exchange hash covers everything in the message but the signature, and padding does not change the signature's number. So the
/// verification is unchanged.
///
/// Pure: bytes in, bytes out. A key re-exchange is encrypted and cannot be padded.
struct HostKeyReply {
    /// The beginning of a packet that is incomplete, or may be the answer.
    private var held: [UInt8] = []
    /// The missing bytes of another packet.
    private var rest = 0
    /// Whether the answer has come. All later bytes are passed on.
    private var isOver = false

    /// The packet's length, its padding's length and the message number.
    private static let headLength = 6

    /// Takes the next unencrypted bytes, whose packets were checked.
    ///
    /// - Returns: the bytes that libssh2 may get, including those that were held back.
    mutating func take(_ buffer: ByteBuffer) -> ByteBuffer {
        guard !isOver else { return buffer }
        if held.isEmpty, rest >= buffer.readableBytes {
            rest -= buffer.readableBytes
            return buffer
        }
        var bytes = ArraySlice(held + buffer.readableBytesView)
        var shown: [UInt8] = []
        held = []
        while !bytes.isEmpty, !isOver {
            if rest > 0 {
                let part = bytes.prefix(rest)
                shown += part
                rest -= part.count
                bytes = bytes.dropFirst(part.count)
                continue
            }
            guard bytes.count >= Self.headLength else { break }
            let length = KeyExchangeInit.length(Array(bytes.prefix(4)))
            // Message 31 is the answer of every method but group exchange. There 31 is the group, and 33 is the answer.
            guard [31, 33].contains(bytes[bytes.startIndex + 5]) else {
                rest = length
                continue
            }
            guard bytes.count >= length else { break }
            let packet = Array(bytes.prefix(length))
            bytes = bytes.dropFirst(length)
            isOver = packet[5] == 33 || Answer(packet) != nil
            shown += Answer(packet)?.packet ?? packet
        }
        if isOver { shown += bytes } else { held = Array(bytes) }
        return ByteBuffer(bytes: shown)
    }

    /// A complete answer.
    private struct Answer {
        /// The packet with its padded signature.
        let packet: [UInt8]

        /// - Returns: nil if the packet is no such answer.
        init?(_ packet: [UInt8]) {
            guard let padding = packet.dropFirst(4).first.map(Int.init), packet.count - padding > 6 else { return nil }
            let payload = packet[5..<(packet.count - padding)]
            var reader = SSHWireReader(payload.dropFirst())
            guard let key = try? reader.string(), let value = try? reader.string(), let signature = try? reader.string(),
                reader.isAtEnd
            else { return nil }
            guard let length = Self.modulusLength(key), let padded = Self.padded(signature, to: length) else {
                self.packet = packet
                return
            }
            var writer = SSHWireWriter()
            writer.byte(packet[5])
            for part in [key, value, padded] { writer.string(part) }
            self.packet = Self.packet(writer.bytes)
        }

        /// 16384 bits, the most that OpenSSL takes (rsa.h: OPENSSL_RSA_MAX_MODULUS_BITS).
        private static let maximumModulusLength = 2048

        /// The length of an RSA key's modulus in bytes; nil for another key.
        private static func modulusLength(_ key: ArraySlice<UInt8>) -> Int? {
            var reader = SSHWireReader(key)
            guard let type = try? reader.string(), type.elementsEqual("ssh-rsa".utf8), (try? reader.string()) != nil,
                let modulus = try? reader.string(), reader.isAtEnd
            else { return nil }
            let length = modulus.drop { $0 == 0 }.count
            return length <= maximumModulusLength ? length : nil
        }

        /// - Returns: nil if the signature needs no padding.
        private static func padded(_ signature: ArraySlice<UInt8>, to length: Int) -> ArraySlice<UInt8>? {
            var reader = SSHWireReader(signature)
            guard let algorithm = try? reader.string(), let number = try? reader.string(), reader.isAtEnd,
                (1..<length).contains(number.count)
            else { return nil }
            var writer = SSHWireWriter()
            writer.string(algorithm)
            writer.string([UInt8](repeating: 0, count: length - number.count) + number)
            return ArraySlice(writer.bytes)
        }

        /// Unencrypted packets have whole blocks of eight bytes, with at least four bytes of padding (RFC 4253 section 6).
        private static func packet(_ payload: [UInt8]) -> [UInt8] {
            let padding = 4 + (8 - (5 + payload.count + 4) % 8) % 8
            var writer = SSHWireWriter()
            writer.uint32(UInt32(1 + payload.count + padding))
            writer.byte(UInt8(padding))
            writer.raw(payload + [UInt8](repeating: 0, count: padding))
            return writer.bytes
        }
    }
}
