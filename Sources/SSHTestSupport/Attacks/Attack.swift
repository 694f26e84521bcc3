/// One thing that a hostile server does, and how a run against it may end.
public struct Attack: Sendable {
    /// What it has in common with others.
    public let group: String
    /// Its group and what sets it apart.
    public let name: String
    /// What is alike, for a selection of a few: one of each kind is as good as all.
    let kind: String
    let script: ServerScript
    let login: AttackLogin
    let outcomes: AttackOutcomes
    /// Whether the run ends by the deadline for the connection, and not by the command's.
    let isBeforeCommand: Bool

    init(
        group: String, name: String, kind: String, stage: AttackStage, mode: PacketMode = .ctr, actions: [ServerAction],
        outcomes: AttackOutcomes
    ) {
        self.init(
            group: group, name: name, kind: kind, stage: stage, mode: mode, script: stage.script(actions), outcomes: outcomes)
    }

    init(
        group: String, name: String, kind: String, stage: AttackStage, mode: PacketMode = .ctr, script: ServerScript,
        outcomes: AttackOutcomes
    ) {
        self.group = group
        self.name = "\(group): \(name)"
        self.kind = "\(group) \(kind)"
        var script = script
        script.mode = mode
        self.script = script
        login = stage.login
        self.outcomes = outcomes
        isBeforeCommand = [.greeting, .clear, .service, .login].contains(stage.phase)
    }

    /// All of them.
    public static let all = payloads + lengths + paddings + newKeys + renewals + streams

    /// One of each kind, which are as many as can be tried in a minute.
    public static let quick: [Attack] = {
        let kinds = Dictionary(grouping: all.enumerated(), by: \.element.kind)
        // Another one of each kind, so that not all are of the first packet.
        let chosen = kinds.values.sorted { $0[0].offset < $1[0].offset }.enumerated().map { index, same in
            same[index * 7 % same.count]
        }
        return chosen.sorted { $0.offset < $1.offset }.map(\.element)
    }()
}
