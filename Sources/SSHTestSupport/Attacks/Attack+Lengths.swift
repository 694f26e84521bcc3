/// Packets with a false length, in every mode.
extension Attack {
    private static let values: [UInt32] = [
        0, 1, 2, 3, 4, 5, 8, 11, 12, 13, 15, 16, 17, 20, 28, 31, 32, 33, 44, 100, 34999, 35000, 35001, 40001, 1 << 18,
        (1 << 18) + 16,
        0x7fff_fff0, 0x7fff_ffff, 0x8000_0000, 0xffff_ffdf, 0xffff_ffe7, 0xffff_fff0, 0xffff_fff4, 0xffff_fffb, 0xffff_fffc,
        0xffff_ffff,
    ]

    static let lengths = lengthsInTheClear + lengthsByMode + lengthsByOpening

    private static let lengthsInTheClear: [Attack] = AttackStage.all.filter { $0.phase == .clear }.flatMap { stage in
        values.flatMap { lengths("lengths in the clear", stage, nil, .plain, $0) }
    }

    private static let lengthsByMode: [Attack] = PacketMode.all.flatMap { mode in
        [AttackStage.afterNewKeys, .passwordLogin, .runningCommand, .keyRenewal].flatMap { stage in
            values.flatMap { lengths("lengths, \(mode.name)", stage, mode, .plain, $0) }
        }
    }

    /// Code that separates packets must find the first encrypted one whatever came before it.
    private static let lengthsByOpening: [Attack] = AttackOpening.all.flatMap { opening in
        PacketMode.all.flatMap { mode in
            values.flatMap { lengths("lengths after \(opening.name), \(mode.name)", .afterNewKeys, mode, opening, $0) }
        }
    }

    private static func lengths(
        _ group: String, _ stage: AttackStage, _ mode: PacketMode?, _ opening: AttackOpening, _ value: UInt32
    ) -> [Attack] {
        let isWhole = (Int(value) + (mode?.hasSeparateLength == true ? 0 : 4)) % (mode?.blockLength ?? 8) == 0
        let isPossible = isWhole && value >= 12 && value <= 1 << 18
        // A packet of a length that may be right is a DEBUG message without its fields.
        let outcomes: AttackOutcomes = isPossible ? [.success, .protocolError] : .protocolError
        return [false, true].map { isLong in
            Attack(
                group: group, name: "a packet \(isLong ? "of" : "that says") \(value) bytes \(stage.name)",
                kind: "\(stage.name) \(isPossible)", stage: stage, mode: mode ?? .ctr,
                outcomes: isLong ? outcomes : .protocolError
            ) {
                var packet = WirePacket([2] + SSHWire.string("ignored"))
                if isLong {
                    packet.payload = [UInt8](repeating: 4, count: max(0, min(Int(value), 70000) - 5))
                    packet.padding = 4
                }
                packet.length = value
                // What follows belongs to it, or is no packet.
                return opening.change(stage.script([.packet(packet), .garbage(300_000)]))
            }
        }
    }
}
