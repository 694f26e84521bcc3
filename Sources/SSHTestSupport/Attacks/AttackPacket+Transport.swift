/// RFC 4253, RFC 4419, RFC 5656, RFC 8308 and OpenSSH's PING.
extension AttackPacket {
    private static let always: Set<AttackStage.Phase> = [.clear, .service, .login, .session, .channel, .closing, .renewal]
    /// RFC 4253 section 7.1 allows few messages during key exchange; section 11.4 has unknown ones ignored.
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

    /// One or more of each range that nothing is assigned in.
    static let unassigned = [0, 9, 19, 22, 29, 35, 49, 54, 59, 67, 79, 83, 89, 101, 127, 128, 191, 194, 255].map { number in
        AttackPacket(number, "unassigned", [.string("whatever")], harmless: number > 49 ? outsideKeyExchange : [])
    }
}
