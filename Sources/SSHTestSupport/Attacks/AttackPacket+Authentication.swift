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
