import NIOCore

@testable import SSHFailure
@testable import SSHTransport

/// What a server sends.
extension Parsers {
    /// A server's opening, in pieces: the first byte says how long they are.
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

    /// SSH_MSG_KEXINIT, the packets in the clear around it, whole and in pieces, and how the two sides' lists agree.
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

    /// What an SFTP server sends, in pieces, while one request of every kind is under way.
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
