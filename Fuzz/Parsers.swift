import NIOCore

@testable import BridgeSSH
@testable import SSHConfig
@testable import SSHFailure
@testable import SSHFileTransfer
@testable import SSHKeys
@testable import SSHModel
@testable import SSHTranscripts
@testable import SSHTransport
@testable import SSHTrust

/// Everything that reads what others wrote, by the name that scripts/fuzz takes.
///
/// A parser may throw. It must not trap, read outside of its input, or leak.
enum Parsers {
    static let all: [String: @Sendable ([UInt8]) -> Void] = [
        "agent": agent, "configuration": configuration, "fields": fields, "identification": identification,
        "key-exchange": keyExchange, "key-file": keyFile, "known-hosts": knownHosts, "payload": payload,
        "public-key": publicKey, "session": FuzzedSession.run, "sftp": sftp, "transcript": transcript,
    ]

    /// What an agent answers.
    @Sendable private static func agent(_ bytes: [UInt8]) { _ = try? AgentMessage(body: bytes) }

    /// ssh_config, with an `Include` of itself.
    @Sendable private static func configuration(_ bytes: [UInt8]) {
        var context = ConfigurationContext(home: "/home/ann", localUser: "ann", userID: 1000, localHostName: "desk.example")
        context.files = ConfigurationFiles(
            read: { path, _ in path.hasSuffix("missing") ? .unreadable(errno: 2) : .bytes(bytes) },
            matching: { [$0] })
        context.variable = { $0 == "HOME" ? "/home/ann" : nil }
        context.execute = { _ in 0 }
        let configuration = SSHConfiguration(context: context, source: .file("/config"))
        _ = try? configuration.resolve(host: "web1")
    }

    /// The fields of messages between a run and the helper that keeps its connection.
    @Sendable private static func fields(_ bytes: [UInt8]) {
        guard let value = try? FieldCoder.value(of: Configuration.self, from: bytes) else { return }
        let written = FieldCoder.bytes(of: value)
        guard let again = try? FieldCoder.value(of: Configuration.self, from: written) else {
            preconditionFailure("what was written cannot be read")
        }
        precondition(FieldCoder.bytes(of: again) == written)
    }

    /// A server's opening, in pieces: the first byte says how long they are.
    @Sendable private static func identification(_ bytes: [UInt8]) {
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
    @Sendable private static func keyExchange(_ bytes: [UInt8]) {
        _ = KeyExchangeInit.parse(Array(bytes.dropFirst()))
        var whole = OpeningPackets()
        let violation = whole.take(bytes.dropFirst())
        var pieces = OpeningPackets()
        let length = max(1, Int(bytes.first ?? 1))
        var rest = bytes.dropFirst()
        var violationInPieces: ProtocolViolation?
        while violationInPieces == nil, !rest.isEmpty {
            violationInPieces = pieces.take(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        precondition(violation == violationInPieces && whole.algorithms == pieces.algorithms)
        guard let lists = whole.algorithms else { return }
        var evidence = Evidence(event: .libraryFailed, stage: .keyExchange)
        evidence.serverAlgorithms = lists
        evidence.clientAlgorithms = lists
        check(evidence)
        for cipher in lists.cipherToClient {
            for mac in lists.macToClient { _ = PacketProtection.layout(cipher: cipher, mac: mac) }
        }
    }

    /// What is said of a failure, as text and as JSON, holds nothing that a terminal obeys.
    static func check(_ evidence: Evidence) {
        let error = FailureClassifier.classify(evidence)
        precondition(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        error.json.write { piece in precondition(piece.allSatisfy { $0 >= 0x20 && $0 != 0x7f }) }
    }

    /// A private key's file; what is encrypted stays so.
    @Sendable private static func keyFile(_ bytes: [UInt8]) { _ = try? KeyFileContent(bytes, permissions: nil) }

    @Sendable private static func knownHosts(_ bytes: [UInt8]) { _ = KnownHostsContent(bytes, file: "known_hosts") }

    /// A decrypted packet, as libssh2 frees it.
    @Sendable private static func payload(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            _ = ObservedPayload(buffer)
            _ = DataPayload(buffer)
        }
    }

    /// A line of a `.pub` file or of known_hosts, and a key as it is on the wire.
    @Sendable private static func publicKey(_ bytes: [UInt8]) {
        _ = try? SSHPublicKey(line: String(decoding: bytes, as: UTF8.self))
        if let key = try? SSHPublicKey(blob: bytes) { precondition(key.blob == bytes) }
    }

    /// What an SFTP server sends, in pieces, while one request of every kind is under way.
    @Sendable private static func sftp(_ bytes: [UInt8]) {
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

    /// What another client printed.
    @Sendable private static func transcript(_ bytes: [UInt8]) {
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        _ = SSHTranscriptClassifier.classify(SSHTranscript(standardError: text, exitStatus: Int(bytes.first ?? 0)))
        var log = SSHTranscriptLog()
        _ = log.take(text)
        _ = log.finish()
    }
}
