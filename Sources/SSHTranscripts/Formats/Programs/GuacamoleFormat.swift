/// Apache Guacamole's daemon, guacd. Source: common-ssh/ssh.c, key.c and user.c; protocols/ssh/ssh.c; 0.9–1.5.
enum GuacamoleFormat {
    static let rows: [TranscriptRow] = [
        .library("…Error parsing given address or port: {reason}", "common-ssh/ssh.c") { found, _ in
            .unresolved(found["reason"] ?? "", .guess)
        },
        .library("…guacd{process}Unable to connect to {address}, port {port}: {reason}", "common-ssh/ssh.c") { found, facts in
            facts.port = found["port"].flatMap { Int($0) }
            return .unconnected(found["reason"] ?? "", .guess)
        },
        .says("…guacd{process}Unable to connect to any addresses", "common-ssh/ssh.c", .notReached(.guess, .wrapper)),
        .says("…guacd{process}SSH handshake failed", "common-ssh/ssh.c", .cut(.closed, at: .keyExchange)),
        .says(
            "…Host key did not match any provided known host keys", "common-ssh/ssh.c",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says("…Host key does not match host entry for", "common-ssh/ssh.c", .known(.hostKeyChanged)),
        .library("…guacd{process}Auth key import failed: {reason}", "protocols/ssh/ssh.c") { _, _ in
            .key(.formatInvalid, nil, "", .guess, alternatives: ["it needs a passphrase", "the library knows no such key"])
        },
        .library("…guacd{process}Public key authentication failed: {reason}", "common-ssh/ssh.c") { found, _ in
            // The daemon's own library cannot use the key; the server was not asked.
            found["reason"]?.mentions("extract public key") == true
                ? .key(.formatInvalid, nil, "", .guess, alternatives: ["the library knows no such key", "it needs a passphrase"])
                : .refused("publickey", .likely)
        },
        .says("…guacd{process}assword authentication failed: {reason}", "common-ssh/ssh.c", .refused("password", .likely)),
        .library("…guacd{process}Unable to open terminal channel", "protocols/ssh/ssh.c") { _, _ in
            .known(.channelProhibited, .guess, or: ["the connection was lost"])
        },
        .library("…guacd{process}Unable to allocate PTY", "protocols/ssh/ssh.c") { _, _ in .request(.pty, .guess) },
        .library("…guacd{process}Unable to start SFTP session", "common-ssh/sftp.c") { _, _ in .request(.subsystem, .guess) },
    ]
}
