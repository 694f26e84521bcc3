/// Tools that run ssh for one purpose, and their own messages about its failure. Sources: sshuttle, ssh.py and client.py; ssh-audit; sanoid,
/// syncoid; nix, ssh.cc and build-remote.cc; Emacs, tramp-sh.el and tramp.el; dulwich, errors.py; mutagen, agent/dial.go;
/// ceph, mgr/cephadm/ssh.py; monitoring-plugins, check_by_ssh.c; home-assistant, asuswrt.py; execa, for ssh-keyscan; NppFTP.
enum ToolFormat {
    static let all = [
        TranscriptFormat("sshuttle", sshuttle), TranscriptFormat("ssh-audit", audit),
        TranscriptFormat("syncoid", syncoid), TranscriptFormat("nix", nix),
        TranscriptFormat("tramp", tramp), TranscriptFormat("dulwich", dulwich), TranscriptFormat("cephadm", cephadm),
        TranscriptFormat("check_by_ssh", monitoring), TranscriptFormat("mutagen", mutagen),
        TranscriptFormat("home-assistant", homeAssistant), TranscriptFormat("openssh", keyscan),
        TranscriptFormat("proxmox", proxmox),
        TranscriptFormat("salt-ssh", salt), TranscriptFormat("nppftp", nppFTP),
        TranscriptFormat("routeros", routerOS), TranscriptFormat("vuls", vuls),
        TranscriptFormat("rsync", rrsync), TranscriptFormat("pgbackrest", pgBackRest),
    ]

    /// Its ssh ended without a word, as `LogLevel=error` hides some. Source: pgbackrest, common/io and protocol.
    private static let pgBackRest: [TranscriptRow] = [
        .library("…waiting for read from 'remote-{n} process on '{host}'", "common/io/fd.c") { _, _ in
            .notReached(.guess, .wrapper, or: ["the login was refused", "the program there ended"])
        },
        .library("…remote-{n} process on '{host}' terminated unexpectedly [255]", "common/exec.c") { _, _ in
            .notReached(.guess, .wrapper, or: ["the login was refused"])
        },
    ]

    /// The script rrsync, which a key's line in `authorized_keys` runs instead of the client's command. Source: rsync,
    /// support/rrsync.
    private static let rrsync: [TranscriptRow] = [
        .says("…rrsync error: ", "die", .known(.commandRejected, .likely)),
        .says("…rrsync: Not invoked via sshd", "the script in Perl", .known(.commandRejected, .likely)),
        .says("…rrsync: SSH_ORIGINAL_COMMAND='", "the script in Perl", .known(.commandRejected, .likely)),
    ]

    /// Source: vuls, scan/serverapi.go.
    private static let vuls: [TranscriptRow] = [
        .says(
            "…Unable to connect via SSH. Scan with ", "detectOS",
            .notReached(.guess, .wrapper, or: ["the host key is not known", "the login was refused"]))
    ]

    /// Source: MikroTik's manual of RouterOS, the command /tool fetch. Port 22 is that of SFTP.
    private static let routerOS: [TranscriptRow] = [
        .library("…closing connection: <{reason}> {address}:22", "/tool fetch") { found, _ in
            let reason = found["reason"] ?? ""
            if reason.mentions("permission denied") {
                return .known(.sftpPermissionDenied, .guess, or: ["the password was refused"])
            }
            return CommonReasons.reading(of: reason) ?? .notReached(.guess, .plain)
        }
    ]

