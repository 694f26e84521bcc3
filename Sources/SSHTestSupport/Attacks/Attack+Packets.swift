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

    /// The kind, so that one distortion of each kind can be selected.
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

    /// The code that separates packets must find the first encrypted packet after any earlier packets.
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
        // If its length is possible, the packet is read: it is a DEBUG message without fields.
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
        // If the server has already sent the command's end, the client has everything and need not wait.
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
