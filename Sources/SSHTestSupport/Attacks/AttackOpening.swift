/// An allowed but unusual way for a server to open a connection.
struct AttackOpening: Sendable {
    let name: String
    let change: @Sendable (ServerScript) -> ServerScript

    static let plain = AttackOpening(name: "an opening as usual") { $0 }

    static let all = [
        newKeys("NEWKEYS padded with 26", padding: 26),
        newKeys("NEWKEYS padded with 250", padding: 250),
        AttackOpening(name: "IGNORE before KEXINIT") { $0.inserting([.ignore(5)], into: .connection, at: 1) },
        AttackOpening(name: "IGNORE and DEBUG everywhere") { script in
            let noise = [ServerAction.ignore(0), .debug("noise"), .ignore(3000)]
            return script.inserting(noise, into: .connection, at: 2).inserting(noise, into: .connection, at: 1)
                .inserting(noise, into: .keyExchangeRequest, at: 1).inserting(noise, into: .keyExchangeRequest, at: 0)
        },
        AttackOpening(name: "lines before the identification") { script in
            script.inserting([.bytes(Array("a line\r\nanother\n\n".utf8))], into: .connection, at: 0)
        },
        AttackOpening(name: "an opening byte by byte") { script in
            var script = script
            script.pieceLength = 1
            return script
        },
    ]

    private static func newKeys(_ name: String, padding: Int) -> AttackOpening {
        var packet = WirePacket([21])
        packet.padding = padding
        return AttackOpening(name: name) { [packet] script in
            script.replacing(.keyExchangeRequest, by: [.keyExchangeReply, .packet(packet), .useNewKeys])
        }
    }

    /// Openings that an honest server may choose.
    static let harmless: [Attack] = PacketMode.all.flatMap { mode in
        all.map { opening in
            Attack(
                group: "openings", name: "\(opening.name), \(mode.name)", kind: opening.name, stage: .runningCommand, mode: mode,
                outcomes: .success, script: { opening.change(AttackStage.runningCommand.script([])) })
        }
    }
}
