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

    /// Before the identification a packet is text without a line end, whatever it says.
    private static func distortions(_ stage: AttackStage, _ packet: AttackPacket) -> [Distortion] {
        stage.phase == .greeting ? [.once, .pour] : Distortion.all(of: packet)
    }

    private static func outcomes(_ stage: AttackStage, _ packet: AttackPacket, _ distortion: Distortion) -> AttackOutcomes {
        if distortion.isProper, packet.harmless.contains(stage.phase) { return .success }
        var outcomes: AttackOutcomes = [.success, .protocolError, .lost]
        outcomes.formUnion(packet.outcomes)
        // How much comes, and when it comes to an end, is the server's to choose.
        if distortion.isFlood { outcomes.formUnion(.timedOut) }
        // Clear text before the identification is text.
        if stage.phase == .greeting { outcomes.formUnion([.notSSH, .timedOut]) }
        return outcomes
    }
}
