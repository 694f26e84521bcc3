/// RFC 4254 and OpenSSH's PROTOCOL. The client's first channel has number 0.
extension AttackPacket {
    private static let afterLogin: Set<AttackStage.Phase> = [.session, .channel, .closing]
    private static let ours = Field.uint32(0)
    private static let window = [Field.uint32(1 << 20), .uint32(32768)]

    static let connection =
        globalRequests + opens + channels
        + [
            request("exit-status", [.uint32(42)], or: .commandFailed),
            request(
                "exit-signal", [.string("KILL"), .boolean(false), .string("killed"), .string("")], or: .commandFailed),
            request("eow@openssh.com", harmless: [.channel]),
            request("keepalive@openssh.com", reply: true, harmless: [.channel]),
            request("xon-xoff", [.boolean(true)], harmless: [.channel]),
            request("exec", [.string("rm -rf /")], reply: true, harmless: [.channel]),
            request("of a name that nothing has", reply: true, harmless: [.channel]),
        ]

    private static let globalRequests = [
        global("hostkeys-00@openssh.com", [.string("a key")], harmless: afterLogin),
        global("keepalive@openssh.com", reply: true, harmless: afterLogin),
        global("tcpip-forward", [.string("0.0.0.0"), .uint32(22)], reply: true, harmless: afterLogin),
        global("of a name that nothing has", reply: true, harmless: afterLogin),
        AttackPacket(81, "REQUEST_SUCCESS"),
        AttackPacket(82, "REQUEST_FAILURE"),
    ]

    private static let opens = [
        open("session"),
        open("x11", [.string("10.0.0.1"), .uint32(6010)]),
        open("forwarded-tcpip", [.string("127.0.0.1"), .uint32(80), .string("10.0.0.1"), .uint32(1234)]),
        open("direct-tcpip", [.string("127.0.0.1"), .uint32(80), .string("10.0.0.1"), .uint32(1234)]),
        open("auth-agent@openssh.com"),
        open("tun@openssh.com", [.uint32(1), .uint32(0x7fff_ffff)]),
    ]

    private static let channels = [
        AttackPacket(91, "CHANNEL_OPEN_CONFIRMATION", [ours, .uint32(0)] + window, or: .channelRefused),
        AttackPacket(91, "CHANNEL_OPEN_CONFIRMATION of no channel", [.uint32(77), .uint32(0)] + window),
        AttackPacket(
            92, "CHANNEL_OPEN_FAILURE", [ours, .uint32(1), .string("prohibited"), .string("")], or: .channelRefused),
        AttackPacket(93, "CHANNEL_WINDOW_ADJUST", [ours, .uint32(1 << 20)], harmless: [.channel]),
        AttackPacket(93, "CHANNEL_WINDOW_ADJUST beyond 2^32", [ours, .uint32(0xffff_ffff)]),
        AttackPacket(93, "CHANNEL_WINDOW_ADJUST of no channel", [.uint32(77), .uint32(1)]),
        AttackPacket(94, "CHANNEL_DATA", [ours, .string("data\n")], or: .commandFailed),
        AttackPacket(94, "CHANNEL_DATA of no channel", [.uint32(77), .string("data\n")]),
        AttackPacket(95, "CHANNEL_EXTENDED_DATA", [ours, .uint32(1), .string("error\n")], or: .commandFailed),
        AttackPacket(95, "CHANNEL_EXTENDED_DATA of type 7", [ours, .uint32(7), .string("error\n")]),
        AttackPacket(96, "CHANNEL_EOF", [ours], or: .commandFailed),
        AttackPacket(97, "CHANNEL_CLOSE", [ours], or: [.commandFailed, .channelRefused]),
        AttackPacket(99, "CHANNEL_SUCCESS", [ours]),
        AttackPacket(100, "CHANNEL_FAILURE", [ours], or: .channelRefused),
    ]

    private static func global(
        _ name: String, _ fields: [Field] = [], reply: Bool = false, harmless: Set<AttackStage.Phase>
    ) -> AttackPacket {
        AttackPacket(80, "GLOBAL_REQUEST \(name)", [.string(name), .boolean(reply)] + fields, harmless: harmless)
    }

    private static func open(_ kind: String, _ fields: [Field] = []) -> AttackPacket {
        AttackPacket(90, "CHANNEL_OPEN \(kind)", [.string(kind), .uint32(5)] + window + fields, harmless: afterLogin)
    }

    private static func request(
        _ name: String, _ fields: [Field] = [], reply: Bool = false, or outcomes: AttackOutcomes = [],
        harmless: Set<AttackStage.Phase> = []
    ) -> AttackPacket {
        AttackPacket(
            98, "CHANNEL_REQUEST \(name)", [ours, .string(name), .boolean(reply)] + fields, or: outcomes, harmless: harmless)
    }

    /// All messages.
    static let all = transport + unassigned + authentication + connection
}
