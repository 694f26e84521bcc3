/// One attack by a hostile server, and the allowed outcomes of a run against it.
public struct Attack: Sendable {
    /// What it has in common with others.
    public let group: String
    /// Its group and what sets it apart.
    public let name: String
    /// What is alike, for a selection of a few: one of each kind is as good as all.
    let kind: String
    let mode: PacketMode
    let login: AttackLogin
    let outcomes: AttackOutcomes
    /// Whether the run ends by the deadline for the connection, and not by the command's.
    let isBeforeCommand: Bool
    /// Made on demand: all together they are most of a gigabyte.
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

    /// What the server does.
    var script: ServerScript {
        var script = makeScript()
        script.mode = mode
        return script
    }

    /// All of them.
    public static let all: [Attack] = payloads + lengths + paddings + AttackOpening.harmless + newKeys + renewals + streams

    /// One of each kind, which are as many as can be tried in a minute, and those that once did harm.
    public static let quick: [Attack] = {
        let kinds = Dictionary(grouping: all.enumerated(), by: \.element.kind)
        // Another one of each kind, so that not all are of the first packet.
        let chosen = kinds.values.sorted { $0[0].offset < $1[0].offset }.enumerated().map { index, same in
            same[index * 7 % same.count]
        }
        let names = Set(chosen.map(\.element.name))
        return chosen.sorted { $0.offset < $1.offset }.map(\.element)
            + all.filter { onceHarmful.contains($0.name) && !names.contains($0.name) }
    }()

    /// Attacks that once got a wrong verdict, and that no other one of their kind stands for.
    private static let onceHarmful: Set<String> = [
        "before KEXINIT: 1 DISCONNECT, cut in field 1", "before NEWKEYS: 1 DISCONNECT, without its fields",
        "after NEWKEYS: 91 CHANNEL_OPEN_CONFIRMATION, huge", "while a channel opens: 91 CHANNEL_OPEN_CONFIRMATION, huge",
        "after the login: 91 CHANNEL_OPEN_CONFIRMATION, endless and large",
        "after EOF: 98 CHANNEL_REQUEST exit-status, cut in field 3",
        "while the command runs: 98 CHANNEL_REQUEST exit-status, cut in field 4",
    ]
}
