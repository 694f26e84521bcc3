/// PuTTY and its programs plink, pscp and psftp. Sources: ssh/userauth2-client.c, ssh/transport2.c, ssh/common.c, network.h,
/// windows/console.c.
enum PuTTYFormat {
    static let all =
        WinSCPFormat.all + [TranscriptFormat("putty", trust + login + greetings + keys + exchange + sessions + network)]

    private static let trust: [TranscriptRow] = [
        .says("…host key is not cached", "console.c", .hostKeyUnknown(.likely)),
        .says("…Host key not in manually configured list", "ssh/transport2.c", .hostKeyUnknown(.guess).ranked(.plain)),
        .says("…host key does not match the one ", "console.c; 0.77 and later without `server's`", .known(.hostKeyChanged)),
        .says(
            "…host key did not match any configured manual keys", "ssh/common.c: -hostkey",
            .hostKeyUnknown(.likely, alternatives: ["the host key has changed"])),
        .says(
            "…Cannot confirm a host key in batch mode", "console.c",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]).ranked(.plain)),
        .says(
            "…Connection abandoned", "console.c: the question was answered with no",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]).ranked(.ending)),
        .says("…WARNING - POTENTIAL SECURITY BREACH!", "console.c", .known(.hostKeyChanged)),
        .says(
            "…User aborted at host key verification", "ssh/transport2.c",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says("…Host key did not appear in manually configured list", "ssh/transport2.c", .hostKeyUnknown(.likely)),
    ]

    private static let login: [TranscriptRow] = [
        TranscriptRow("…Server refused our key", "userauth2-client.c") { _, facts in
            facts.methodRefused = "publickey"
            return .refused("publickey", .likely)
        },
        TranscriptRow("Access denied{rest}", "userauth2-client.c: a password") { found, facts in
            guard (found["rest"] ?? "").trimming(". ").isEmpty else { return facts.decline() }
            (facts.passwordRefused, facts.isAskedAgain) = (true, true)
            return nil
        },
        .library("…No supported authentication methods available (server sent: {methods})", "userauth2-client.c") {
            found, facts in
            let methods = (found["methods"] ?? "").split(separator: ",").map { String($0).trimming(" ") }
            if facts.methodRefused == "publickey" { return .refused("publickey", .likely) }
            if facts.passwordRefused { return .refused("password", .likely) }
            // It has no credential left for a method that the server accepts. Earlier lines may show which credentials it had.
            return TranscriptReading.methodNotOffered(
                methods, methods.contains("password") ? .guess : .likely, alternatives: ["the key that was offered was refused"]
            ).ranked(.plain)
        },
        .library("{before}No supported authentication methods available", "userauth2-client.c; 0.60 and before") { found, facts in
            let before = found["before"] ?? ""
            guard before.isEmpty || before.hasSuffix("FATAL ERROR: ") || before.hasSuffix("Disconnected: ") else {
                return facts.decline()
            }
            return TranscriptReading.methodNotOffered([], .guess).ranked(.plain)
        },
        .recovers("This error message occurs when PuTTY ", "errors.but: the manual explains the message before it"),
        .recovers("This is a generic error produced by ", "errors.but"),
        .says(
            "…no supported authentication methods available server sent", "userauth2-client.c, from memory",
            TranscriptReading.methodNotOffered([], .guess).ranked(.plain)),
        .says("…Server refused public-key signature despite accepting key", "userauth2-client.c", .refused("publickey", .likely)),
        .says("…Configured password was not accepted", "userauth2-client.c", .refused("password", .likely)),
        .library("{before}Disconnected: Unable to authenticate", "userauth2-client.c") { _, facts in
            .refused(facts.passwordRefused ? "password" : "publickey", facts.passwordRefused ? .likely : .guess)
        },
        .library("FATAL ERROR: Unable to authenticate", "userauth2-client.c") { _, facts in
            .refused(facts.passwordRefused ? "password" : "publickey", facts.passwordRefused ? .likely : .guess)
        },
        .says(
            "…Cannot answer interactive prompts in batch mode", "console.c",
            .known(.authInteractionRequired, or: ["the host key is not known"])),
        TranscriptRow("…sent disconnect message", "ssh/common.c: the server's words follow") { _, _ in
            .known(.kexDisconnected, .guess, .consequence, or: ["it came after the login"])
        },
    ]

    /// The login succeeded after all, with a password.
    private static let greetings: [TranscriptRow] = [
        .noting("Remote working directory is ", "psftp.c") { _, facts in greeted(&facts) },
        .noting("Last login: ", "sshd, PAM") { _, facts in greeted(&facts) },
        .noting("Welcome to {system} (GNU/Linux ", "Debian and Ubuntu: motd") { _, facts in greeted(&facts) },
    ]

    private static func greeted(_ facts: inout TranscriptFacts) {
        if facts.methodRefused == "publickey" { facts.passed = [.authentication] }
        facts.isAskedAgain = false
    }

    private static let keys: [TranscriptRow] = [
        .library("…Unable to use key file \"{path}\" ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…Unable to load key file \"{path}\" ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…Unable to load key \"{path}\" ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…Unable to load private key ({reason})", "userauth2-client.c, plink") { found, _ in key(found) },
        .library("…Unable to load private key file \"{path}\" ({reason})", "userauth2-client.c before 0.62") { found, _ in
            key(found)
        },
        .library("…Unable to use this key file ({reason})", "userauth2-client.c") { found, _ in key(found) },
        .library("…ouldn't load private key ({reason})", "pageant, puttygen") { found, _ in key(found) },
        .library("…ouldn't load this key ({reason})", "pageant") { found, _ in key(found) },
        TranscriptRow("Wrong passphrase{rest}", "userauth2-client.c") { found, facts in
            (found["rest"] ?? "").trimming(". ").isEmpty ? .key(.passphraseWrong) : facts.decline()
        },
    ]

    private static func key(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        let kind: SSHKeyProblem.Reason =
            if reason.mentions("unable to open") || reason.mentions("does not exist") {
                .notFound
            } else if reason.mentions("passphrase") {
                .passphraseWrong
            } else if reason.mentions("OpenSSH") || reason.mentions("SSH-1") || reason.mentions("ssh.com")
                || reason.mentions("format too new")
            {
                .formatUnsupported
            } else { .formatInvalid }
        return .key(kind, found["path"], reason)
    }

    private static let exchange: [TranscriptRow] = [
        .library("…ouldn't agree a {kind} ({space}vailable: ", "ssh/transport2.c") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
        .library("…ouldn't agree an {kind} ({space}vailable: ", "ssh/transport2.c") { found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind)
        },
    ]

    /// The texts of packets that break the protocol, behind `FATAL ERROR: `.
    private static let broken = [
        "Bad SSH-1 public key packet", "Encryption not successfully enabled", "GSSAPI key exchange ", "GSSAPI reply failed",
        "Incoming packet length field was garbled", "Invalid packet length received", "KEXINIT packet was incomplete",
        "Network attack (CRC compensation)", "No valid incoming packet found", "Out-of-range packet length from remote",
        "Protocol error: Expected control record", "Protocol error: Illegal ", "Protocol error: Lost connection",
        "Protocol error: Unexpected newline", "Public key packet not received", "Received a packet before KEXINIT",
        "Received invalid elliptic curve",
        "Received premature higher-layer packet", "Received SSH2_MSG_", "Received SSH1_", "Received SSH_MSG_",
        "Received CHANNEL_",
        "Server violates SSH-1", "Unexpected packet received, type", "No supported ciphers found",
    ].map { (words: String) -> TranscriptRow in .says("FATAL ERROR: \(words)", "ssh", .protocolBroken(at: .keyExchange)) }

    private static let sessions: [TranscriptRow] =
        broken + [
            .says(
                "FATAL ERROR: Server's host key is invalid", "ssh/kex2-client.c",
                .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "")),
            .says("FATAL ERROR: Host key was different in repeat key exchange", "ssh/kex2-client.c", .hostKeyChanged()),
            .says(
                "…Remote SSH greeting was overlong", "ssh/verstring.c",
                TranscriptReading(.telling, .identificationUnreadable, at: .banner, .guess)),
            .says("…SSH protocol version 2 required by our configuration", "ssh/ssh.c", .known(.bannerUnsupportedVersion)),
            .says("…Pageant refused signing request", "ssh/userauth2-client.c", .agent(.refused, "it did not sign")),
            .says("Key file contains public key only", "ssh/userauth2-client.c", .key(.isPublicKey)),
            .says(
                "…Authentication was trivial! Abandoning session", "ssh/userauth2-client.c: the user's own setting",
                .known(.localRefusedByConfig, .guess)),
            .says("…Pageant failed to provide a signature", "ssh/userauth2-client.c", .agent(.refused, "it did not sign")),
            .says(
                "…Pageant failed to respond to signing request", "ssh/userauth2-client.c", .agent(.refused, "it did not answer")),
            .library("…error in proxy SSH connection: {reason}", "proxy/sshproxy.c") { found, _ in
                CommonReasons.reading(of: found["reason"] ?? "") ?? .known(.connectProxyFailed)
            },
            .library("FATAL ERROR: User aborted at {what}", "ssh/ssh.c") { found, _ in
                let what = found["what"] ?? ""
                if what.mentions("host key") { return .hostKeyUnknown(.guess, alternatives: ["the host key has changed"]) }
                return what.mentions("kex") || what.mentions("cipher")
                    ? .noCommon(.kexNoCommonKex, "algorithm that is accepted", .guess) : .known(.localCancelled, .guess)
            },
            .says("…did not receive SFTP response packet from server", "psftp.c, sftpcommon.c", .known(.sftpConnectionLost)),
            .says("…unable to understand SFTP response packet from server", "psftp.c", .known(.sftpProtocolError)),
            .library("pscp: wildcard '{pattern}' matched no files", "pscp.c") { _, _ in .known(.sftpNoSuchFile) },
            .library("{program}: option \"{option}\" requires an argument", "plink, pscp, psftp") { found, facts in
                ["plink", "pscp", "psftp", "putty"].contains(found["program"] ?? "") ? .known(.localUsage) : facts.decline()
            },
            .library("{program}: option \"{option}\" not available in this tool", "plink, pscp, psftp") { found, facts in
                ["plink", "pscp", "psftp", "putty"].contains(found["program"] ?? "") ? .known(.localUsage) : facts.decline()
            },
            .library("FATAL ERROR: Received unexpected packet in response to {what}", "ssh/userauth2-client.c") { _, _ in
                .call(.telling, "PROTO", at: .authentication, .guess, "an unexpected packet")
            },
            .says("FATAL ERROR: Received unexpected packet", "ssh", .protocolBroken(at: .keyExchange)),
            .says("FATAL ERROR: Unable to parse ", "ssh/kex2-client.c", .protocolBroken(at: .keyExchange)),
            .says("FATAL ERROR: Received {type} for {kind} channel {n}", "ssh/connection2.c", .protocolBroken(at: .session)),
            .says("FATAL ERROR: Received {type} with no outstanding", "ssh/connection2.c", .protocolBroken(at: .session)),
            .says("FATAL ERROR: Unable to generate key for ECDH", "ssh/kex2-client.c", .protocolBroken(at: .keyExchange)),
            .says("FATAL ERROR: Server sent {n}-bit RSA key, less than", "ssh/kex2-client.c", .protocolBroken(at: .keyExchange)),
            .says(
                "FATAL ERROR: Server refused request to start 'ssh-userauth' protocol", "ssh/transport2.c",
                .cut(at: .authentication)),
            .says("FATAL ERROR: Server's host key did not match any used in previous", "ssh/kex2-client.c", .hostKeyChanged()),
            .says("FATAL ERROR: Remote side sent SSH2_MSG_EXT_INFO", "ssh/transport2.c", .protocolBroken(at: .keyExchange)),
            .says("FATAL ERROR: Invalid padding length", "ssh/bpp2.c", .protocolBroken(at: .keyExchange)),
            .says("FATAL ERROR: Diffie-Hellman reply failed validation", "ssh/kex2-client.c", .protocolBroken(at: .keyExchange)),
            .says(
                "FATAL ERROR: Zlib decompression encountered invalid data", "ssh/bpp2.c",
                .call(.telling, "PROTO", at: .session, .guess, "bad compression")),
            .says(
                "…Server refused to open main channel: ", "ssh/mainchan.c",
                .known(.channelProhibited, .guess, or: ["too many sessions"])),
            .says(
                "…Cannot confirm a weak c", "console.c: a weak algorithm, in batch mode",
                .noCommon(.kexNoCommonKex, "algorithm that is accepted", .guess)),
            .says(
                "…Noninteractive SSH proxy cannot confirm host key", "proxy/sshproxy.c",
                .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
            .says(
                "…Noninteractive SSH proxy cannot perform interactive auth", "proxy/sshproxy.c",
                .known(.authInteractionRequired, .guess)),
            .says(
                "…HTTP proxy requested authentication which we do not have", "proxy/http.c", .known(.connectProxyFailed)),
            .says("…SOCKS server reported failure to connect", "proxy/socks4.c", .known(.connectProxyFailed)),
            .says("…SOCKS proxy failed to connect, error ", "proxy/socks5.c", .known(.connectProxyFailed)),
            .says("…SOCKS 5 server rejected our password", "proxy/socks5.c", .known(.connectProxyFailed)),
            .says("…SOCKS server rejected every authentication method", "proxy/socks5.c", .known(.connectProxyFailed)),
            .says("…ssh_init: error during SSH connection setup", "psftp.c", .notReached(.guess, .plain)),
            .says("…psftp: no username, aborting", "psftp.c", .known(.localUsage)),
            .library("…Unable to use this certificate file ({reason})", "userauth2-client.c") { _, _ in
                .key(.formatInvalid, nil, "", .guess)
            },
            .library("…Failed to load private key '{path}': {reason}", "fzsftp") { found, _ in
                let reason = found["reason"] ?? ""
                if reason.mentions("encrypted") { return .key(.passphraseRequired, found["path"], "", .guess) }
                return reason.mentions("unable to open") ? .key(.notFound, found["path"]) : .key(.formatInvalid, found["path"])
            },
            .says("…Server refused to start a shell/command", "ssh/mainchan.c", .request(.shell, .likely)),
            .says("…Server refused to allocate pty", "ssh/mainchan.c", TranscriptReading.request(.pty, .likely).ranked(.plain)),
            .library("…Server refused to open main session channel: {reason}", "ssh/mainchan.c") { found, _ in channel(found) },
            .library("…Server refused to open channel: {reason}", "ssh.c before 0.71") { found, _ in channel(found) },
            .library("…Forwarded connection refused by {who}: {reason}", "ssh/portfwd.c") { found, _ in channel(found) },
            .says("…Incoming packet was garbled on decryption", "ssh/bpp2.c", .protocolBroken(at: .session)),
            .says("…Incorrect MAC received on packet", "ssh/bpp2.c", .call(.telling, "INVALID_MAC", at: .session, .likely, "")),
            .says("…Incorrect CRC received on packet", "ssh/bpp2.c", .call(.telling, "INVALID_MAC", at: .session, .likely, "")),
            .says(
                "…Server protocol violation: ", "ssh/common.c: ssh_proto_error",
                .protocolBroken(at: .keyExchange)),
            .says("FATAL ERROR: Protocol error: packet ", "ssh/common.c", .protocolBroken(at: .keyExchange)),
            .says("FATAL ERROR: Connection refused", "pscp.c, psftp.c", failedRefused()),
            .library("{program}: unknown option \"{option}\"", "plink, pscp, psftp") { found, facts in
                let program = found["program"] ?? ""
                guard ["plink", "pscp", "psftp", "putty"].contains(program) else { return facts.decline() }
                if facts.proxyCommand.isEmpty { return .known(.localUsage) }
                // It is the ssh that ssh's ProxyJump runs.
                let said = "\(program): unknown option \"\(found["option"] ?? "")\""
                return TranscriptReading(
                    .telling, .proxyFailed(command: facts.proxyCommand, exitStatus: nil, standardError: said), at: .connect,
                    .likely)
            },
            .library("pscp: remote filespec {path}: not a regular file", "pscp.c") { _, _ in .known(.sftpIsADirectory) },
            .says(
                "…Server sent an additional login prompt. You need to use the interactive login type", "FileZilla: engine/sftp",
                .known(.authInteractionRequired)),
            .says("…fzsftp could not be started", "FileZilla: engine/sftp", .missingProgram("fzsftp")),
            .library("…Directory {path}: {reason}", "psftp.c, fzsftp") { found, facts in
                switch found["reason"] ?? "" {
                case "permission denied": return .known(.sftpPermissionDenied)
                case "no such file or directory": return .known(.sftpNoSuchFile)
                default: return facts.decline()
                }
            },
            .says("…Remote side closed network connection", "ssh/ssh.c", dropped(.closed)),
            .says("…nexpected end-of-file from server", "pscp.c", TranscriptReading.lost(.closed, .guess).ranked(.wrapper)),
            .says(
                "…nexpected end-of-file from SFTP server", "psftp; FileZilla",
                TranscriptReading.known(.sftpConnectionLost, .guess, .wrapper)),
            .says("…nable to initialise SFTP", "psftp.c", TranscriptReading.known(.channelSubsystemMissing, .guess, .wrapper)),
            .says(
                "…Host key signature verification failed", "ssh/kex2-client.c",
                .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
            .says(
                "…host key did not match the signature supplied", "ssh/kex2-client.c before 0.77",
                .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
            .says(
                "…Signature from server's host key is invalid", "ssh/kex2-client.c",
                .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
            .library("…Remote process exit code {status}", "plink -v") { found, _ in nil },
            .library("…Proxy error: {text}", "proxy/proxy.c") { found, _ in
                TranscriptReading(
                    .telling, .proxyFailed(command: "", exitStatus: nil, standardError: (found["text"] ?? "").oneLine(80)),
                    at: .connect, .likely)
            },
            .library("…The first {kind} supported by the server is {name}, which is", "console.c, fzsftp: of a weak algorithm") {
                found, facts in
                guard ["ciph", "key-exchange", "host key", "MAC"].contains(where: { found["kind"]?.mentions($0) == true }) else {
                    return facts.decline()
                }
                let kind = found["kind"] ?? ""
                return .noCommon(TranscriptReading.algorithmCode(kind), kind, .guess).ranked(.plain)
            },
            .says(
                "…Remote side does not speak SSH", "ssh/verstring.c",
                TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely)),
            .says(
                "…SSH protocol version 1 required by our configuration", "ssh/ssh.c", .known(.bannerUnsupportedVersion, .guess)),
            .library("pscp: {path}: no such file or directory", "pscp.c, psftp") { _, _ in .known(.sftpNoSuchFile) },
            .library("pscp: unable to open {path}: {reason}", "pscp.c") { found, _ in
                (found["reason"] ?? "").lowercased().mentions("denied")
                    ? .known(.sftpPermissionDenied, .guess, or: ["it is a file here"])
                    : .known(.sftpNoSuchFile, .guess, or: ["it is a file here"])
            },
            .library("{path}: open for {how}: {reason}", "pscp.c, psftp.c, fzsftp") { found, facts in
                switch found["reason"] ?? "" {
                case let reason where reason.hasPrefix("permission denied"): return .known(.sftpPermissionDenied)
                case let reason where reason.hasPrefix("no such file"): return .known(.sftpNoSuchFile)
                default: return facts.decline()
                }
            },
        ]

    private static func failedRefused() -> TranscriptReading {
        .unconnected("connection refused", .likely)
    }

    private static func channel(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        return reason.mentions("rohibited") ? .known(.channelProhibited) : .channelRefused(2, reason, .guess)
    }

    private static let network: [TranscriptRow] = [
        .noting("Session stopped", "MobaXterm, below the terminal's text") { _, facts in
            if facts.otherLines.last(4).contains(where: { $0.hasPrefix("[") && $0.mentions("@") && $0.hasSuffix("#") }) {
                facts.stage = .session
            }
        },
        TranscriptRow("…unable to connect to forwarded X server: {reason}", "x11fwd.c: this machine's") { _, _ in nil },
        .library("…Network error: {reason}", "network.h, WinSCP's NET_TRANSL") { found, facts in
            failed(found["reason"] ?? "", &facts)
        },
        .says("…unexpectedly closed network connection", "ssh/ssh.c", dropped(.closed)),
        .library("…Unable to open connection: {reason}", "network.c") { found, _ in .unresolved(found["reason"] ?? "", .likely) },
        .says("…Unable to open connection:", "network.c: the reason is in the next line", .notReached(.guess, .plain)),
        .says("Host does not exist", "network.c", .unresolved("not known", .likely)),
        .says("…ssh_init: Host does not exist", "pscp.c, psftp.c", .unresolved("not known", .likely)),
        .says("…gethostbyname: unknown error", "windows/network.c", .unresolved("not known", .guess)),
    ]

    private static func dropped(_ end: SSHStreamEnd) -> TranscriptReading {
        .ended(
            .telling, end, at: .banner, .guess,
            alternatives: SharedAlternatives.closedEarly + ["it was closed during the login", "it was lost while a command ran"])
    }

    private static let quoted = TranscriptTemplate("Connection to \"{host}\" {what}")

    private static func failed(_ reason: String, _ facts: inout TranscriptFacts) -> TranscriptReading? {
        if let found = quoted.match(reason) { facts.host = found["host"] ?? "" }
        if reason.mentions("Software caused connection abort") { return .lost(.reset, .likely) }
        if reason.hasPrefix("Connection reset") { return dropped(.reset) }
        if reason.hasSuffix("refused.") && reason.hasPrefix("Connection to ") {
            return .unconnected("connection refused", .likely)
        }
        let known = [
            "Connection refused", "Connection timed out", "No route to host", "Network is ", "Host is ", "Connection to \"",
            "Permission denied", "Cannot assign requested address",
        ]
        guard known.contains(where: { reason.hasPrefix($0) }) else { return facts.decline() }
        return .unconnected(reason, .likely)
    }
}
