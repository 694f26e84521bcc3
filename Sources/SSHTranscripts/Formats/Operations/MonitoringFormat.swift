/// Monitoring, tests and automation. Sources: zabbix, ssh_run.c of libssh and of libssh2; rancid, clogin.in; pexpect, pxssh.py;
/// SSHLibrary of Robot Framework, abstractclient.py; unicon; tempest, ssh.py; rally, sshutils.py; cockpit, cockpitsshrelay.c;
/// smart_proxy_remote_execution_ssh, multiplexer and runners; cloudstack, SshHelper.java; st2,
/// parallel_ssh.py.
enum MonitoringFormat {
    static let all = [
        TranscriptFormat("zabbix", zabbix), TranscriptFormat("rancid", rancid), TranscriptFormat("pexpect", pexpect),
        TranscriptFormat("robot framework", robot), TranscriptFormat("unicon", unicon),
        TranscriptFormat("tempest", tempest), TranscriptFormat("cockpit", cockpit), TranscriptFormat("foreman", foreman),
        TranscriptFormat("stackstorm", stackStorm),
    ]

    /// A line that shows that a script has started ssh. Without it, the same messages may be telnet's.
    static let spawning: [TranscriptRow] = ["spawn ssh ", "connection to spawn: ssh ", "Running: /usr/bin/ssh "].map { words in
        .noting("…\(words)", "Expect, unicon and BackupPC print the command") { _, facts in facts.dialog = .spawned }
    }

    private static func spawned(
        _ text: String, _ source: String, _ said: @autoclosure @escaping @Sendable () -> TranscriptReading
    )
        -> TranscriptRow
    {
        .library(text, source) { _, facts in facts.dialog == .spawned ? said() : facts.decline() }
    }

    private static let zabbix: [TranscriptRow] = [
        .library("…Cannot establish SSH session{reason}", "ssh_run") { found, _ in
            LibSSHTexts.reading(of: found["reason"] ?? "") ?? .notReached(.guess, .plain, or: ["the two share no algorithm"])
        },
        .library("…Unsupported authentication method. Supported methods: {methods}", "ssh_run") { found, facts in
            ["publickey", "keyboard-interactive"].contains { found["methods"]?.mentions($0) == true }
                ? .known(.authMethodNotOffered) : facts.decline()
        },
        .says(
            "…Authentication by public key failed. SSHKeyLocation option is not set", "ssh_run",
            .key(.notFound, nil, "", .guess)),
        .library("{before}Cannot access private key file {path}", "ssh_run") { found, facts in
            // The names of Zabbix' items: ssh.run[…].
            found["before"]?.mentions("ssh") == true
                ? .key(.notFound, found["path"], "", .guess, alternatives: ["it may not be read"]) : facts.decline()
        },
        .library("…Cannot establish generic session channel{reason}", "ssh_run") { _, _ in
            .known(.channelProhibited, .guess, or: ["too many sessions", "the connection was lost"])
        },
        .says("…Cannot request a subsystem", "ssh_run", .request(.subsystem, .guess)),
        .library("…Cannot read data from SSH server{reason}", "ssh_run") { _, _ in .lost(.closed, .guess) },
    ]

