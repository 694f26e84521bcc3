import SSHTestSupport

/// The encrypted packets of the session that the sweeps break, in the order in which RFC 4252 and RFC 4254 have them.
///
/// Every request waits for its answer, and neither side pads more than it must: so the lengths of the payloads show where each
/// packet ends, even if packets arrive together.
struct SweptPackets: Sendable {
    /// The number of bytes of a packet's payload.
    typealias Payload = Int

    /// A packet, and the part of the session that begins for the client when the whole packet has arrived.
    struct Answer: Sendable {
        let payload: Payload
        var begins: SessionMap.Part?
    }

    let server: ServerKind
    let user: String
    let command: String
    /// The server's answer to `none`, as the client reads it.
    let methods: [String]

    private static func string(_ text: String) -> Int { 4 + text.utf8.count }
    private static let keyType = "ssh-ed25519"
    /// RFC 8709 sections 4 and 6.
    private static let keyBlob = string(keyType) + 4 + 32
    private static let signature = string(keyType) + 4 + 64

    /// SSH_MSG_SERVICE_ACCEPT (RFC 4253 section 10); only SSH_MSG_EXT_INFO may come before it.
    static let serviceAccept = 1 + string("ssh-userauth")
    /// SSH_MSG_USERAUTH_FAILURE.
    var failure: Payload { 1 + Self.string(methods.joined(separator: ",")) + 1 }

    // MARK: From the server

    /// The answers up to SSH_MSG_USERAUTH_SUCCESS, without SSH_MSG_EXT_INFO.
    var authenticationAnswers: [Answer] {
        [
            Answer(payload: Self.serviceAccept, begins: .authentication), Answer(payload: failure),
            // SSH_MSG_USERAUTH_PK_OK
            Answer(payload: 1 + Self.string(Self.keyType) + 4 + Self.keyBlob),
            Answer(payload: 1, begins: .channelOpening),
        ]
    }

    /// The answers from SSH_MSG_CHANNEL_OPEN_CONFIRMATION to the end.
    ///
    /// Before them a server may send any text: OpenSSH sends debug messages and its host keys.
    var channelAnswers: [Answer] {
        // OpenSSH opens its window when it has started the command.
        let window = server == .openSSH ? [Answer(payload: 9)] : []
        let end = [
            4 + SweptSession.errorOutput.utf8.count + 9, 4 + SweptSession.output.utf8.count + 5,
            // SSH_MSG_CHANNEL_EOF, exit-status, SSH_MSG_CHANNEL_CLOSE
            5, 5 + Self.string("exit-status") + 1 + 4, 5,
        ].map { Answer(payload: $0) }
        return [Answer(payload: 17, begins: .commandStart)] + window + [Answer(payload: 5, begins: .command)] + end
    }

    // MARK: From us

    /// The client's messages, each with the part of the session that it begins.
    var requests: [Answer] {
        let request = 1 + Self.string(user) + Self.string("ssh-connection")
        let key = request + Self.string("publickey") + 1 + Self.string(Self.keyType) + 4 + Self.keyBlob
        return [
            Answer(payload: Self.serviceAccept),
            Answer(payload: request + Self.string("none"), begins: .authentication),
            Answer(payload: key), Answer(payload: key + 4 + Self.signature),
            Answer(payload: 1 + Self.string("session") + 12, begins: .channelOpening),
            Answer(payload: 5 + Self.string("exec") + 1 + Self.string(command), begins: .commandStart),
            // SSH_MSG_CHANNEL_EOF, SSH_MSG_CHANNEL_CLOSE
            Answer(payload: 5, begins: .command), Answer(payload: 5),
        ]
    }
}
