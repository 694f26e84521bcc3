/// Programs of many kinds with their own words around an ssh library's. Sources: MySQL Workbench; Sequel Ace, SPSSHTunnel.m; Qt
/// Creator before 4.10, sshconnection.cpp and sshcapabilities.cpp; nbdkit, plugins/ssh/ssh.c; WordPress,
/// class-wp-filesystem-ssh2.php; magento2, Filesystem/Io/Sftp.php; matlab-ssh2, ssh2_main.m; Net::SSH::Perl; hydra, hydra-ssh.c;
/// NetExec, protocols/ssh.py; flyctl; Azure Data Factory's list of errors; sshpk, key.js; shipit, ConnectionPool.js; Double
/// Commander, plugins/wfx/ftp; Arduino, SSHUploader.java; SQLPro's posted messages; Rundeck, plugins/ssh.
enum ApplicationFormat {
    static let all = [
        TranscriptFormat("mysql workbench", workbench), TranscriptFormat("sequel ace", sequel),
        TranscriptFormat("qt creator", qtCreator), TranscriptFormat("nbdkit", nbdkit), TranscriptFormat("php-ssh2", wordPress),
        TranscriptFormat("phpseclib", magento), TranscriptFormat("ganymed", matlab), TranscriptFormat("net::ssh::perl", perl),
        TranscriptFormat("hydra", hydra), TranscriptFormat("netexec", netExec), TranscriptFormat("flyctl", fly),
        TranscriptFormat("ssh.net", dataFactory), TranscriptFormat("sshpk", sshpk), TranscriptFormat("libssh2", doubleCommander),
        TranscriptFormat("shipit", shipit), TranscriptFormat("jsch", arduino), TranscriptFormat("chilkat", sqlPro),
        TranscriptFormat("rundeck", rundeck),
    ]

