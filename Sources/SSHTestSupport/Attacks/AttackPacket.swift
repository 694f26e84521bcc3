/// A message as a table row: its number, its fields, and the allowed outcomes when it is sent at a wrong time.
struct AttackPacket: Sendable {
    enum Field: Sendable {
        /// A byte, a boolean, or bytes without a length.
        case bytes([UInt8])
        case uint32(UInt32)
        /// A number of elements that follow.
        case count(UInt32)
        case string([UInt8])

        static func string(_ text: String) -> Field { .string(Array(text.utf8)) }
        static func boolean(_ value: Bool) -> Field { .bytes([value ? 1 : 0]) }
    }

    let number: UInt8
    let name: String
    let fields: [Field]
    /// The allowed outcomes beyond those of any stray packet.
    let outcomes: AttackOutcomes
    /// The phases in which the well-formed packet must be harmless.
    let harmless: Set<AttackStage.Phase>

    init(
        _ number: UInt8, _ name: String, _ fields: [Field] = [], or outcomes: AttackOutcomes = [],
        harmless: Set<AttackStage.Phase> = []
    ) {
        self.number = number
        self.name = "\(number) \(name)"
        self.fields = fields
        self.outcomes = outcomes
        self.harmless = harmless
    }

    /// The parts of the payload: the message number, then one part for each field.
    func parts(lyingIn liar: Int? = nil, value: UInt32 = 0) -> [[UInt8]] {
        [[number]]
            + fields.enumerated().map { index, field in
                switch field {
                case .bytes(let bytes): bytes
                case .uint32(let number): SSHWire.uint32(number)
                case .count(let number): SSHWire.uint32(index == liar ? value : number)
                case .string(let bytes): SSHWire.uint32(index == liar ? value : UInt32(bytes.count)) + bytes
                }
            }
    }

    var payload: [UInt8] { parts().flatMap { $0 } }

    /// The payload, enlarged by `count` bytes in its last string, or at its end.
    func enlarged(by count: Int) -> [UInt8] {
        let more = [UInt8](repeating: 0x41, count: count)
        var parts = parts()
        let last = fields.lastIndex { if case .string = $0 { true } else { false } }
        if let last, case .string(let bytes) = fields[last] {
            parts[last + 1] = SSHWire.string(bytes + more)
        } else {
            parts.append(more)
        }
        return parts.flatMap { $0 }
    }
}

/// RFC 4253, RFC 4419, RFC 5656, RFC 8308 and OpenSSH's PING.
extension AttackPacket {
    private static let always: Set<AttackStage.Phase> = [.clear, .service, .login, .session, .channel, .closing, .renewal]
    /// RFC 4253 section 7.1 allows few messages during key exchange. Section 11.4 requires that unknown messages are ignored.
    private static let outsideKeyExchange: Set<AttackStage.Phase> = [.service, .login, .session, .channel, .closing]

