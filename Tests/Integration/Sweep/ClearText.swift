import SSHTestSupport

/// The part of one side's stream that anybody can read: its identification line and its packets up to SSH_MSG_NEWKEYS
/// (RFC 4253 sections 4.2, 6 and 7).
struct ClearText: Sendable {
    /// A packet's place in the stream.
    struct Packet: Sendable {
        let message: UInt8
        /// From its length field to the end of its padding.
        let range: Range<Int>
        let payload: Range<Int>
        let bytes: [UInt8]
    }

    /// With its line end.
    let identificationLength: Int
    let packets: [Packet]

    /// The total length.
    var length: Int { packets.last?.range.upperBound ?? identificationLength }

    struct Unreadable: Error {}

    init(_ stream: [UInt8]) throws {
        guard let lineEnd = stream.firstIndex(of: UInt8(ascii: "\n")) else { throw Unreadable() }
        identificationLength = lineEnd + 1
        var packets: [Packet] = []
        var start = identificationLength
        while packets.last?.message != 21 {
            guard start + 6 <= stream.count else { throw Unreadable() }
            let length = stream[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
            let range = start..<(start + 4 + length)
            let payload = (start + 5)..<(range.upperBound - Int(stream[start + 4]))
            guard range.upperBound <= stream.count, !payload.isEmpty else { throw Unreadable() }
            packets.append(
                Packet(message: stream[payload.lowerBound], range: range, payload: payload, bytes: Array(stream[payload])))
            start = range.upperBound
        }
        self.packets = packets
    }

    /// Whether nothing depends on a byte: the padding of a packet, or its length, which no hash covers (RFC 4253 sections 6 and
    /// 8), or the name before the host key's signature, which libssh2 does not read: it knows the key's type.
    func isUnread(_ offset: Int) -> Bool {
        packets.contains { packet in
            packet.range.contains(offset) && (offset == packet.range.lowerBound + 4 || offset >= packet.payload.upperBound)
                || packet.message == 31 && packet.signatureHead.contains(offset)
        }
    }

    /// The name-lists of SSH_MSG_KEXINIT (RFC 4253 section 7.1).
    var nameLists: [[String]] {
        guard let message = packets.first(where: { $0.message == 20 })?.bytes else { return [] }
        var lists: [[String]] = []
        var rest = message.dropFirst(17)
        while lists.count < 10, rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            lists.append(String(decoding: rest.prefix(length), as: UTF8.self).split(separator: ",").map(String.init))
            rest = rest.dropFirst(length)
        }
        return lists
    }
}

extension ClearText.Packet {
    /// The part of SSH_MSG_KEX_ECDH_REPLY (RFC 5656 section 4: host key, server's public key, signature) directly before the
    /// signature's bytes: the signature's type and the two lengths (RFC 8709 section 6).
    var signatureHead: Range<Int> {
        func length(_ offset: Int) -> Int { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
        let publicKey = 1 + 4 + length(1)
        let signature = publicKey + 4 + length(publicKey)
        let head = signature + 4
        return (payload.lowerBound + head)..<(payload.lowerBound + head + 4 + length(head) + 4)
    }
}

/// How packets from one side are protected.
struct Protection: Sendable, Hashable {
    let cipher: String
    let mac: String

    /// The first algorithm in the client's list that the server has too, for packets from this side (RFC 4253 section
    /// 7.1).
    init?(client: ClearText, server: ClearText, from side: FaultProxy.Side) {
        let (mine, theirs) = (client.nameLists, server.nameLists)
        let (ciphers, macs) = side == .client ? (2, 4) : (3, 5)
        guard mine.count == 10, theirs.count == 10, let cipher = mine[ciphers].first(where: theirs[ciphers].contains) else {
            return nil
        }
        self.cipher = cipher
        mac = mine[macs].first(where: theirs[macs].contains) ?? ""
    }

    /// The bytes on the wire of a packet with a payload of this length and no more padding than it must have: RFC 4253
    /// section 6, RFC 5647 section 7.2, and OpenSSH's PROTOCOL (EtM, section 1.6) and PROTOCOL.chacha20poly1305.
    func packetLength(payload: Int) -> Int {
        let isChaCha = cipher.hasPrefix("chacha20")
        let isAEAD = isChaCha || cipher.contains("gcm")
        let lengthIsApart = isAEAD || mac.contains("-etm@")
        let block = isChaCha ? 8 : 16
        let padded = (lengthIsApart ? 1 : 5) + payload
        var padding = block - padded % block
        if padding < 4 { padding += block }
        let tag = isAEAD ? 16 : mac.contains("512") ? 64 : mac.contains("256") ? 32 : 20
        return (lengthIsApart ? 4 : 0) + padded + padding + tag
    }
}
