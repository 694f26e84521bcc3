/// Rust's russh and ssh-rs, libgit2 with cargo, Erlang, Twisted's Conch. Sources: russh, error.rs; libgit2, transports/ssh.c; cargo,
/// sources/git/utils.rs and known_hosts.rs; otp, ssh_auth.erl and ssh_transport.erl; Conch, ssh/transport.py and
/// ssh/userauth.py.
enum NativeFormat {
    static let all = [
        TranscriptFormat("russh", russh), TranscriptFormat("ssh-rs", sshRS), TranscriptFormat("libgit2", libgit2),
        TranscriptFormat("erlang", erlang), TranscriptFormat("conch", conch),
    ]

    private static let russh: [TranscriptRow] = [
        .says("…kind: Kex,", "error.rs: NoCommonAlgo", noCommon("Kex").near(.rust)),
        .says("…kind: Key,", "error.rs: NoCommonAlgo", noCommon("Key").near(.rust)),
        .says("…kind: Cipher,", "error.rs: NoCommonAlgo", noCommon("Cipher").near(.rust)),
        .says("…kind: Mac,", "error.rs: NoCommonAlgo", noCommon("Mac").near(.rust)),
        .says("…kind: Compression,", "error.rs: NoCommonAlgo", noCommon("Compression").near(.rust)),
        .whole(
            "…No common algorithm", "error.rs, before it named the kind",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .library("…ould not find common {kind} algorithm, other side only supports", "negotiation.rs") { found, _ in
            let kind = found["kind"] ?? ""
            return noCommon(kind.prefix(1).uppercased() + kind.dropFirst())
        },
        .library("…NoCommonKexAlgo", "error.rs before 0.45: the value itself") { _, _ in noCommon("Kex") },
        .library("…NoCommonKeyAlgo", "error.rs before 0.45: the value itself") { _, _ in noCommon("Key") },
        .library("…NoCommonCipher", "error.rs before 0.45: the value itself") { _, _ in noCommon("Cipher") },
        .library("…No common {kind} algorithm", "error.rs") { found, _ in noCommon(found["kind"] ?? "") },
        .says("…Unknown server key", "error.rs: UnknownKey", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("{before}Keepalive timeout", "error.rs") { found, facts in
            guard let before = found["before"], before.mentions("russh") || before == "Error: " else { return facts.decline() }
            return before == "Error: " ? .silent().near(.rust) : .silent()
        },
        .says("Error: HUP", "error.rs: HUP", TranscriptReading.lost(.closed, .guess).near(.rust)),
        .says("Error: Disconnected", "error.rs: Disconnect", TranscriptReading.cut().near(.rust)),
        .says(
            "Error: Not authenticated", "error.rs: NotAuthenticated",
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).near(.rust)),
        .says(
            "Error: Inactivity timeout", "error.rs: InactivityTimeout",
            TranscriptReading.known(.sessionKeepaliveTimedOut, .guess).near(.rust)),
        .says(
            "…Target host key is not trusted", "warpgate: protocol-ssh, session.rs",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says("…Could not read key", "keys/error.rs", TranscriptReading.key(.formatInvalid, nil, "", .guess).near(.rust)),
        .says(
            "…Environment variable `SSH_AUTH_SOCK` not found", "keys/error.rs", .agent(.unavailable, "SSH_AUTH_SOCK is not set")),
        .library("…Remote rejected opening a shell channel{reason}", "tabby-ssh: session/ssh.ts") { found, _ in
            let reason = found["reason"] ?? ""
            // The library has no connection any more.
            if reason.mentions("Not connected") { return .cut(.closed, at: .banner, .wrapper) }
            return reason.mentions(": Disconnect")
                ? .known(.sessionDisconnected, .guess, .wrapper, or: ["a credential was refused"])
                : .known(.channelProhibited, .guess, .wrapper, or: ["the connection was closed"])
        },
        .says(
            "…Wrong server signature", "error.rs: WrongServerSig", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")),
        .library("…Key changed, line {n}", "error.rs: KeyChanged") { _, _ in .hostKeyChanged() },
        .says("…The server key changed at line", "keys/error.rs", .hostKeyChanged()),
        .says("…Key exchange init failed", "error.rs: KexInit", .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .says(
            "…Wrong packet authentication code", "error.rs: PacketAuth",
            .call(.telling, "INVALID_MAC", at: .session, .guess, "PacketAuth")),
        .says("…Connection closed by the remote side", "error.rs: HUP", .cut()),
        .says("…Failed to open channel (", "error.rs: ChannelOpenFailure", TranscriptReading.known(.channelProhibited, .guess)),
        .says("…ChannelOpenFailure(AdministrativelyProhibited", "error.rs", .known(.channelProhibited)),
        .says("…ChannelOpenFailure(ConnectFailed", "error.rs", .known(.channelJumpTargetUnreachable)),
        .library("{before}Inactivity timeout", "error.rs") { found, facts in
            guard let before = found["before"], before.mentions("russh") || before.mentions("SSH") else { return facts.decline() }
            return .silent()
        },
        .library("{before}Connection timeout", "error.rs: ConnectionTimeout") { found, facts in
            guard let before = found["before"], before.mentions("russh") || before.mentions("SSH") else { return facts.decline() }
            return .timedOut(.connect, .guess)
        },
        .library("…Error: Fatal: {reason}", "libssh-rs: error.rs, with libssh's words") { found, facts in
            CommonReasons.reading(of: found["reason"] ?? "")?.near(.rust) ?? facts.decline()
        },
        .says("…The key is encrypted", "keys/error.rs: KeyIsEncrypted", .key(.passphraseRequired)),
        .says("…The key is corrupt", "keys/error.rs: KeyIsCorrupt", .key(.formatInvalid)),
        .whole("…russh::ssh_read] read 0", "ssh_read.rs: its log before the server's identification", .cut()),
        .says("…russh::Error: Disconnect", "error.rs", .cut()),
        .says("…Error: russh: Disconnect", "error.rs", .cut()),
        .says(
            "…russh::Error: NotAuthenticated", "error.rs", .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .library("…No authentication method{rest}", "error.rs: NoAuthMethod") { found, facts in
            // paramiko's message is about methods.
            found["rest"]?.first?.isLetter == true ? facts.decline() : .noCredentials(.guess)
        },
        .says("…WrongServerSig", "error.rs", .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "")),
    ]

    /// The crate ssh-rs. Source: ssh-rs, error.rs and client_auth.rs.
    private static let sshRS: [TranscriptRow] = [
        .says("…Kind(KeyExchangeError)", "error.rs", .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .says(
            "…Kind(SshError(\"key exchange error.\"))", "error.rs",
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .says("…Kind(PasswordError), Message(Password authentication failed", "error.rs", .refused("password", .likely)),
        .says(
            "…Kind(SshError(\"user auth failure.\"))", "client_auth.rs",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…Kind(SignatureError), Message(Signature verification failure", "error.rs",
            .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .guess, "")),
    ]

    private static func noCommon(_ kind: String) -> TranscriptReading {
        let codes: [String: SSHError.Code] = [
            "Kex": .kexNoCommonKex, "Key": .kexNoCommonHostKeyAlgorithm, "Cipher": .kexNoCommonCipher, "Mac": .kexNoCommonMAC,
            "Compression": .kexNoCommonCompression,
        ]
        return .noCommon(codes[kind] ?? TranscriptReading.algorithmCode(kind), "\(kind) algorithm")
    }

    private static let libgit2: [TranscriptRow] = [
        .says(
            "…failed to authenticate when downloading repository", "utils.rs",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…attempted ssh-agent authentication, but no", "utils.rs",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .library("…ailed to authenticate SSH session: {reason}", "ssh_libssh2.c") { found, _ in notLoggedIn(found) },
        .says(
            "…invalid or unknown remote ssh hostkey", "ssh_libssh2.c",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says(
            "…user canceled hostkey check", "ssh_libssh2.c", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says("…error: unknown SSH host key", "known_hosts.rs", .hostKeyUnknown(.likely)),
        .says(
            "…user rejected certificate for ", "libgit2: net.c",
            TranscriptReading.hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .says(
            "…SSH fingerprint failed to verify", "Xcode", .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .says(
            "…SSH Fingerprint Failed to Verify", "Xcode 27",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("{before}Authentication failed because {reason}", "Xcode, with the address of the repository") { found, facts in
            let before = found["before"] ?? ""
            guard before.mentions("git@") || before.mentions("ssh://") else { return facts.decline() }
            return found["reason"]?.mentions("rejected") == true
                ? .refused("publickey", .guess, alternatives: SharedAlternatives.login) : .noCredentials(.guess)
        },
        .says("…authentication required but no callback set", "libgit2", .noCredentials(.likely)),
        .says("…LibGit2SharpException: unsupported URL protocol", "libgit2, without SSH", .known(.localUnsupported, .guess)),
        .says("…unsupported URL protocol; class=Net", "libgit2 in Rust, without SSH", .known(.localUnsupported, .guess)),
        .says("no authentication available", "libgit2: remote.c; a line feed may come before it", .noCredentials(.guess)),
        .says("This transport isn't implemented. Sorry", "libgit2: transport.c, without SSH", .known(.localUnsupported, .guess)),
        .says("…GitError: unsupported URL protocol", "libgit2: transport.c, without SSH", .known(.localUnsupported, .guess)),
        .says(
            "…Failed to retrieve list of SSH authentication methods", "ssh_libssh2.c",
            .ended(
                .telling, .closed, at: .authentication, .guess, alternatives: ["the account is refused", "the server is busy"])),
        .library("…ailed to start SSH session{reason}", "ssh_libssh2.c, with libssh2's own words") { found, _ in
            LibSSHRows.reading(ofLibSSH2: found["reason"] ?? "") ?? .cut(at: .keyExchange, .plain)
        },
        .says(
            "…user cancelled hostkey check", "libgit2's callback, of Flux",
            .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .library("{before}, error: Certificate", "libgit2's error of its callback, of Flux") { found, facts in
            found["before"]?.mentions("ssh://") == true
                ? .hostKeyUnknown(.guess, alternatives: ["it has changed"]) : facts.decline()
        },
        .says("…unable to connect to agent pipe", "libssh2 agent_win.c", .agent(.unavailable, "it could not be connected to")),
        .says("…Failed to connect to SSH agent (rc=", "TablePro", .agent(.unavailable, "it could not be connected to")),
        .says("…failed connecting agent", "ssh_libssh2.c", .agent(.unavailable, "it could not be connected to")),
        .library("…error authenticating: {reason}", "ssh_libssh2.c, before 0.25") { found, _ in notLoggedIn(found) },
        .says(
            "…too many redirects or authentication replays", "libgit2",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…failed to set hostkey preference", "ssh_libssh2.c",
            .noCommon(.kexNoCommonHostKeyAlgorithm, "host key algorithm", .guess)),
        .library("…The SSH host key for `{host}` is not known", "known_hosts.rs") { _, _ in .hostKeyUnknown(.likely) },
        .library("…SSH host key has changed for `{host}`", "known_hosts.rs") { _, _ in .known(.hostKeyChanged) },
        .library("…SSH host key has been revoked for `{host}`", "known_hosts.rs") { _, _ in .known(.hostKeyRevoked) },
        .library("…failed to resolve address for {host}: {reason}; class=Net", "streams/socket.c") { found, _ in
            .unresolved(found["reason"] ?? "", .likely)
        },
        .library("…failed to connect to {host}: {reason}; class=Os", "streams/socket.c") { found, facts in
            facts.mentionsSSHURL ? .unconnected(found["reason"] ?? "", .likely) : facts.decline()
        },
        .says("…SSH could not execute request", "ssh_libssh2.c", TranscriptReading.request(.exec, .guess).ranked(.plain)),
        .says(
            "…Failed to open SSH channel", "ssh_libssh2.c", .known(.channelProhibited, .guess, or: ["the connection was lost"])),
        .says(
            "…authentication callback returned unsupported credentials type", "ssh_libssh2.c",
            .known(.authMethodNotOffered, .guess)),
        .says("…callback failed to initialize SSH credentials", "ssh_libssh2.c", .noCredentials(.guess)),
        .library("{text}; class=Ssh (23)", "errors.h: GIT_ERROR_SSH, with words that no other row has") { found, _ in
            let text = found["text"] ?? ""
            let reading = LibSSHRows.reading(ofLibSSH2: text) ?? CommonReasons.reading(of: text) ?? .notReached()
            return reading.ranked(.ending)
        },
        .noting("…ssh://git@", "a URL of git's") { _, facts in facts.mentionsSSHURL = true },
    ]

    /// A failed login, with libssh2's own words.
    private static func notLoggedIn(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        if reason.hasPrefix("Unable to send userauth") {
            return .ended(
                .telling, .closed, at: .authentication, .guess, alternatives: ["the key cannot be read, or was refused"])
        }
        return LibSSHRows.reading(ofLibSSH2: reason)
            ?? .refused("publickey", .guess, alternatives: SharedAlternatives.login)
    }

    private static let erlang: [TranscriptRow] = [
        .says("…reason: :unsupported_algorithm", "ssh_client_key_api: KeyError", .key(.typeUnsupported, nil, "", .guess)),
        .says(
            "…Unable to connect using the available authentication methods", "ssh_auth.erl",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…ssh_msg_userauth_failure", "ssh_auth.erl: the server's message, in a crash report",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says("…\"Key exchange failed\"", "ssh_transport.erl", .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .says("…'Key exchange failed'", "ssh_transport.erl", .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .says(
            "…econnrefused", "inet",
            TranscriptReading.unconnected("connection refused", .likely).near(.erlang)),
        .says("…nxdomain", "inet", TranscriptReading.unresolved("not known", .likely).near(.erlang)),
        .says(
            "…ehostunreach", "inet",
            TranscriptReading.unconnected("no route to host", .likely).near(.erlang)),
        .says("…etimedout", "inet", TranscriptReading.timedOut(.connect, .likely).near(.erlang)),
        .says(
            "…error, :timeout", "ssh.erl",
            TranscriptReading.timedOut(.connect, .guess, alternatives: ["the server was slow"]).near(.erlang)),
        .says(
            "…error,timeout", "ssh.erl",
            TranscriptReading.timedOut(.connect, .guess, alternatives: ["the server was slow"]).near(.erlang)),
        .says("…error,closed", "ssh.erl", TranscriptReading.cut().near(.erlang)),
        .says("…error, :closed", "ssh.erl", TranscriptReading.cut().near(.erlang)),
        .library("…Disconnects with code = {reason} [RFC4253 11.1]: {text}", "ssh_connection_handler.erl") { found, facts in
            // The message of the library, not of the server.
            found["reason"] == "3"
                ? .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess) : OpenSSHSessionRows.disconnected(found, facts)
        },
        .says(
            "…\"Service not available\"", "ssh_connection_handler.erl",
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).near(.erlang)),
        .says("{:error, {:options, {", "ssh_options.erl, as Elixir prints it", .known(.localUsage, .guess)),
        .says(
            "…no_common_", "ssh_transport.erl",
            TranscriptReading.noCommon(.kexNoCommonKex, "algorithm of some kind", .guess).near(.erlang)),
    ]

    private static let conch: [TranscriptRow] = [
        .noting("…] starting service ssh-userauth", "transport.py: setService") { _, facts in facts.stage = .authentication },
        .noting("…] starting service ssh-connection", "transport.py: setService") { _, facts in facts.stage = .session },
        // RFC 4253 section 11.1: 11 is SSH_DISCONNECT_BY_APPLICATION, which clients send when they are done.
        .library("…Got remote error, code {code}", "transport.py: ssh_DISCONNECT") { found, facts in
            let words = (found["code"] ?? "").split(maxSplits: 1) { $0 == " " || $0 == ":" }.map(String.init)
            guard let reason = words.first.flatMap({ Int($0) }) else { return facts.decline() }
            if reason == 11 { return nil }
            return OpenSSHSessionRows.disconnected(["reason": String(reason), "text": words.dropFirst().first ?? ""], facts)
        },
        .says(
            "…no more authentication methods available", "userauth.py",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says("…couldn't match all kex parts", "transport.py", .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)),
        .library("…conch.ssh.keys.BadKeyError: {text}", "ssh/keys.py") { found, _ in
            let text = found["text"] ?? ""
            if text.mentions("assphrase") || text.mentions("check values do not match") {
                return .key(.passphraseWrong, nil, "", .guess)
            }
            return .key(text.mentions("unknown key type") ? .typeUnsupported : .formatInvalid, nil, "", .guess)
        },
        .says("…conch.ssh.keys.EncryptedKeyError", "ssh/keys.py", .key(.passphraseRequired)),
        .library("…conch.error.ConchError: ({text}, {reason})", "ssh/connection.py: the refusal of a channel") { found, facts in
            guard let reason = UInt32(found["reason"] ?? ""), (1...4).contains(reason) else { return facts.decline() }
            return .channelRefused(reason, (found["text"] ?? "").trimming("b'\""), .guess)
        },
        .says(
            "…conch.error.ConchError: ", "error.py",
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.plain)),
        .says(
            "…Connection was refused by other side", "twisted.internet.error",
            TranscriptReading.unconnected("connection refused", .likely).near(.twisted)),
        .says(
            "…User timeout caused connection failure", "twisted.internet.error",
            TranscriptReading.timedOut(.connect, .likely).near(.twisted)),
        .says(
            "…twisted.internet.error.DNSLookupError", "twisted.internet.error",
            TranscriptReading.unresolved("not known", .likely).near(.twisted)),
        .says("…twisted.internet.error.ConnectionDone", "twisted.internet.error", TranscriptReading.cut().near(.twisted)),
        .says("…twisted.internet.error.ConnectionLost", "twisted.internet.error", TranscriptReading.cut(.reset).near(.twisted)),
        .says("…conch.error.HostKeyChanged", "error.py", .known(.hostKeyChanged)),
        .says("…conch.error.UserRejectedKey", "error.py", .hostKeyUnknown(.likely)),
    ]
}