    static let transport = [
        AttackPacket(1, "DISCONNECT", [.uint32(11), .string("bye"), .string("")], or: .disconnected),
        AttackPacket(2, "IGNORE", [.string("ignored")], harmless: always),
        AttackPacket(3, "UNIMPLEMENTED", [.uint32(3)]),
        AttackPacket(4, "DEBUG", [.boolean(true), .string("debugging"), .string("")], harmless: always),
        AttackPacket(5, "SERVICE_REQUEST", [.string("ssh-userauth")]),
        AttackPacket(6, "SERVICE_ACCEPT", [.string("ssh-userauth")]),
        AttackPacket(
            7, "EXT_INFO", [.count(1), .string("server-sig-algs"), .string("ssh-ed25519,rsa-sha2-256")], harmless: [.service]),
        AttackPacket(
            7, "EXT_INFO of two",
            [
                .count(2), .string("server-sig-algs"), .string("ssh-ed25519"), .string("publickey-hostbound@openssh.com"),
                .string("0"),
            ],
            harmless: [.service]),
        AttackPacket(8, "NEWCOMPRESS"),
        AttackPacket(
            20, "KEXINIT",
            [
                .bytes([UInt8](repeating: 7, count: 16)), .string("curve25519-sha256"), .string("ssh-ed25519"),
                .string("aes128-ctr"),
                .string("aes128-ctr"), .string("hmac-sha2-256"), .string("hmac-sha2-256"), .string("none"), .string("none"),
                .string(""), .string(""), .boolean(false), .uint32(0),
            ], or: [.noCommonAlgorithm, .hostKeyRefused]),
        AttackPacket(21, "NEWKEYS"),
        AttackPacket(30, "KEX_ECDH_INIT", [.string([UInt8](repeating: 9, count: 32))]),
        AttackPacket(
            31, "KEX_ECDH_REPLY",
            [
                .string(SSHWire.string("ssh-ed25519") + SSHWire.string([UInt8](repeating: 5, count: 32))),
                .string([UInt8](repeating: 9, count: 32)),
                .string(SSHWire.string("ssh-ed25519") + SSHWire.string([UInt8](repeating: 3, count: 64))),
            ], or: .hostKeyRefused),
        AttackPacket(31, "KEX_DH_GEX_GROUP", [.string([UInt8](repeating: 0x7f, count: 256)), .string([2])], or: .hostKeyRefused),
        AttackPacket(32, "KEX_DH_GEX_INIT", [.string([UInt8](repeating: 0x7f, count: 256))]),
        AttackPacket(
            33, "KEX_DH_GEX_REPLY",
            [.string("key"), .string([UInt8](repeating: 0x7f, count: 256)), .string("signature")], or: .hostKeyRefused),
        AttackPacket(34, "KEX_DH_GEX_REQUEST", [.uint32(2048), .uint32(3072), .uint32(8192)]),
        AttackPacket(192, "PING", [.string("are you there")], harmless: outsideKeyExchange),
        AttackPacket(193, "PONG", [.string("I am")], harmless: outsideKeyExchange),
    ]

    /// One or more messages of each unassigned range of numbers.
    static let unassigned = [0, 9, 19, 22, 29, 35, 49, 54, 59, 67, 79, 83, 89, 101, 127, 128, 191, 194, 255].map { number in
        AttackPacket(number, "unassigned", [.string("whatever")], harmless: number > 49 ? outsideKeyExchange : [])
    }
}

/// RFC 4252, RFC 4256 and the numbers of RFC 4462.
extension AttackPacket {
    static let authentication = [
        AttackPacket(
            50, "USERAUTH_REQUEST", [.string("root"), .string("ssh-connection"), .string("none")]),
        AttackPacket(51, "USERAUTH_FAILURE", [.string("password,publickey"), .boolean(false)], or: .denied),
        AttackPacket(51, "USERAUTH_FAILURE, partial success", [.string("publickey"), .boolean(true)], or: .denied),
        AttackPacket(52, "USERAUTH_SUCCESS"),
        AttackPacket(53, "USERAUTH_BANNER", [.string("a banner\n"), .string("")], harmless: [.login]),
        AttackPacket(
            60, "USERAUTH_PK_OK",
            [
                .string("ssh-ed25519"),
                .string(SSHWire.string("ssh-ed25519") + SSHWire.string([UInt8](repeating: 5, count: 32))),
            ], or: .denied),
        AttackPacket(60, "USERAUTH_PASSWD_CHANGEREQ", [.string("a new one: "), .string("")], or: .denied),
        AttackPacket(
            60, "USERAUTH_INFO_REQUEST",
            [.string("name"), .string("instruction"), .string(""), .count(1), .string("Password: "), .boolean(false)], or: .denied
        ),
        AttackPacket(
            60, "USERAUTH_INFO_REQUEST without questions", [.string(""), .string(""), .string(""), .count(0)], or: .denied),
        AttackPacket(61, "USERAUTH_INFO_RESPONSE", [.count(1), .string("answer")]),
        AttackPacket(62, "unassigned in GSSAPI", [.string("token")], or: .denied),
        AttackPacket(63, "USERAUTH_GSSAPI_EXCHANGE_COMPLETE", or: .denied),
        AttackPacket(
            64, "USERAUTH_GSSAPI_ERROR", [.uint32(1), .uint32(2), .string("message"), .string("")], or: .denied),
        AttackPacket(65, "USERAUTH_GSSAPI_ERRTOK", [.string("token")], or: .denied),
        AttackPacket(66, "USERAUTH_GSSAPI_MIC", [.string("mic")], or: .denied),
    ]
}

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
