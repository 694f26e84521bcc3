internal import CPayloadTap
internal import NIOCore
internal import Synchronization

/// Follows a server's unencrypted packets, from its identification to its SSH_MSG_NEWKEYS (RFC 4253 sections 6 to 7).
///
/// Pure: bytes in, findings out. It rejects messages that have no place in a key exchange before libssh2 sees them: libssh2
/// would keep or misread them.
struct OpeningPackets: Sendable {
    /// The server's lists, once a valid SSH_MSG_KEXINIT has come.
    private(set) var algorithms: SSHAlgorithmLists?
    /// Whether a whole SSH_MSG_KEXINIT has come.
    private(set) var hasLists = false
    /// Whether any bytes followed it.
    private(set) var isAnswered = false
    /// Whether SSH_MSG_NEWKEYS has come. All later packets are encrypted.
    private(set) var hasEnded = false

    /// Whether to refuse a server that lists a key exchange method which only clients may list: see ``clientSigns``.
    private let refusesClientSigns: Bool

    /// The number of the last bytes that follow SSH_MSG_NEWKEYS.
    private(set) var encipheredCount = 0

    /// The known bytes of the incoming packet: its first bytes, or all of them if the packet is parsed.
    private var head: [UInt8] = []
    /// The missing bytes of the packet after its head.
    private var rest = 0
    private var hasExchange = false

    /// Names that a client lists among its methods to announce features (RFC 8308 section 2.1, OpenSSH's PROTOCOL section
    /// 1.10). A server must not list them: libssh2 1.11 would take the name for a method, and call a function that does not
    /// exist.
    private static let clientSigns = ["ext-info-c", "kex-strict-c-v00@openssh.com"]

    /// The packet's length, its padding's length and the message number.
    private static let headLength = 6

    /// Takes the next bytes.
    ///
    /// - Returns: the server's violation, if there is one.
    mutating func take(_ bytes: some Collection<UInt8>) -> SSHProtocolViolation? {
        var bytes = bytes[...]
        while !bytes.isEmpty, !hasEnded {
            if hasLists { isAnswered = true }
            if rest > 0 {
                let part = bytes.prefix(rest)
                rest -= part.count
                bytes = bytes.dropFirst(part.count)
                if isKeyExchangeInit { head.append(contentsOf: part) }
                if rest == 0, let violation = finish() { return violation }
                continue
            }
            head.append(bytes.removeFirst())
            guard head.count == Self.headLength else { continue }
            if let violation = begin() { return violation }
            if rest == 0, let violation = finish() { return violation }
        }
        encipheredCount = bytes.count
        return nil
    }

    private var isKeyExchangeInit: Bool { head.count >= Self.headLength && head[5] == 20 }

    private mutating func begin() -> SSHProtocolViolation? {
        let (length, padding, message) = (KeyExchangeInit.length(head) - 4, Int(head[4]), head[5])
        // libssh2 accepts no longer packet.
        guard length >= padding + 2, length <= 40_000 else { return .malformedPacket }
        rest = 4 + length - Self.headLength
        switch message {
        // For a DISCONNECT without a reason code libssh2 would end the session, and no evidence would name the server.
        case 1 where length - padding - 1 < 5: return .malformedPacket
        // DISCONNECT, IGNORE, UNIMPLEMENTED, DEBUG.
        case 1...4: return nil
        case 20: return hasLists ? .unexpectedMessage(message) : nil
        // NEWKEYS ends a key exchange. Its methods use the numbers 30 to 49 (RFC 4250 section 4.1.1).
        case 21: return hasExchange ? nil : .unexpectedMessage(message)
        case 30...49:
            guard hasLists else { return .unexpectedMessage(message) }
            hasExchange = true
            return nil
        default: return .unexpectedMessage(message)
        }
    }

    init(refusesClientSigns: Bool = false) { self.refusesClientSigns = refusesClientSigns }

    private mutating func finish() -> SSHProtocolViolation? {
        defer { head.removeAll(keepingCapacity: false) }
        if head[5] == 21 { hasEnded = true }
        guard isKeyExchangeInit else { return nil }
        hasLists = true
        algorithms = KeyExchangeInit.parse(head)
        guard refusesClientSigns, let methods = algorithms?.keyExchange else { return nil }
        return Self.clientSigns.contains(where: methods.contains) ? .clientOnlyMethod : nil
    }
}

/// Reads the server's SSH_MSG_KEXINIT (RFC 4253 section 7.1), which travels in clear text right after the identification line.
enum KeyExchangeInit {
    private static let messageNumber: UInt8 = 20
    /// Larger than any real one; RFC 4253 section 6.1 requires support for no more than 35000.
    static let maximumPacketLength = 35000

