import NIOCore

@testable import SSHFailure
@testable import SSHTransport

/// Messages of a server.
extension Parsers {
    /// The start of a server's stream, in pieces: the first byte gives their length.
    @Sendable static func identification(_ bytes: [UInt8]) {
        var filter = IdentificationFilter()
        let length = max(1, Int(bytes.first ?? 1))
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            switch filter.take(rest.prefix(length)) {
            case .more: rest = rest.dropFirst(length)
            case .found(let index):
                precondition((1...length).contains(index))
                _ = filter.identificationForLibrary
                return
            case .notSSH: return
            }
        }
        filter.finish()
    }

    /// SSH_MSG_KEXINIT and the unencrypted packets around it, whole and in pieces, and the negotiation of both
    /// sides' lists.
    @Sendable static func keyExchange(_ bytes: [UInt8]) {
        _ = KeyExchangeInit.parse(Array(bytes.dropFirst()))
        var whole = OpeningPackets()
        let violation = whole.take(bytes.dropFirst())
        var pieces = OpeningPackets()
        let length = max(1, Int(bytes.first ?? 1))
        var rest = bytes.dropFirst()
        var violationInPieces: SSHProtocolViolation?
        while violationInPieces == nil, !rest.isEmpty {
            violationInPieces = pieces.take(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        precondition(violation == violationInPieces && whole.algorithms == pieces.algorithms)
        guard let lists = whole.algorithms else { return }
        var evidence = SSHEvidence(event: .libraryFailed, stage: .keyExchange)
        evidence.serverAlgorithms = lists
        evidence.clientAlgorithms = lists
        check(evidence)
        for cipher in lists.cipherToClient {
            for mac in lists.macToClient { _ = PacketProtection.layout(cipher: cipher, mac: mac) }
        }
    }

    /// A decrypted packet, as libssh2 frees it.
    @Sendable static func payload(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            _ = ObservedPayload(buffer)
            _ = DataPayload(buffer)
        }
    }

    /// Messages of an SFTP server, in pieces, while one request of every kind is pending.
    @Sendable static func sftp(_ bytes: [UInt8]) {
        var conversation = SFTPConversation()
        for request in [
            SFTPRequest.open("a", []), .close([1], path: "a"), .read([1], 0..<100, path: "a"),
        ] { _ = conversation.register(request) }
        let length = max(1, Int(bytes.first ?? 1))
        var rest = bytes.dropFirst()
        var hasVersion = false
        while !rest.isEmpty {
            conversation.received(ByteBuffer(bytes: rest.prefix(length)))
            rest = rest.dropFirst(length)
            do {
                if !hasVersion { hasVersion = try conversation.version() != nil }
                while hasVersion, try conversation.next() != nil {}
            } catch {
                return
            }
        }
    }
}
