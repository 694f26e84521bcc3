/// What is no packet, a wrong MAC, and an identification without measure.
extension Attack {
    static let streams: [Attack] = {
        let garbage = AttackStage.all.map { stage in
            Attack(
                group: "no packets", name: "300,000 bytes \(stage.name)", kind: stage.isEncrypted ? "encrypted" : "clear", stage: stage,
                actions: [.garbage(300_000)],
                outcomes: stage.phase == .greeting || stage.phase == .clear ? [.protocolError, .notSSH, .lost] : .protocolError)
        }
        let endless = AttackStage.all.map { stage in
            Attack(
                group: "no packets", name: "endless \(stage.name)", kind: stage.isEncrypted ? "endless" : "endless clear", stage: stage,
                actions: [.flood(.garbage(32768), bytes: .max)],
                outcomes: stage.phase == .greeting || stage.phase == .clear ? [.protocolError, .notSSH, .lost, .timedOut] : .protocolError)
        }
        let spoilt = PacketMode.all.flatMap { mode in
            AttackStage.all.filter(\.isEncrypted).map { stage in
                Attack(
                    group: "wrong MAC", name: "\(mode.name) \(stage.name)", kind: mode.name, stage: stage, mode: mode,
                    actions: [.wrongMAC], outcomes: .protocolError)
            }
        }
        func greeting(_ name: String, _ outcomes: AttackOutcomes, _ action: ServerAction) -> Attack {
            Attack(
                group: "identification", name: name, kind: name, stage: .beforeIdentification, actions: [action],
                outcomes: outcomes)
        }
        let refused: AttackOutcomes = [.notSSH, .protocolError, .timedOut]
        let greetings = [
            greeting("a line before it", .success, .bytes(Array("hello\r\n".utf8))),
            greeting("1,000,000 lines before it", refused, .flood(.bytes(Array("x\r\n".utf8)), bytes: 3 << 20)),
            greeting("endless lines before it", refused, .flood(.bytes(Array("SSH-is-what-I-speak\r\n".utf8)), bytes: .max)),
            greeting("an endless line before it", refused, .flood(.bytes(Array("SSH-2.0-xxxxxxxxxxxx".utf8)), bytes: .max)),
            greeting("endless NUL before it", refused, .flood(.bytes([UInt8](repeating: 0, count: 4096)), bytes: .max)),
            greeting("version 1", refused, .bytes(Array("SSH-1.5-old\r\n".utf8))),
            greeting("twice", refused.union(.noCommonAlgorithm), .bytes(Array("SSH-2.0-twice\r\n".utf8))),
            greeting("of 300 bytes", refused, .bytes(Array(("SSH-2.0-" + String(repeating: "x", count: 292) + "\r\n").utf8))),
            greeting("with a NUL", refused, .bytes(Array("SSH-2.0-a\0b\r\n".utf8))),
        ]
        return garbage + endless + spoilt + greetings
    }()
}
