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