    private static let rundeck: [TranscriptRow] = [
        .library("…Authentication failure connecting to node: {node}. Password incorrect{rest}", "JschNodeExecutor.java") {
            _, facts in
            facts.host = ""
            return .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
        .library("…Authentication failure connecting to node", "JschNodeExecutor.java") { _, facts in
            // JSch's log tells what it tried last.
            .refused(facts.methodRefused ?? "publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .library("…SSH command execution error: {text}", "sshj-plugin: SSHJBase.java") { found, _ in
            let text = found["text"] ?? ""
            if text.mentions("Connection was interrupted") { return .lostByWrapper() }
            return CommonReasons.reading(of: text)?.ranked(.ending)
                ?? .notReached(.guess, .wrapper, or: ["the login was refused", "the key cannot be used"])
        },
        .library("…Failed: NonZeroResultCode: {text}", "NodeStepFailureReason.java") { found, _ in
            (found["text"] ?? "").filter(\.isNumber).isEmpty
                ? .known(.commandExitNonzero, .guess)
                : .commandEnded(status: Int((found["text"] ?? "").filter(\.isNumber).prefix(4)))
        },
        .says("…Failed: ConnectionTimeout", "JschNodeExecutor.java", .timedOut(.connect, .likely)),
        .library("…Failed: ConnectionFailure{text}", "JschNodeExecutor.java") { found, _ in
            let number = SystemErrorTexts.systemError(found["text"] ?? "")
            return number == SystemErrorTexts.systemError("") ? .notReached(.guess, .plain) : .unconnected(number, .likely)
        },
        .says("…Failed: HostNotFound", "JschNodeExecutor.java", .unresolved("not known", .likely)),
        .says(
            "…Failed: AuthenticationFailure", "JschNodeExecutor.java",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .library("…Failed: SSHProtocolFailure{text}", "JschNodeExecutor.java") { found, _ in
            let text = found["text"] ?? ""
            if text.mentions("failed to send channel request") {
                return .request(.exec, .guess, or: ["a variable of the environment was refused"])
            }
            return text.mentions("channel is not opened")
                ? .timedOut(.channel, .guess, alternatives: ["the server refuses further sessions"])
                : .cut(.closed, at: .keyExchange, .plain)
        },
        .says("…ConfigurationFailure: SSH Password was not set", "JschNodeExecutor.java", .noCredentials(.likely)),
        .says("…ConfigurationFailure: SSH Keyfile", "JschNodeExecutor.java", .key(.notFound, nil, "", .guess)),
        .says(
            "…Failed: Interrupted: Connection was interrupted", "JschNodeExecutor.java",
            .lost(.closed, .guess)),
        .says("…Failed: IOFailure", "JschNodeExecutor.java", TranscriptReading.lost(.closed, .guess).ranked(.plain)),
    ]

    private static let arduino: [TranscriptRow] = [
        .says("…processing.app.debug.RunnerException: Unable to connect to ", "SSHUploader.java", .notReached(.guess, .plain))
    ]

    private static let sqlPro: [TranscriptRow] = [
        .says(
            "…Failed to authenticate against remote server", "SQLPro",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says("…Failed to authenticate via private key. ", "SQLPro", .refused("publickey", .guess)),
        .says("…Failed to authenticate via password. ", "SQLPro", .refused("password", .guess)),
        .says(
            "…SSH server host key / fingerprint could not be verified", "SQLPro",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
    ]

    private static let workbench: [TranscriptRow] = [
        .library("…Could not connect the SSH Tunnel", "wb_tunnel.cpp") { _, facts in
            facts.dialog = .tunnel
            return .notReached(.guess, .wrapper, or: ["the login was refused"])
        },
        .library("…Authentication error. Please check that your username and password", "sshtunnel.py") { _, facts in
            facts.dialog == .tunnel
                ? .refused("password", .guess, alternatives: SharedAlternatives.login) : facts.decline()
        },
    ]

    private static let sequel: [TranscriptRow] = [
        .says(
            "…The SSH Tunnel could not authenticate with the remote host", "SPSSHTunnel.m",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says("…The SSH Tunnel was closed 'by the remote host'", "SPSSHTunnel.m", .cut(.closed, at: .banner, .ending)),
        .library("…The SSH Tunnel was unable to connect to host {host}, or the request timed out", "SPSSHTunnel.m") { _, _ in
            TranscriptReading.timedOut(.connect, .guess).ranked(.plain)
        },
        .says(
            "…The SSH Tunnel was established successfully, but could not forward data", "SPSSHTunnel.m",
            .known(.channelJumpTargetUnreachable)),
    ]

    private static let qtCreator: [TranscriptRow] = [
        .library("{before}Server rejected key.", "sshconnection.cpp") { found, facts in rejected("publickey", found, &facts) },
        .library("{before}Server rejected password.", "sshconnection.cpp") { found, facts in rejected("password", found, &facts)
        },
        .library("…Server and client capabilities d{x}n", "sshcapabilities.cpp") { _, _ in
            .noCommon(.kexNoCommonKex, "algorithm of some kind", .guess)
        },
        .says(
            "…Could not connect to host: Timeout waiting for reply from server", "sshconnection.cpp",
            .timedOut(.banner, .guess, alternatives: ["key exchange or the login stalled"])),
    ]

    private static func rejected(_ method: String, _ found: [String: String], _ facts: inout TranscriptFacts)
        -> TranscriptReading?
    {
        let before = found["before"] ?? ""
        return before.mentions("SSH") || before.mentions("connect to host") ? .refused(method, .guess) : facts.decline()
    }

    private static let nbdkit: [TranscriptRow] = [
        .library("…nbdkit: ssh{x}: error: all possible authentication methods failed", "authenticate") { _, _ in
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .says("…error: host key for server changed", "do_verify_remote_host", .hostKeyChanged()),
        .says(
            "…host key for server was not found but another type of key exists", "do_verify_remote_host",
            .known(.hostKeyOtherTypeKnown)),
        .says("…host key is unknown, you must use ssh first", "do_verify_remote_host", .hostKeyUnknown(.likely)),
        .says("…error: could not find known_hosts file", "do_verify_remote_host", .hostKeyUnknown(.likely)),
    ]

    private static let doubleCommander: [TranscriptRow] = [
        .library("…SSH ERROR {text}", "plugins/wfx/ftp: ssh, with libssh2's words") { found, _ in
            LibSSHTexts.reading(of: found["text"] ?? "")
                ?? .notReached(.guess, .plain, or: ["the login was refused", "the session was refused or lost"])
        }
    ]

    private static let wordPress: [TranscriptRow] = [
        .library("…Public and Private keys incorrect for {user}", "connect") { _, _ in .refused("publickey", .likely) },
        .library("…Failed to initialize a SFTP subsystem session with the SSH2 Server {host}:{port}", "connect") { _, _ in
            .request(.subsystem, .likely)
        },
    ]

    private static let magento: [TranscriptRow] = [
        .library("…Unable to open SFTP connection as {account}", "open: login() has returned false") { found, facts in
            facts.note(account: String((found["account"] ?? "").prefix { $0 != " " }))
            return TranscriptReading.refused("password", .guess, alternatives: ["the host was not reached"]).ranked(.ending)
        }
    ]

    private static let matlab: [TranscriptRow] = [
        .says(
            "…SSH2 could not connect to the ssh2 host", "ssh2_main.m",
            .notReached(.guess, .wrapper, or: ["the login was refused", "the two share no algorithm"])),
        .says(
            "…SSH2 could not authenticate the connection", "ssh2_main.m",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
    ]

    private static let perl: [TranscriptRow] = [
        .library("{text} at {path}/Net/SSH/Perl{place}", "croak") { found, facts in
            let text = found["text"] ?? ""
            return text.hasPrefix("Connection closed")
                ? .cut() : CommonReasons.reading(of: text)?.ranked(.plain) ?? facts.decline()
        }
    ]

    private static let hydra: [TranscriptRow] = [
        .library("…target ssh://{host}:{port}/ does not support password authentication", "hydra-ssh.c") { _, _ in
            .known(.authMethodNotOffered)
        }
    ]

    private static let netExec: [TranscriptRow] = [
        .library("SSH {address} {port} {name} [-] {text}", "protocols/ssh.py") { found, _ in
            let text = found["text"] ?? ""
            return text.mentions("uthentication failed")
                ? .refused("password", .guess) : CommonReasons.reading(of: text) ?? .refused("password", .guess)
        }
    ]

    private static let fly: [TranscriptRow] = [
        .library("…host unavailable at {host}: host was not found in DNS", "agent/client.go") { _, _ in
            .unresolved("not known", .guess)
        },
        .library("…error connecting to SSH server: {reason}", "ssh/connect.go, with the words of Go's packages") { found, facts in
            let reason = found["reason"] ?? ""
            if reason.mentions("missing port in address") || reason.mentions("too many colons in address") {
                return .known(.localUsage, .guess)
            }
            return CommonReasons.reading(of: reason) ?? .notReached(.guess, .plain)
        },
    ]

    private static let dataFactory: [TranscriptRow] = [
        .library("…Invalid Sftp credential provided for '{type}' authentication type", "SftpInvalidSftpCredential") { found, _ in
            found["type"]?.lowercased().mentions("key") == true
                ? .key(.formatInvalid, nil, "", .guess, alternatives: ["the passphrase is wrong"]) : .refused("password", .guess)
        },
        .says("…Failed to rename the temp file. Your SFTP server", "SftpRenameOperationFail", .known(.sftpWriteFailed, .guess)),
    ]

    private static let sshpk: [TranscriptRow] = [
        .library("…Failed to parse {name} as a valid {type} format key", "errors.js: KeyParseError") { _, _ in
            .key(.formatInvalid, nil, "", .guess, alternatives: ["its format is not supported"])
        }
    ]

    private static let shipit: [TranscriptRow] = [
        .library("@{host}-err {shell}: {name}: command not found", "ssh-pool: Connection.js, and the shell's words") { _, _ in
            .known(.commandNotFound)
        }
    ]
}
