/// Misplaced and oversized NEWKEYS, and key re-exchange.
extension Attack {
    static let newKeys: [Attack] = {
        let stage = AttackStage.beforeReply
        func attack(_ name: String, _ outcomes: AttackOutcomes, mode: PacketMode = .ctr, _ actions: ServerAction...) -> Attack {
            Attack(
                group: "NEWKEYS misused", name: "\(name), \(mode.name)", kind: String(name.prefix(8)), stage: stage, mode: mode,
                outcomes: outcomes, script: { ServerScript.attacked(.password).replacing(.keyExchangeRequest, by: actions) })
        }
        let sizes = PacketMode.all.flatMap { mode in
            stride(from: 10, through: 250, by: 8).map { count in
                var packet = WirePacket([21])
                packet.padding = count
                return attack("padded with \(count)", .success, mode: mode, .keyExchangeReply, .packet(packet), .useNewKeys)
            }
        }
        let wrong: AttackOutcomes = [.protocolError, .hostKeyRefused, .lost]
        return sizes + [
            attack("early", wrong, .message(21, []), .keyExchangeReply, .useNewKeys),
            attack("early and late", wrong, .message(21, []), .keyExchangeReply, .message(21, []), .useNewKeys),
            attack("enciphered already", wrong, .keyExchangeReply, .useNewKeys, .message(21, [])),
            attack("never", wrong.union(.timedOut), .keyExchangeReply, .useNewKeys),
            attack("never, nor new keys", wrong.union(.timedOut), .keyExchangeReply),
            attack("twice", wrong, .keyExchangeReply, .message(21, []), .message(21, []), .useNewKeys),
            attack("with a payload", wrong.union(.success), .keyExchangeReply, .message(21, [1, 2, 3]), .useNewKeys),
            attack("without a reply", wrong.union(.timedOut), .message(21, [])),
        ]
    }()

    static let renewals: [Attack] = {
        let stages = AttackStage.all.filter(\.isEncrypted)
        func attack(
            _ name: String, _ stage: AttackStage, _ outcomes: AttackOutcomes, mode: PacketMode = .ctr, _ renewal: KeyRenewal
        ) -> Attack {
            Attack(
                group: "key re-exchange", name: "\(name) \(stage.name)", kind: String(name.prefix(12)), stage: stage, mode: mode,
                outcomes: outcomes, actions: { [.renewKeys(renewal)] })
        }
        // A second re-exchange within the first one is not allowed.
        func proper(_ stage: AttackStage) -> AttackOutcomes {
            stage.phase == .renewal || stage.phase == .service ? [.success, .protocolError, .hostKeyRefused] : .success
        }
        let same = PacketMode.all.flatMap { mode in
            stages.map { attack("as before, \(mode.name),", $0, proper($0), mode: mode, KeyRenewal()) }
        }
        // If the server has sent the command's end before, the client has everything and need not wait for more.
        func refused(_ stage: AttackStage) -> AttackOutcomes {
            let isOver = stage.phase == .closing || stage.phase == .renewal || stage.name == "after a key re-exchange"
            return isOver ? [.success, .hostKeyRefused, .protocolError] : [.hostKeyRefused, .protocolError]
        }
        let otherKey = stages.map {
            attack("under another host key", $0, refused($0), KeyRenewal(changesHostKey: true))
        }
        let otherMode = PacketMode.all.dropFirst().map {
            attack("to \($0.name)", .runningCommand, [.protocolError, .noCommonAlgorithm], KeyRenewal(mode: $0))
        }
        let endless = PacketMode.all.map { mode in
            Attack(
                group: "key re-exchange", name: "without end, \(mode.name)", kind: "without end", stage: .runningCommand,
                mode: mode,
                outcomes: [.timedOut, .protocolError]
            ) {
                ServerScript.attacked(.password).on(.newKeys).on(.newKeys, .renewKeys())
                    .inserting([.renewKeys()], into: .request("exec"), at: 1)
            }
        }
        let unfinished = PacketMode.all.map { mode in
            Attack(
                group: "key re-exchange", name: "never finished, \(mode.name)", kind: "never finished", stage: .runningCommand,
                mode: mode, outcomes: .timedOut
            ) {
                ServerScript.attacked(.password)
                    .on(.keyExchangeRequest, .keyExchangeReply, .message(21, []), .useNewKeys).on(.keyExchangeRequest)
                    .replacing(.request("exec"), by: [.accept, .keyExchangeInit])
            }
        }
        return same + otherKey + otherMode + endless + unfinished
    }()
}

/// Bytes that are not a packet, a wrong MAC, and an endless identification.
extension Attack {
    static let streams: [Attack] = {
        // Once the command's status has arrived, a run has everything it needs.
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
