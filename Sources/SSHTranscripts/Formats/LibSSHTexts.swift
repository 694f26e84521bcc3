/// The messages of libssh, and the error numbers of libssh2, which programs print with words of their own around them. Sources:
/// libssh 0.7–0.12, ssh_set_error in client.c, packet.c, packet_cb.c, kex.c, dh-gex.c, knownhosts.c, auth.c, channels.c, sftp.c and
/// scp.c; libssh2 1.4–1.11, libssh2.h.
enum LibSSHTexts {
    private static let texts: [([String], @Sendable () -> TranscriptReading)] = [
        (["host is not in the known hosts", "host is unknown"], { .hostKeyUnknown(.likely) }),
        (
            ["Failed to verify server hostkey signature"],
            { .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "") }
        ),
        (
            ["Public key from server (", "host key size", "hostkey size"],
            { .noCommon(.kexNoCommonHostKeyAlgorithm, "host key that is accepted", .guess) }
        ), (["HMAC error", "Decryption error"], { .call(.telling, "INVALID_MAC", at: .session, .guess, "HMAC error") }),
        (
            [
                "Packet len too high", "Invalid packet", "Packet too short", "Invalid padding: ", "Packet filter: rejected",
                "strict KEX", "sequence number overflow", "packet_read2()", "zlib", "inflate context", "in invalid state",
                "in wrong state",
                "SSH_KEXINIT", "packet_kexinit", "DH_GEX_", "dh group", "DH group", "dh-gex", " in packet", "Cannot build k",
                "shared secret",
                "secret derivation", "Incorrect size for server", "Incorrect length of", "server pubkey", "in server reply",
                "server reply buffer", "decapsulation", "kex type", "KEX algorithm",
            ], { .protocolBroken(at: .keyExchange) }
        ),
        (
            ["too large banner", "Invalid banner"],
            { TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess) }
        ),
        (["Socket create failed", "Binding local address", "bind address"], { .known(.connectLocalResources, .guess) }),
        (["known_hosts file", "directory: "], { .known(.hostKeyKnownHostsUnwritable, .guess, or: ["it cannot be read"]) }),
        (
            ["Failed to read private key", "Invalid private key"],
            { .key(.unreadable, nil, "", .guess, alternatives: ["it needs a passphrase"]) }
        ),
        (["Failed to import public key", "Invalid pubkey", "cert to private key"], { .key(.formatInvalid, nil, "", .guess) }),
        (["RSA_MIN_SIZE", "without ECDSA", "Unsupported key type"], { .key(.typeUnsupported, nil, "", .guess) }),
        (
            ["authentication agent", "authentication reply", "Failed to read count"],
            { .agent(.unavailable, "its answer is not readable") }
        ),
        (["INFO_REQUEST", "Too much prompts"], { .call(.telling, "PROTO", at: .authentication, .guess, "") }),
        (["SERVICE_REQUEST failed"], { .cut(at: .authentication) }),
        (["Global request", "channel request of this type"], { .known(.channelProhibited, .guess) }),
        (
            ["closed channel", "channel closed", "after EOF was sent", "Unknown channel id", "invalid channel", "Window "],
            { .lost(.closed, .guess) }
        ),
        (
            ["reading sftp packet", "Uninitialized sftp"],
            { .known(.sftpConnectionLost, .guess, or: ["the server has no SFTP", "a startup file prints text"]) }
        ), (["unsupported by client"], { .known(.sftpVersionUnsupported) }),
        (["does not support sftp"], { .known(.sftpUnsupported) }),
        (
            [
                "SSH_FXP_", "SFTP attributes", "DATA packet", "ATTR structure", "sftp packet size", "Unknown packet type",
                "Unknown request ID", "during open", "during read", "during write", "during stat", "during fstat",
                "when attempting to",
                "invalid status code", "while parsing message", "Received invalid filename",
            ], { .known(.sftpProtocolError, .guess) }
        ), (["Failed executing command"], { .request(.exec, .guess) }),
        (["for scp"], { .known(.channelProhibited, .guess, or: ["too many sessions"]) }),
        (["proxy command", "fork failed"], { .known(.connectProxyFailed, .guess) }),
        (["no allowed algorithm for method"], { .known(.localConfigInvalid, .guess) }),
        (["Failed to process system configuration files"], { .known(.localConfigInvalid, .likely) }),
        (
            ["Hostname required", "Library not initialized", "under invalid state", "Unknown ssh option", "Invalid argument"],
            { .known(.localUsage, .guess) }
        ),
    ]

    /// The reading of libssh's text within the message of a program that uses it; nil if it is not known.
    static func reading(of text: String) -> TranscriptReading? {
        for lead in ["SFTP server: ", "SFTP server : ", "SCP: Warning: ", "SCP: Error: "] {
            if let place = text.firstPlace(of: lead) { return SFTPTexts.reading(of: String(text[place.upperBound...])) }
        }
        return own(text) ?? CommonReasons.reading(of: text)
    }

    /// The reading of words that only libssh has.
    private static func own(_ text: String) -> TranscriptReading? {
        texts.first { words, _ in words.contains { text.mentions($0) } }?.1()
    }

    /// Names that only SSH has, within libssh's words.
    private static let names = [
        "SSH_MSG_", "SSH_KEXINIT", "DH_GEX_", "Curve25519", "dh group parameter", "DH group", "host key size",
        "hostkey size", "Public key from server (", "known_hosts file",
    ]

    private static func read(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        reading(of: found["text"] ?? "") ?? facts.decline()
    }

    /// Messages that no other program has, and programs' own words in front of libssh's.
    static let rows: [TranscriptRow] =
        [
            "read_packet(): Packet len too high(", "Receiving banner: too large banner",
            "Failed to verify server hostkey signature",
            "Received EOF while reading sftp packet", "Timeout while reading sftp packet",
            "SCP: Warning: status code 1 received: ",
            "SCP: Error: status code 2 received: ", "ssh_packet_kexinit: ", "Packet filter: rejected packet (type ",
            "Received unexpected packets in strict KEX mode",
        ].map { words in
            TranscriptRow.library("…\(words){rest}", "libssh") { found, _ in
                reading(of: words + (found["rest"] ?? ""))
            }
        }
        + ["libssh failure at '{what}': {text}", "libssh failure: {text}"].map { text in
            TranscriptRow.library("…\(text)", "ropensci/ssh: session.c", read)
        } + [
            .library("…Error {verb}ing {what}: {text}", "libssh's examples, which programs follow") { found, facts in
                let (what, text) = (found["what"] ?? "", found["text"] ?? "")
                // The first words are not SSH's own. What follows them must be.
                let isSSH = ["SFTP session", "scp session"].contains(what) || names.contains { text.mentions($0) }
                return isSSH ? own(text) ?? facts.decline() : facts.decline()
            },
            .library("…ssh connect failed: {text}", "ansible-pylibssh") { found, facts in
                own(found["text"] ?? "") ?? facts.decline()
            },
            .library("…: SFTP server: {text}", "libssh: sftp.c") { found, facts in
                let status = SFTPTexts.names.first { $0.text == (found["text"] ?? "").trimming(" .") }?.status
                return status.flatMap { SFTPTexts.reading(ofStatus: $0) } ?? facts.decline()
            },
            .library("{before}: {text} (libssh error code: {n}, sftp error code: {status}", "qemu: block/ssh.c") { found, facts in
                (found["status"]?.prefix { $0.isNumber }).flatMap { Int($0) }.flatMap { SFTPTexts.reading(ofStatus: $0) }
                    ?? read(found, &facts)
            },
            .library("{text} (libssh error code: ", "qemu: block/ssh.c", read),
            .library("{text} (libssh2 error code: {number}", "qemu before 4.1: block/ssh.c") { found, facts in
                let number = (found["number"] ?? "").prefix { $0.isNumber || $0 == "-" }
                return reading(ofLibSSH2: Int(number) ?? 0, found["text"] ?? "") ?? facts.decline()
            },
            .library("…ssh connection failed: {text}", "ansible-pylibssh") { found, facts in
                let text = found["text"] ?? ""
                // Another row has these words.
                if text.hasPrefix("ssh connect failed: ") || text.mentions("Access denied") { return facts.decline() }
                return reading(of: text) ?? facts.decline()
            },
            .library("…[Session({number})] {text}", "the crate ssh2: error.rs", numbered),
            .library("…code: Session({number}), msg: \"{text}\"", "the crate ssh2: error.rs", numbered),
            .library("…[SFTP({number})] {text}", "the crate ssh2: error.rs", status),
            .library("…code: SFTP({number}), msg: \"{text}\"", "the crate ssh2: error.rs", status),
            .library("…LIBSSH2_ERROR_{name}({number}): {text}", "Net::SSH2: SSH2.xs", numbered),
            .library("{text} ({number} LIBSSH2_ERROR_{name})", "Net::SSH2: SSH2.pm, die_with_error") { found, facts in
                let number = (found["number"] ?? "").split(separator: "(").last.map(String.init) ?? ""
                return reading(ofLibSSH2: Int(number) ?? 0, found["text"] ?? "") ?? facts.decline()
            },
            .library("{before}libssh2_{call}", "programs that print a function's name and its result") { found, facts in
                called(found["call"] ?? "").flatMap { reading(ofLibSSH2: $0, "") } ?? facts.decline()
            },
            .library("…Unable to connect to remote host: {reason} at {path}Net/SSH2.pm", "Net::SSH2: SSH2.pm") { found, _ in
                .unconnected(found["reason"] ?? "", .likely)
            },
        ]

    /// The negative result in `session_handshake failed: -5` or `session_handshake with error code: -5`, if the line tells that
    /// the function failed.
    private static func called(_ text: String) -> Int? {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, ["fail", "error", "return"].contains(where: { words[1].lowercased().mentions($0) }) else {
            return nil
        }
        let number = words[1].split(separator: " ").map { String($0).trimming("().,;:'\"") }.last { $0.hasPrefix("-") }
        return number.flatMap { Int($0) }
    }

    private static func numbered(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        reading(ofLibSSH2: Int(found["number"] ?? "") ?? 0, found["text"] ?? "") ?? facts.decline()
    }

    private static func status(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        Int(found["number"] ?? "").flatMap { SFTPTexts.reading(ofStatus: $0) } ?? facts.decline()
    }

    /// The reading of libssh2's text, and if it is not known, of its number; nil if neither is known.
    static func reading(ofLibSSH2 number: Int, _ text: String) -> TranscriptReading? {
        // These words stand for several causes.
        let isAmbiguous = text.mentions("Unable to exchange encryption keys")
        if !isAmbiguous, let known = LibSSHRows.reading(ofLibSSH2: text) { return known }
        switch number {
        case -2, -3, -43: return .cut()
        case -4, -12, -44, -52: return .call(.telling, "INVALID_MAC", at: .session, .guess, text)
        case -7: return .lost(.reset, .guess)
        case -8, -10, -14, -50: return .protocolBroken(at: .keyExchange)
        case -9, -30: return .timedOut(.banner, .guess, alternatives: ["the server stopped answering"])
        case -11: return .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, text)
        case -5, -17, -33, -51: return .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)
        case -13, -23, -24, -25, -26, -27, -45, -47: return .lost(.closed, .guess)
        case -15: return .passwordExpired()
        case -16: return .key(.formatInvalid, nil, "", .guess, alternatives: ["it cannot be read", "it needs a passphrase"])
        case -18, -19: return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        case -48: return .key(.passphraseWrong, nil, "", .guess)
        case -20, -21: return .known(.channelProhibited, .guess, or: ["too many sessions", "the connection was lost"])
        case -22: return .request(.exec, .guess, or: ["a subsystem or a terminal was refused"])
        case -28: return .known(.sftpNoSuchFile, .guess, or: ["no permission", "the server has no scp"])
        case -29, -40: return .protocolBroken(at: .session)
        case -31: return .known(.sftpNoSuchFile, .guess, or: ["no permission", "the server refused the operation"])
        case -32: return .known(.channelProhibited, .guess)
        case -42: return .agent(.unavailable, text.oneLine(80))
        case -46: return .known(.hostKeyKnownHostsUnreadable, .guess)
        default: return nil
        }
    }
}