    /// Source: NppFTP, FTPClientWrapperSSH.cpp. libssh's own words follow some of its messages.
    private static let nppFTP: [TranscriptRow] = [
        .says(
            "…[SFTP] None of the server's authentication methods were accepted", "authenticate", .known(.authMethodNotOffered)),
        .says("…[SFTP] No authentication methods provided", "authenticate", .known(.authMethodNotOffered, .guess)),
        .says("…[SFTP] Key authentication denied", "authenticate_key", .refused("publickey", .likely)),
        .says("…[SFTP] Password authentication denied", "authenticate_password", .refused("password", .likely)),
        .says(
            "…[SFTP] Keyboard interactive authentication denied", "authenticate_kbinteractive",
            .refused("keyboard-interactive", .likely)),
        .says(
            "…[SFTP] Unable to authenticate", "authenticate",
            TranscriptReading.refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.ending)),
        .says(
            "…[SFTP] Private key file not found or permission denied", "authenticate_key",
            .key(.notFound, nil, "", .guess, alternatives: ["it may not be read"])),
        .says(
            "…[SFTP] Invalid private key file or incorrect passphrase", "authenticate_key",
            .key(.formatInvalid, nil, "", .guess, alternatives: ["the passphrase is wrong"])),
        .says("…[SFTP] Rejected host key", "verify_knownhost", .hostKeyUnknown(.guess, alternatives: ["it has changed"])),
        .recovers("…[SFTP] Successfully authenticated", "authenticate"),
    ]

    private static let salt: [TranscriptRow] = [
        .library("Permission denied for host {host}, do you want to deploy the salt-ssh key", "salt: client/ssh/__init__.py") {
            _, _ in
            .refused("publickey", .guess, alternatives: ["the command printed \"Permission denied\""])
        }
    ]

    private static let proxmox: [TranscriptRow] = [
        .says(
            "…Can't connect to destination address using public key", "qemu-server: PVE/QemuMigrate.pm",
            .notReached(.guess, .plain, or: ["the key was refused", "the host key was refused"]))
    ]

    private static let mutagen: [TranscriptRow] = [
        .library("….mutagen/agents/{program}: {reason}", "agent/dial.go, with the words of the host's shell") { found, facts in
            let reason = (found["reason"] ?? "").lowercased()
            if reason.mentions("not found") || reason.mentions("no such file") { return .known(.commandNotFound) }
            return reason.mentions("permission denied") ? .known(.commandNotExecutable) : facts.decline()
        },
        .says("…unable to connect to agent: command not found", "agent/dial.go before 0.9", .known(.commandNotFound)),
        .library("…unable to handshake with agent process{rest}", "agent/dial.go") { found, facts in
            // The words of ssh follow in brackets. It copied its agent before, and only that program does not answer.
            let isCopied = facts.otherLines.last(6).contains { $0.mentions("Installing agent...") }
            return isCopied || found["rest"]?.mentions("(error output: ") == true
                ? facts.decline() : .notReached(.guess, .wrapper, or: ["its agent could not be run on the host"])
        },
        .library("…unable to run SCP process: {reason}", "agent/transport/ssh") { found, _ in
            CommonReasons.reading(of: found["reason"] ?? "")?.ranked(.wrapper) ?? .lostByWrapper()
        },
        .says("…unable to probe remote platform", "agent/probe.go", .notReached(.guess, .wrapper)),
    ]

    private static let homeAssistant: [TranscriptRow] = [
        .says(
            "…Connection refused. SSH enabled?", "asuswrt.py",
            .unconnected("connection refused", .guess))
    ]

    private static let keyscan: [TranscriptRow] = [
        .says("…Command failed with exit code 1: ssh-keyscan ", "execa", .notReached(.guess, .wrapper)),
        .says(
            "…: $'SSH-2.0-", "bash: `command not found`, of the shell that a ProxyCommand started instead of a connection",
            .known(.connectProxyFailed, .guess)),
    ]

    private static let sshuttle: [TranscriptRow] = [
        .says("…failed to establish ssh session", "ssh.py", .notReached()),
        .says("…fatal: SSH connection lost: broken pipe", "client.py", .lost(.reset, .guess)),
        .library("…fatal: expected server init string {expected}; got {text}", "client.py") { found, facts in
            // The server's shell prints text of its own. Nothing comes if ssh has failed.
            ["b''", "''", "b\"\""].contains(found["text"] ?? "") ? .notReached() : .known(.sftpProtocolError, .guess)
        },
        ended("…fatal: server died with error code {status}"),
        ended("…fatal: ssh connection to server {process}exited with returncode {status}"),
    ]

    private static func ended(_ text: String) -> TranscriptRow {
        .library(text, "sshuttle: client.py") { found, _ in
            switch found["status"].flatMap({ Int($0.prefix { $0.isNumber }) }) {
            case 255: return .lostByWrapper()
            // The server's shell found no Python.
            case 127: return .known(.commandNotFound, .likely)
            default: return .known(.commandExitNonzero, .guess, .wrapper)
            }
        }
    }

    private static let audit: [TranscriptRow] = [
        .library("[exception] cannot connect to {host} port {port}: {reason}", "ssh_socket.py") { found, facts in
            facts.port = found["port"].flatMap { Int($0) }
            return CommonReasons.reading(of: found["reason"] ?? "") ?? .notReached()
        }
    ]

    private static let syncoid: [TranscriptRow] = [
        .library("CRITICAL ERROR: {commands} failed: 256 at {place}syncoid line", "syncoid: 256 is the status 1") {
            found, facts in
            // The last of the commands gives the status. It is the server's where ssh has the end of the line in quotation marks.
            let commands = found["commands"] ?? ""
            guard commands.mentions("| ssh "), ["'\"'\"''", " 2>&1'"].contains(where: { commands.hasSuffix($0) }) else {
                return facts.decline()
            }
            return .known(.commandExitNonzero, .guess, .wrapper)
        },
        .library("…ssh connection echo test failed for {account} with exit code {status}", "syncoid") { found, facts in
            facts.note(account: found["account"] ?? "")
            return .notReached(.guess, .plain, or: ["the login was refused"])
        },
    ]

    private static let nix: [TranscriptRow] = [
        .library("…failed to start SSH connection to '{account}'", "ssh.cc") { found, facts in unreached(found, &facts) },
        .library("…protocol mismatch from '{account}', got '{text}'", "ssh-store.cc, legacy-ssh-store.cc") { found, facts in
            facts.note(account: found["account"] ?? "")
            let text = found["text"] ?? ""
            return text.mentions("This account is")
                ? .known(.commandLoginShellDenied, .guess, or: ["the account is locked"])
                : .known(.commandExitNonzero, .guess, or: ["a startup file prints text", "nix is missing there"])
        },
        .says("…invalid SSH host name '", "ssh.cc", .known(.resolveHostNameInvalid)),
        .library("error: command ‘{command}’ failed on machine ‘{name}’ (exit code {status})", "nixops: util.py") {
            found, facts in
            guard found["command"]?.mentions("ssh") == true || found["command"]?.mentions("nix-copy-closure") == true,
                let status = found["status"].flatMap({ Int($0) })
            else { return facts.decline() }
            if status == 255 { return .notReached(.guess, .wrapper, or: ["the login was refused"]) }
            return .known(status == 127 ? .commandNotFound : .commandExitNonzero, .guess, .wrapper)
        },
        .library("error: cannot connect to '{account}'", "ssh.cc before 2.20") { found, facts in unreached(found, &facts) },
        .library("…unable to open SSH connection to '{url}': {reason}", "build-remote.cc, 2.0") { found, facts in
            CommonReasons.reading(of: found["reason"] ?? "")?.ranked(.plain) ?? unreached(found, &facts)
        },
    ]

    private static func unreached(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading {
        if let account = found["account"] { facts.note(account: account) }
        return .notReached(.guess, .wrapper, or: ["the login was refused", "the host key was refused"])
    }

    private static let cephadm: [TranscriptRow] = [
        .library("…Error {kind}: Failed to connect to {host} (", "mgr/cephadm: ssh.py") { found, facts in
            // The number of an error: EINVAL, ENOENT.
            found["kind"]?.allSatisfy(\.isUppercase) == true ? unreached(found, &facts) : facts.decline()
        },
        .says("…using the cephadm SSH key", "mgr/cephadm: ssh.py", .notReached(.guess, .wrapper, or: ["the login was refused"])),
        .says("…execnet.gateway_bootstrap.HostNotFound: ", "execnet: gateway_bootstrap.py", .notReached()),
    ]

    private static let monitoring: [TranscriptRow] = [
        .library("…check_by_ssh: Remote command '{command}' returned status {status}", "check_by_ssh.c") { found, _ in
            guard let status = found["status"].flatMap({ Int($0.prefix { $0.isNumber }) }) else { return nil }
            if status == 127 { return .known(.commandNotFound) }
            return status == 255
                ? .notReached(.guess, .plain, or: ["the login was refused", "the command ended with 255"])
                : .commandEnded(status: status)
        },
        .library("Remote command execution failed: {shell}: {command}: {reason}", "check_by_ssh.c: the shell's words") {
            found, facts in
            let isShell = ["sh", "bash", "dash", "ksh", "zsh", "csh"].contains(found["shell"] ?? "")
            let isMissing = found["reason"]?.hasSuffix("No such file or directory") == true
            return isShell && isMissing || found["reason"]?.hasSuffix("not found") == true
                ? .known(.commandNotFound) : facts.decline()
        },
        .library("Remote command execution failed: Connection to {host} closed.", "check_by_ssh.c: the words of ssh -t") { _, _ in
            .known(.commandOutcomeUnknown, .guess)
        },
        .library("connect to address {host} and port 22: {reason}", "check_ssh.c") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .says("SSH CRITICAL - Server answer: ", "check_ssh.c", .ended(.telling, .closed, at: .banner, .guess)),
    ]

    private static let tramp: [TranscriptRow] = [
        .library("…Opening connection {name} for {account} using {method}...failed", "tramp-sh.el, Emacs 27") { found, facts in
            guard ["ssh", "scp", "sshx", "scpx", "rsync"].contains(found["method"] ?? "") else { return facts.decline() }
            return unreached(found, &facts)
        },
        .says(
            "…tramp-process-actions: Login failed", "tramp.el",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says("…Couldn't find remote shell prompt", "tramp-sh.el", .known(.channelPromptMissing)),
        .library("…Tramp: Opening connection for {account} using {method}...failed", "tramp-sh.el") { found, facts in
            guard ["ssh", "scp", "sshx", "scpx", "rsync"].contains(found["method"] ?? "") else { return facts.decline() }
            return unreached(found, &facts)
        },
        .noting("…Tramp: Sending password", "tramp-sh.el", { _, facts in facts.stage = .authentication }),
        .noting("…Tramp: Sending Password", "tramp-sh.el", { _, facts in facts.stage = .authentication }),
        .library("…Timeout reached, see buffer {buffer}", "tramp.el") { found, facts in
            guard ["*tramp/ssh", "*tramp/scp", "*tramp/rsync"].contains(where: { found["buffer"]?.mentions($0) == true }) else {
                return facts.decline()
            }
            // It has seen the question, and then no prompt of a shell.
            if facts.stage == .authentication { return .known(.channelPromptMissing, .guess, or: ["the login stalled"]) }
            return .timedOut(
                .connect, .guess, alternatives: ["the login stalled", "the shell's prompt is not the known one"])
        },
        .says("…Tramp failed to connect.", "tramp.el", .notReached()),
    ]

    private static let dulwich: [TranscriptRow] = [
        .says(
            "…The remote server unexpectedly closed the connection", "errors.py: HangupException",
            TranscriptReading.cut(.closed, at: .banner, .wrapper))
    ]
}
