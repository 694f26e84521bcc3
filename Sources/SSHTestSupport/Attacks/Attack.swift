/// One attack by a hostile server, and the allowed outcomes of a run against it.
public struct Attack: Sendable {
    /// The group of similar attacks.
    public let group: String
    /// The group, and the name within it.
    public let name: String
    /// The kind of the attack. A quick run takes one attack of each kind.
    let kind: String
    let mode: PacketMode
    let login: AttackLogin
    let outcomes: AttackOutcomes
    /// Whether the deadline for the connection applies, and not the deadline for the command.
    let isBeforeCommand: Bool
    /// Makes the script on demand: all scripts together would take most of a gigabyte.
    private let makeScript: @Sendable () -> ServerScript

    init(
        group: String, name: String, kind: String, stage: AttackStage, mode: PacketMode = .ctr, outcomes: AttackOutcomes,
        script: @escaping @Sendable () -> ServerScript
    ) {
        self.group = group
        self.name = "\(group): \(name)"
        self.kind = "\(group) \(kind)"
        self.mode = mode
        self.outcomes = outcomes
        login = stage.login
        isBeforeCommand = [.greeting, .clear, .service, .login].contains(stage.phase)
        makeScript = script
    }

    init(
        group: String, name: String, kind: String, stage: AttackStage, mode: PacketMode = .ctr, outcomes: AttackOutcomes,
        actions: @escaping @Sendable () -> [ServerAction]
    ) {
        self.init(group: group, name: name, kind: kind, stage: stage, mode: mode, outcomes: outcomes) {
            stage.script(actions())
        }
    }

    /// The script of the hostile server.
    var script: ServerScript {
        var script = makeScript()
        script.mode = mode
        return script
    }

    /// All attacks.
    public static let all: [Attack] = payloads + lengths + paddings + AttackOpening.harmless + newKeys + renewals + streams

    /// One attack of each kind, which takes about a minute, and those attacks that once did harm.
    public static let quick: [Attack] = {
        let kinds = Dictionary(grouping: all.enumerated(), by: \.element.kind)
        // Vary the choice within a kind, so that not all attacks use the first packet.
        let chosen = kinds.values.sorted { $0[0].offset < $1[0].offset }.enumerated().map { index, same in
            same[index * 7 % same.count]
        }
        let names = Set(chosen.map(\.element.name))
        return chosen.sorted { $0.offset < $1.offset }.map(\.element)
            + all.filter { onceHarmful.contains($0.name) && !names.contains($0.name) }
    }()

    /// Attacks that once got a wrong verdict, and that no other attack of their kind replaces.
    private static let onceHarmful: Set<String> = [
        "before KEXINIT: 1 DISCONNECT, cut in field 1", "before NEWKEYS: 1 DISCONNECT, without its fields",
        "after NEWKEYS: 91 CHANNEL_OPEN_CONFIRMATION, huge", "while a channel opens: 91 CHANNEL_OPEN_CONFIRMATION, huge",
        "after the login: 91 CHANNEL_OPEN_CONFIRMATION, endless and large",
        "after EOF: 98 CHANNEL_REQUEST exit-status, cut in field 3",
        "while the command runs: 98 CHANNEL_REQUEST exit-status, cut in field 4",
    ]
}

/// The allowed outcomes of a run against a hostile server.
public struct AttackOutcomes: OptionSet, Sendable {
    /// One bit for each outcome.
    public let rawValue: Int
    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The command's output and status arrived nevertheless.
    static let success = AttackOutcomes(rawValue: 1 << 0)
    /// The server does not speak SSH properly.
    static let protocolError = AttackOutcomes(rawValue: 1 << 1)
    /// The connection was lost.
    static let lost = AttackOutcomes(rawValue: 1 << 2)
    /// The server sent SSH_MSG_DISCONNECT.
    static let disconnected = AttackOutcomes(rawValue: 1 << 3)
    /// A deadline passed.
    static let timedOut = AttackOutcomes(rawValue: 1 << 4)
    /// The server did not authenticate the user.
    static let denied = AttackOutcomes(rawValue: 1 << 5)
    /// The server refused the channel, or a request on it.
    static let channelRefused = AttackOutcomes(rawValue: 1 << 6)
    /// The command ended with another status than 42, or its end is unknown.
    static let commandFailed = AttackOutcomes(rawValue: 1 << 7)
    /// The host key is not the known one, or its signature is wrong.
    static let hostKeyRefused = AttackOutcomes(rawValue: 1 << 8)
    /// No algorithm is common to both.
    static let noCommonAlgorithm = AttackOutcomes(rawValue: 1 << 9)
    /// The received bytes are not an identification.
    static let notSSH = AttackOutcomes(rawValue: 1 << 10)

    /// The outcome for an error code; empty if a server cannot cause that error.
    init(code: String) {
        let parts = code.split(separator: ".").dropFirst()
        let (stage, cause) = (parts.first ?? "", parts.dropFirst().first ?? "")
        switch (stage, cause) {
        case (_, "protocol-error"): self = .protocolError
        case (_, "closed"), (_, "closed-early"), (_, "connection-lost"), (_, "connection-dropped"): self = .lost
        case (_, "disconnected"): self = .disconnected
        case (_, "timed-out"), (_, "idle-timed-out"): self = .timedOut
        case ("host-key", _), ("kex", "host-key-signature-invalid"): self = .hostKeyRefused
        case ("kex", _): self = .noCommonAlgorithm
        case ("banner", _): self = .notSSH
        case ("auth", _): self = .denied
        case ("channel", _): self = .channelRefused
        case ("command", _): self = .commandFailed
        default: self = []
        }
    }
}

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

/// An allowed but unusual way for a server to open a connection.
struct AttackOpening: Sendable {
    let name: String
    let change: @Sendable (ServerScript) -> ServerScript

    static let plain = AttackOpening(name: "an opening as usual") { $0 }

    static let all = [
        newKeys("NEWKEYS padded with 26", padding: 26),
        newKeys("NEWKEYS padded with 250", padding: 250),
        AttackOpening(name: "IGNORE before KEXINIT") { $0.inserting([.ignore(5)], into: .connection, at: 1) },
        AttackOpening(name: "IGNORE and DEBUG everywhere") { script in
            let noise = [ServerAction.ignore(0), .debug("noise"), .ignore(3000)]
            return script.inserting(noise, into: .connection, at: 2).inserting(noise, into: .connection, at: 1)
                .inserting(noise, into: .keyExchangeRequest, at: 1).inserting(noise, into: .keyExchangeRequest, at: 0)
        },
        AttackOpening(name: "lines before the identification") { script in
            script.inserting([.bytes(Array("a line\r\nanother\n\n".utf8))], into: .connection, at: 0)
        },
        AttackOpening(name: "an opening byte by byte") { script in
            var script = script
            script.pieceLength = 1
            return script
        },
    ]

    private static func newKeys(_ name: String, padding: Int) -> AttackOpening {
        var packet = WirePacket([21])
        packet.padding = padding
        return AttackOpening(name: name) { [packet] script in
            script.replacing(.keyExchangeRequest, by: [.keyExchangeReply, .packet(packet), .useNewKeys])
        }
    }

    /// Openings that an honest server may choose.
    static let harmless: [Attack] = PacketMode.all.flatMap { mode in
        all.map { opening in
            Attack(
                group: "openings", name: "\(opening.name), \(mode.name)", kind: opening.name, stage: .runningCommand, mode: mode,
                outcomes: .success, script: { opening.change(AttackStage.runningCommand.script([])) })
        }
    }
}
