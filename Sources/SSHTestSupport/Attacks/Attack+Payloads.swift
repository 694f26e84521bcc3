/// Every packet, at every stage, sent wrong in every way.
extension Attack {
    static let payloads = AttackStage.all.flatMap { stage in
        AttackPacket.all.flatMap { packet in
            Distortion.all(of: packet).map { distortion in
                Attack(
                    group: stage.name, name: "\(packet.name), \(distortion.name)", kind: "\(distortion.kind)", stage: stage,
                    actions: distortion.actions(packet), outcomes: outcomes(stage, packet, distortion))
            }
        }
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