    /// The lists of the first packet in `bytes`, or nil if it is not a whole KEXINIT.
    static func parse(_ bytes: [UInt8]) -> SSHAlgorithmLists? {
        guard bytes.count > 5 else { return nil }
        let end = length(bytes)
        let padding = Int(bytes[4])
        guard end - 4 <= maximumPacketLength, end - 4 > padding, bytes.count >= end else { return nil }
        let payload = bytes[5..<(end - padding)]
        guard payload.first == messageNumber, payload.count > 17 else { return nil }
        let lists = payload.dropFirst(17)  // the message number and 16 bytes of cookie
        return known.withLock { known in
            if let same = known.first(where: { $0.payload[...] == lists }) { return same.lists }
            guard let result = read(lists) else { return nil }
            if known.count == maximumKnownPackets { known.removeFirst() }
            known.append((Array(lists), result))
            return result
        }
    }

    /// Many servers send the same lists, so connections share the parsed values of the last few different ones.
    private static let known = Mutex<[(payload: [UInt8], lists: SSHAlgorithmLists)]>([])
    private static let maximumKnownPackets = 4

    private static func read(_ payload: ArraySlice<UInt8>) -> SSHAlgorithmLists? {
        var rest = payload
        var lists: [[String]] = []
        for _ in 0..<8 {
            guard let list = takeNameList(&rest) else { return nil }
            lists.append(list)
        }
        var result = SSHAlgorithmLists()
        result.keyExchange = lists[0]
        result.hostKey = lists[1]
        result.cipherToServer = lists[2]
        result.cipherToClient = lists[3]
        result.macToServer = lists[4]
        result.macToClient = lists[5]
        result.compressionToServer = lists[6]
        result.compressionToClient = lists[7]
        return result
    }

    /// The length of the first packet in `bytes`, which must hold at least four bytes.
    static func length(_ bytes: [UInt8]) -> Int { 4 + bytes[0..<4].reduce(0) { $0 << 8 | Int($1) } }

    private static func takeNameList(_ bytes: inout ArraySlice<UInt8>) -> [String]? {
        guard bytes.count >= 4 else { return nil }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        bytes = bytes.dropFirst(4)
        guard bytes.count >= length else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length).split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The layout of libssh2's packets under the algorithms in use, which determines the valid lengths.
///
/// Sources: RFC 4253 sections 6 and 6.3, RFC 4344 section 4, RFC 5647, OpenSSH's PROTOCOL sections 1.5 and 1.6.
enum PacketProtection {
    /// The layout for a cipher and a MAC, both from server to client; nil if it is unknown.
    static func layout(cipher: String, mac: String) -> bridge_packet_layout? {
        if cipher.mentions("poly1305") { return layout(bridge_packet_chacha, block: 8, mac: tagLength) }
        if cipher.mentions("gcm") { return layout(bridge_packet_length_authenticated, block: 16, mac: tagLength) }
        let suffix = "-etm@openssh.com"
        let isEncryptedFirst = mac.hasSuffix(suffix)
        let name = isEncryptedFirst ? String(mac.dropLast(suffix.utf8.count)) : mac
        guard let block = block(cipher), let length = macLengths[name] else { return nil }
        let form = isEncryptedFirst ? bridge_packet_encrypt_then_mac : bridge_packet_length_enciphered
        return layout(form, block: block, mac: length)
    }

    private static func layout(_ form: bridge_packet_form, block: UInt32, mac: UInt32) -> bridge_packet_layout {
        bridge_packet_layout(form: form, cipher_block: block, mac_length: mac)
    }

    /// The tag length of AES-GCM and of Poly1305.
    private static let tagLength: UInt32 = 16

    /// libssh2 counts eight bytes for arcfour.
    private static func block(_ cipher: String) -> UInt32? {
        if cipher.hasPrefix("aes") || cipher.hasPrefix("rijndael") { return 16 }
        return ["3des", "blowfish", "cast128", "arcfour"].contains { cipher.hasPrefix($0) } ? 8 : nil
    }

    /// RFC 4253 section 6.4, RFC 6668.
    private static let macLengths: [String: UInt32] = [
        "hmac-sha2-256": 32, "hmac-sha2-512": 64, "hmac-sha1": 20, "hmac-sha1-96": 12, "hmac-md5": 16, "hmac-md5-96": 12,
        "hmac-ripemd160": 20, "hmac-ripemd160@openssh.com": 20,
    ]
}

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
