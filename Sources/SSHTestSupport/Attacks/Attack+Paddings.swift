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
            // At least 4 bytes, and something must be left of the packet.
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
