/// Every packet, at every stage, malformed in every way.
extension Attack {
    static let payloads: [Attack] = AttackStage.all.flatMap { stage in
        AttackPacket.all.flatMap { packet in
            distortions(stage, packet).map { distortion in
                Attack(
                    group: stage.name, name: "\(packet.name), \(distortion.name)", kind: "\(distortion.kind)", stage: stage,
                    outcomes: outcomes(stage, packet, distortion), actions: { distortion.actions(packet) })
            }
        }
    }

    /// The distortions for a stage. Before the identification, any packet is just text without a line end.
    private static func distortions(_ stage: AttackStage, _ packet: AttackPacket) -> [PacketDistortion] {
        stage.phase == .greeting ? [.once, .pour] : PacketDistortion.all(of: packet)
    }

    private static func outcomes(_ stage: AttackStage, _ packet: AttackPacket, _ distortion: PacketDistortion) -> AttackOutcomes {
        if distortion.isProper, packet.harmless.contains(stage.phase) { return .success }
        var outcomes: AttackOutcomes = [.success, .protocolError, .lost]
        outcomes.formUnion(packet.outcomes)
        // The server chooses how much it sends and when it stops.
        if distortion.isFlood { outcomes.formUnion(.timedOut) }
        // Before the identification, bytes are text.
        if stage.phase == .greeting { outcomes.formUnion([.notSSH, .timedOut]) }
        return outcomes
    }
}

/// A way in which a packet is malformed or misplaced.
enum PacketDistortion: Sendable, Hashable {
    /// Well-formed, but misplaced.
    case once
    case twice
    /// A flood of small packets, ``small`` bytes in all.
    case many
    /// A flood of large packets, ``large`` bytes in all.
    case pour
    /// As large as a packet may be (RFC 4253 section 6.1).
    case huge
    /// Larger than any packet may be.
    case giant
    /// Its message number and nothing else.
    case empty
    /// Cut off within the field of this number.
    case cut(Int)
    /// With a false length or count in the field of this number.
    case lie(Int, UInt32)

    /// The number of bytes of a flood.
    static let small = 2 << 20
    static let large = 96 << 20

    /// All distortions of this packet.
    static func all(of packet: AttackPacket) -> [PacketDistortion] {
        let lies = packet.fields.enumerated().flatMap { index, field -> [PacketDistortion] in
            let values: [UInt32] =
                switch field {
                case .string(let bytes):
                    [0, 1, UInt32(bytes.count) &- 1, UInt32(bytes.count) + 1, 0xffff, 0x7fff_ffff, 0xffff_fffc, 0xffff_ffff]
                case .count: [0, 3, 0xffff, 0x1000_0000, 0x7fff_ffff, 0xffff_ffff]
                case .bytes, .uint32: []
                }
            return Set(values).sorted().map { .lie(index, $0) }
        }
        let cuts = packet.fields.indices.map { PacketDistortion.cut($0) }
        return [.once, .twice, .many, .pour, .huge, .giant, .empty] + cuts + lies
    }

    var name: String {
        switch self {
        case .once: "once"
        case .twice: "twice"
        case .many: "endless and small"
        case .pour: "endless and large"
        case .huge: "huge"
        case .giant: "larger than any"
        case .empty: "without its fields"
        case .cut(let field): "cut in field \(field + 1)"
        case .lie(let field, let value): "length \(value) in field \(field + 1)"
        }
    }

    /// The kind, to select one of each.
    var kind: Int {
        switch self {
        case .once: 0
        case .twice: 1
        case .many: 2
        case .pour: 3
        case .huge: 4
        case .giant: 5
        case .empty: 6
        case .cut: 7
        case .lie: 8
        }
    }

    var isProper: Bool { self == .once || self == .twice }
    var isFlood: Bool { self == .many || self == .pour }

    func actions(_ packet: AttackPacket) -> [ServerAction] {
        func send(_ payload: [UInt8]) -> ServerAction { .packet(WirePacket(payload)) }
        switch self {
        case .once: return [send(packet.payload)]
        case .twice: return [send(packet.payload), send(packet.payload)]
        case .many: return [.flood(send(packet.payload), bytes: Self.small)]
        case .pour: return [.flood(send(packet.enlarged(by: 32000)), bytes: Self.large)]
        case .huge: return [send(packet.enlarged(by: 34000))]
        case .giant: return [send(packet.enlarged(by: 250_000))]
        case .empty: return [send([packet.number])]
        case .cut(let field):
            let parts = packet.parts()
            // Send half of the field; of an empty field, nothing.
            let rest = parts[field + 1].prefix(parts[field + 1].count / 2)
            return [send(parts[...field].flatMap { $0 } + rest)]
        case .lie(let field, let value): return [send(packet.parts(lyingIn: field, value: value).flatMap { $0 })]
        }
    }
}

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

    /// The code that separates packets must find the first encrypted packet, whatever came before it.
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
                // The bytes that follow belong to the packet, or are not a packet.
                return opening.change(stage.script([.packet(packet), .garbage(300_000)]))
            }
        }
    }
}

/// Packets with a false padding length, and packets without a payload, in every mode.
extension Attack {
    static let paddings: [Attack] =
        AttackStage.all.filter { $0.phase == .clear }.flatMap { paddings("padding in the clear", $0, nil) }
        + PacketMode.all.flatMap { mode in
            [AttackStage.afterNewKeys, .passwordLogin, .runningCommand, .keyRenewal].flatMap {
                paddings("padding, \(mode.name)", $0, mode)
            }
        }

    private static func paddings(_ group: String, _ stage: AttackStage, _ mode: PacketMode?) -> [Attack] {
        let block = mode?.blockLength ?? 8
        let proper = WirePacket([2] + SSHWire.string("ignored"))
        let body = proper.parts(blockLength: block, hasSeparateLength: mode?.hasSeparateLength ?? false).body
        func attack(_ name: String, _ kind: String, _ outcomes: AttackOutcomes, _ packet: WirePacket) -> Attack {
            Attack(
                group: group, name: "\(name) \(stage.name)", kind: "\(kind) \(stage.name)", stage: stage, mode: mode ?? .ctr,
                outcomes: outcomes, actions: { [.packet(packet)] })
        }
        let lies = [0, 1, 3, body.count - 2, body.count - 1, body.count, body.count + 1, 127, 128, 255].map { value in
            var packet = proper
            packet.paddingLength = UInt8(value)
            // The padding has at least 4 bytes, and it must leave a payload.
            let outcomes: AttackOutcomes = value < body.count ? [.success, .protocolError] : .protocolError
            return attack("padding that says \(value)", "\(value < body.count)", outcomes, packet)
        }
        // RFC 4253 section 6: any length up to 255 that makes whole blocks.
        let sizes = stride(from: Int(body[0]), through: 255, by: block * 3).map { count in
            var packet = proper
            packet.padding = count
            return attack("padding of \(count)", "size", .success, packet)
        }
        let empty = attack("no payload", "empty", [.success, .protocolError], WirePacket([]))
        return lies + sizes + [empty]
    }
}
