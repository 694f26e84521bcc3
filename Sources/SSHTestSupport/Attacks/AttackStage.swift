/// The point in a connection's life at which the attack is sent.
public struct AttackStage: Sendable {
    /// The phase of the protocol, which determines the allowed messages (RFC 4253 sections 7.1 and 11, RFC 4252 section 6).
    enum Phase { case greeting, clear, service, login, session, channel, closing, renewal }

    /// Its name within the name of an attack.
    public let name: String
    let phase: Phase
    let login: AttackLogin
    /// Makes the server's script, with the attack inserted at this stage.
    let script: @Sendable ([ServerAction]) -> ServerScript

    private init(
        _ name: String, _ phase: Phase, _ clientAction: ServerScript.ClientAction, at position: Int,
        login: AttackLogin = .password,
        occurrence: Int = 0
    ) {
        self.name = name
        self.phase = phase
        self.login = login
        script = { actions in
            var script = ServerScript.attacked(login)
            // The server begins the second key exchange while the command runs.
            if occurrence > 0 { script = script.inserting([.renewKeys()], into: .request("exec"), at: 1) }
            return script.inserting(actions, into: clientAction, occurrence: occurrence, at: position)
        }
    }

    /// Whether packets are encrypted.
    var isEncrypted: Bool { phase != .greeting && phase != .clear }

    static let beforeIdentification = AttackStage("before the identification", .greeting, .connection, at: 0)
    static let beforeReply = AttackStage("before the key exchange reply", .clear, .keyExchangeRequest, at: 0)
    static let afterNewKeys = AttackStage("after NEWKEYS", .service, .keyExchange, at: 0)
    static let passwordLogin = AttackStage("in a password login", .login, .login("password"), at: 0)
    static let runningCommand = AttackStage("while the command runs", .channel, .request("exec"), at: 1)
    static let keyRenewal = AttackStage(
        "in a key re-exchange, before the reply", .renewal, .keyExchangeRequest, at: 0, occurrence: 1)

    /// All stages, in the order of a connection.
    public static let all = [
        beforeIdentification,
        AttackStage("before KEXINIT", .clear, .connection, at: 1),
        AttackStage("after KEXINIT", .clear, .connection, at: 2),
        beforeReply,
        AttackStage("before NEWKEYS", .clear, .keyExchangeRequest, at: 1),
        afterNewKeys,
        AttackStage("before SERVICE_ACCEPT", .service, .service, at: 0),
        AttackStage("after SERVICE_ACCEPT", .login, .service, at: 1),
        passwordLogin,
        AttackStage(
            "before questions", .login, .login("keyboard-interactive"), at: 0, login: .keyboardInteractive),
        AttackStage("after answers", .login, .answers, at: 0, login: .keyboardInteractive),
        AttackStage("while a key is offered", .login, .keyOffer("ssh-ed25519"), at: 0, login: .publicKey),
        AttackStage("while a signature is checked", .login, .signature("ssh-ed25519"), at: 0, login: .publicKey),
        AttackStage("after the login", .session, .login("password"), at: 1),
        AttackStage("while a channel opens", .session, .channel, at: 0),
        AttackStage("after the channel's confirmation", .channel, .channel, at: 1),
        AttackStage("while a request is pending", .channel, .request("exec"), at: 0),
        runningCommand,
        AttackStage("after exit-status", .channel, .request("exec"), at: 3),
        AttackStage("after EOF", .closing, .request("exec"), at: 4),
        AttackStage("after CLOSE", .closing, .request("exec"), at: 5),
        keyRenewal,
        AttackStage("in a key re-exchange, before NEWKEYS", .renewal, .keyExchangeRequest, at: 1, occurrence: 1),
        AttackStage("after a key re-exchange", .channel, .keyExchange, at: 0, occurrence: 1),
    ]
}

/// How the client authenticates to a hostile server.
enum AttackLogin { case password, keyboardInteractive, publicKey }

extension ServerScript {
    /// A well-behaved server. Its command writes `served` and exits with status 42.
    static func attacked(_ login: AttackLogin) -> ServerScript {
        let script = ServerScript().on(
            .request("exec"), .accept, .output("served\n"), .exitStatus(42), .endOfOutput, .closeChannel)
        switch login {
        case .password: return script.asking(for: "password").on(.login("password"), .accept)
        case .keyboardInteractive:
            return script.asking(for: "keyboard-interactive")
                .on(.login("keyboard-interactive"), .ask(instruction: "", [("Password: ", false)])).on(.answers, .accept)
        case .publicKey:
            return script.asking(for: "publickey").on(.keyOffer("ssh-ed25519"), .accept).on(.signature("ssh-ed25519"), .accept)
        }
    }
}
