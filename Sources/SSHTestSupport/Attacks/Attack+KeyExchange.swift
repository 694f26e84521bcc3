/// NEWKEYS at any time and of any size, and keys that are exchanged again.
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
        // Within a re-exchange, another one is out of place.
        func proper(_ stage: AttackStage) -> AttackOutcomes {
            stage.phase == .renewal || stage.phase == .service ? [.success, .protocolError, .hostKeyRefused] : .success
        }
        let same = PacketMode.all.flatMap { mode in
            stages.map { attack("as before, \(mode.name),", $0, proper($0), mode: mode, KeyRenewal()) }
        }
        // Where the command's end has been sent before, the client has what it wants and need not wait for more.
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