    private static let rancid: [TranscriptRow] =
        spawning + [
            .library("…Error: Connection Refused (ssh): {host}", "clogin") { _, _ in
                .unconnected("connection refused", .likely)
            },
            .library("…Error: Connection closed (ssh): {host}", "clogin") { _, _ in .cut() },
            .library("…Error: The host key for {host} has changed.", "clogin") { _, _ in .hostKeyChanged() },
            .library("…Error: host key mismatch for {host}.", "clogin: Offending key") { _, _ in .known(.hostKeyChanged, .guess)
            },
            .library("…Error: Check your passwd for {host}", "clogin") { _, facts in
                facts.dialog == .spawned ? .refused("password", .guess) : facts.decline()
            },
            .library("…Error: Couldn't login: {host}", "clogin: ssh has ended") { _, facts in
                facts.dialog == .spawned ? .notReached(.guess, or: ["the login was refused"]) : facts.decline()
            },
            .library("…Error: Unknown host {host}", "clogin") { _, facts in
                facts.dialog == .spawned ? .unresolved("not known", .guess) : facts.decline()
            },
            .library("…Error: Host Unreachable: {host}", "clogin") { _, facts in
                facts.dialog == .spawned ? .unconnected("no route to host", .guess) : facts.decline()
            },
            spawned(
                "…Error: TIMEOUT reached", "clogin",
                .timedOut(.connect, .guess, alternatives: ["the device's prompt is not the known one", "the login stalled"])),
        ]

    private static let pexpect: [TranscriptRow] = [
        .library("…ExceptionPxssh: {text}", "pxssh.py: login") { found, _ in
            switch found["text"] ?? "" {
            case let text where text.hasPrefix("password refused"): .refused("password", .guess)
            case let text where text.hasPrefix("permission denied"):
                .refused("publickey", .guess, alternatives: SharedAlternatives.login)
            case let text where text.hasPrefix("could not s"): .known(.channelPromptMissing, .guess)
            case let text where text.hasPrefix("connection closed"): .cut(.closed, at: .banner, .plain)
            case let text where text.hasPrefix("private ssh key does not exist"): .key(.notFound)
            case let text where text.hasPrefix("SSH config does not exist"): .known(.localConfigInvalid, .guess)
            default: .notReached()
            }
        },
        .noting("…pexpect.exceptions.TIMEOUT: ", "exceptions.py") { _, facts in facts.dialog = .expectTimeout },
        .noting("…pexpect.exceptions.EOF: ", "exceptions.py") { _, facts in facts.dialog = .expectEnd },
        .library("command: {path}", "pty_spawn.py: the state of a child") { found, facts in
            guard found["path"]?.hasSuffix("/ssh") == true else { return facts.decline() }
            if facts.dialog == .expectEnd { return .notReached(.guess, .wrapper, or: ["the login was refused"]) }
            guard facts.dialog == .expectTimeout else { return facts.decline() }
            return TranscriptReading.timedOut(
                .connect, .guess, alternatives: ["the prompt is not the expected one", "the login or the command stalled"]
            ).ranked(.wrapper)
        },
    ]

