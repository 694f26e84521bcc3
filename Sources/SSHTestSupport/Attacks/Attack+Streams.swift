/// Bytes that are no packet, a wrong MAC, and an endless identification.
extension Attack {
    static let streams: [Attack] = {
        // After the command's status a run has everything it needs.
        func broken(_ stage: AttackStage) -> AttackOutcomes {
            switch stage.phase {
            case .greeting, .clear: [.protocolError, .notSSH, .lost]
            case .closing: [.protocolError, .success]
            case .service, .login, .session, .channel, .renewal: .protocolError
            }
        }
        let garbage = AttackStage.all.map { stage in
            Attack(
                group: "no packets", name: "300,000 bytes \(stage.name)", kind: stage.isEncrypted ? "encrypted" : "clear",
                stage: stage,
                outcomes: broken(stage), actions: { [.garbage(300_000)] })
        }
        let endless = AttackStage.all.map { stage in
            Attack(
                group: "no packets", name: "endless \(stage.name)", kind: stage.isEncrypted ? "endless" : "endless clear",
                stage: stage,
                outcomes: stage.isEncrypted ? broken(stage) : broken(stage).union(.timedOut),
                actions: { [.flood(.garbage(32768), bytes: .max)] })
        }
        let spoilt = PacketMode.all.flatMap { mode in
            AttackStage.all.filter(\.isEncrypted).map { stage in
                Attack(
                    group: "wrong MAC", name: "\(mode.name) \(stage.name)", kind: mode.name, stage: stage, mode: mode,
                    outcomes: broken(stage), actions: { [.wrongMAC] })
            }
        }
        func greeting(_ name: String, _ outcomes: AttackOutcomes, _ action: ServerAction) -> Attack {
            Attack(
                group: "identifications", name: name, kind: name, stage: .beforeIdentification, outcomes: outcomes,
                actions: { [action] })
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