    private static let robot: [TranscriptRow] = [
        .noting("…| FAIL |", "Robot Framework: a test's result") { _, facts in facts.dialog = .robot },
        .library("…Authentication failed for user '{user}'.", "SSHLibrary: login") { _, facts in
            facts.dialog == .robot ? .refused("password", .guess) : facts.decline()
        },
        .library("…SSHClientException: Authentication failed for user '{user}'", "SSHLibrary: login") { _, _ in
            .refused("password", .guess)
        },
        .library("…No match found for '{text}' in {time} second", "SSHLibrary: read_until") { _, _ in
            .known(.channelPromptMissing, .guess)
        },
        .library("…Login with public key failed for user '{user}'", "SSHLibrary: login_with_public_key") { _, _ in
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .library("…Given key file '{path}' does not exist", "SSHLibrary: login_with_public_key") { found, _ in
            .key(.notFound, found["path"], "", .guess)
        },
        .library("{before}Could not read key file '{path}'", "SSHLibrary: login_with_public_key") { found, facts in
            facts.dialog == .robot || found["before"]?.mentions("SSH") == true
                ? .key(.unreadable, found["path"], "", .guess) : facts.decline()
        },
    ]

    private static let unicon: [TranscriptRow] = [
        .library("…unicon.core.errors.ConnectionError: failed to connect to {host}", "core/errors.py") { _, facts in
            facts.dialog == .spawned ? .notReached(.guess, or: ["the login was refused"]) : facts.decline()
        },
        spawned(
            "…unicon.core.errors.UniconAuthenticationError", "core/errors.py",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
    ]

    private static let tempest: [TranscriptRow] = [
        .library(
            "…Failed to establish authenticated ssh connection to {account} ({reason}). Number attempts", "lib/common/ssh.py"
        ) {
            found, facts in
            facts.note(account: found["account"] ?? "")
            return LibSSHTexts.reading(of: found["reason"] ?? "") ?? .notReached(.guess, .plain, or: ["the login was refused"])
        },
        .library("…SSHTimeout: Timeout waiting for '{host}'", "rally: sshutils.py") { _, _ in
            .timedOut(.connect, .guess, alternatives: ["it refused the connection or the login all the time"])
        },
        .library("…Failed to authentication SSH user {user} on host {host}", "cloudstack: SshHelper.java") { _, _ in
            .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
    ]

    private static let cockpit: [TranscriptRow] = [
        .library("…cockpit-ssh {x}: refusing to connect to unknown host: {host}", "set_knownhosts_file") { _, _ in
            .hostKeyUnknown(.likely)
        },
        .says("…host key for server has changed to: ", "verify_knownhost", .hostKeyChanged()),
        .says("…host key for this server changed key type: ", "verify_knownhost", .known(.hostKeyOtherTypeKnown)),
        .says("…host key for server is not known: ", "verify_knownhost", .hostKeyUnknown(.likely)),
        .says("…key auth failed: server asked for retry", "do_key_auth", .refused("publickey", .likely)),
        .says("…password auth failed: server asked for retry", "do_password_auth", .refused("password", .likely)),
        .library("…cockpit-ssh {host}: {n} couldn't connect: {reason}", "cockpit_ssh_connect") { found, _ in
            LibSSHTexts.reading(of: found["reason"] ?? "") ?? .notReached(.guess, .plain)
        },
        .library("…cockpit-ssh {host}: couldn't {what}: {reason}", "cockpit_ssh_connect") { found, facts in
            if let said = LibSSHTexts.reading(of: found["reason"] ?? "") { return said }
            switch found["what"] {
            case "connect"?: return .notReached(.guess, .plain)
            case "authenticate"?, "key authenticate"?:
                return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
            case "open session"?: return .known(.channelProhibited, .guess, or: ["the connection was lost"])
            default: return facts.decline()
            }
        },
        .says("…server offered unsupported authentication methods: ", "authenticate", .known(.authMethodNotOffered)),
        .library("…cockpit-ssh {x}: server offered no authentication methods", "authenticate") { _, _ in
            .known(.authMethodNotOffered, .guess)
        },
        .library("…spawning remote bridge failed with {status} status", "cockpit_ssh_relay") { found, _ in
            found["status"] == "127" ? .known(.commandNotFound) : .known(.commandExitNonzero, .guess)
        },
    ]

    private static let foreman: [TranscriptRow] = [
        .says(
            "…Could not establish connection to remote host using any available authentication method", "multiplexed_ssh.rb",
            // ssh's own words follow.
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.wrapper)),
        .library("…Failed to establish connection to remote host, exit code: {status}", "script_runner.rb") { found, facts in
            found["status"]?.hasPrefix("255") == true ? .notReached() : facts.decline()
        },
        .library("…Unable to create directory on remote system {path}: exit code: {status}", "script_runner.rb") { found, _ in
            found["status"]?.hasPrefix("255") == true ? .notReached() : .known(.commandExitNonzero, .guess)
        },
    ]

    private static let stackStorm: [TranscriptRow] = [
        .library("…Failed connecting to host {host}. {reason}", "st2common: parallel_ssh.py") { found, _ in
            let reason = found["reason"] ?? ""
            if reason.mentions("[Errno 2] ") { return .key(.notFound, nil, "", .guess) }
            return LibSSHTexts.reading(of: reason) ?? .notReached(.guess, .wrapper, or: ["the login was refused"])
        }
    ]
}
