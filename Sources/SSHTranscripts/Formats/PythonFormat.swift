/// Netmiko and Fabric, which use paramiko. Sources: netmiko, base_connection.py; Fabric 1, network.py and operations.py;
/// invoke, exceptions.py.
enum PythonFormat {
    static let all = [
        TranscriptFormat("netmiko", netmiko), TranscriptFormat("fabric", fabric), TranscriptFormat("scrapli", scrapli),
        TranscriptFormat("junos-eznc", junos), TranscriptFormat("sshtunnel", tunnels),
        TranscriptFormat("ncclient", ncclient), TranscriptFormat("pexpect", pexpect), TranscriptFormat("napalm", napalm),
        TranscriptFormat("airflow", airflow), TranscriptFormat("pyinfra", pyinfra), TranscriptFormat("pysftp", pysftp),
        TranscriptFormat("duplicity", duplicity), TranscriptFormat("scp.py", scp),
    ]

    /// Source: pysftp and sftpretty, their options of a connection.
    private static let pysftp: [TranscriptRow] = [
        .library("…No hostkey for host {host} found", "CnOpts.get_hostkey") { _, facts in
            facts.host = facts.host.trimming("[]'")
            return .hostKeyUnknown(.likely)
        },
        .says("…pysftp.exceptions.HostKeysException: No Host Keys Found", "helpers.py: CnOpts", .hostKeyUnknown(.likely)),
        .says("…pysftp.exceptions.CredentialException: ", "exceptions.py", .noCredentials(.likely)),
        .says("…pysftp.exceptions.ConnectionException: ", "exceptions.py", .notReached(.guess, .plain)),
    ]

    /// Source: scp.py of jbardin, with paramiko. Its exception also has the words of the server's scp.
    private static let scp: [TranscriptRow] = [
        .says("…SCPException: Timeout waiting for scp response", "scp.py", .commandTimedOut(.guess)),
        .says("…SCPException: Error receiving, socket.timeout", "scp.py", .commandTimedOut(.guess)),
        .says("…SCPException: No response from server", "scp.py", .known(.sftpConnectionLost, .guess)),
        .says("…SCPException: Underlying channel was closed", "scp.py", .known(.sftpConnectionLost, .guess)),
        .library("…SCPException: Local path '{path}' {x}", "scp.py") { _, _ in .known(.sftpLocalNoSuchFile, .guess) },
        .library("…scp.SCPException: {text}", "scp.py: the server's words") { found, _ in
            let text = (found["text"] ?? "").lowercased()
            if text.mentions("no such file") || text.mentions("not a directory") { return .known(.sftpNoSuchFile, .guess) }
            if text.mentions("permission denied") { return .known(.sftpPermissionDenied, .guess) }
            return text.mentions("no space left") ? .known(.sftpDiskFull) : .known(.sftpWriteFailed, .guess)
        },
    ]

    /// Source: pyinfra, connectors/ssh.py.
    private static let pyinfra: [TranscriptRow] = [
        .says(
            "…] Authentication error (", "connectors/ssh.py",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .library("…] Could not resolve hostname: {host}", "connectors/ssh.py") { _, _ in .unresolved("not known", .likely) },
        .says("…] SSH connect timed out", "connectors/ssh.py", .timedOut(.connect, .likely)),
        .library("…] Host key for {host} does not match.", "connectors/ssh.py") { _, _ in .hostKeyChanged() },
        .library("…] No host key for {host} found in known_hosts", "connectors/ssh.py") { _, _ in .hostKeyUnknown(.likely) },
        .says("…] Could not connect (", "connectors/ssh.py", .notReached(.guess, .plain)),
    ]

    /// Source: apache-airflow-providers-ssh, operators/ssh.py.
    private static let airflow: [TranscriptRow] = [
        .library("…SSH operator error: exit status = {status}", "operators/ssh.py") { found, _ in
            (found["status"]?.prefix { $0.isNumber }).flatMap { Int($0) }.map { .commandEnded(status: $0) }
        },
        .says("…SSH operator error: error running cmd: ", "operators/ssh.py, 1 and 2", .known(.commandExitNonzero)),
        .says("…AirflowException: error running cmd: ", "operators/ssh.py, 2", .known(.commandExitNonzero)),
        .says("…SSH operator error: SSH command timed out", "operators/ssh.py", .commandTimedOut(.likely)),
        .says("…SSH command timed out", "hooks/ssh.py", .commandTimedOut(.likely)),
    ]

    /// Source: duplicity, backends/ssh_paramiko_backend.py.
    private static let duplicity: [TranscriptRow] = [
        .library("…sftp {verb} of {path} failed: {text}", "ssh_paramiko_backend.py") { found, facts in
            let text = found["text"] ?? ""
            if text.hasPrefix("Failure") { return .known(.sftpWriteFailed, .guess) }
            return CommonReasons.reading(of: text)?.ranked(.ending) ?? facts.decline()
        },
        .library("…BackendException: Could not initialize backend: No module named {name}", "backend.py") { found, facts in
            found["name"]?.mentions("paramiko") == true ? .known(.localLibraryFailure, .guess) : facts.decline()
        },
    ]

    /// NETCONF over paramiko. Source: ncclient, transport/ssh.py and errors.py.
    private static let ncclient: [TranscriptRow] = [
        .library("…Could not open socket to {host}:{port}", "transport/ssh.py") { _, _ in .notReached(.guess, .plain) },
        .says("…Could not open NETCONF session on channel", "transport/libssh.py", .request(.subsystem, .guess)),
        .says("…SSHUnknownHostError", "transport/errors.py", .hostKeyUnknown(.likely)),
        .says(
            "…ncclient.transport.errors.AuthenticationError", "transport/errors.py",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says("…TransportError: Not connected to NETCONF server", "transport/session.py", .lost(.closed, .guess)),
        .says("…SessionError: Capability exchange timed out", "transport/session.py", .timedOut(.channel, .likely)),
        .says("…SessionCloseError", "transport/errors.py", .lost(.closed, .guess)),
        .library("…Failed user \"{user}\" authentication attempt (#", "libnetconf2: session_server_ssh.c") { _, _ in
            .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
        .library("…Unable to connect to {host}:{port} over IPv{n} ({reason})", "libnetconf2: session_client.c") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .says("…ncclient.operations.errors.TimeoutExpiredError", "operations/rpc.py", .commandTimedOut(.guess)),
        .says("…Negotiation failed: ", "transport/ssh.py", TranscriptReading.cut(at: .keyExchange, .plain)),
    ]

    /// Source: pexpect, pxssh.py.
    private static let pexpect: [TranscriptRow] = [
        .says(
            "…ExceptionPxssh: permission denied", "pxssh.py",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says("…ExceptionPxssh: password refused", "pxssh.py", .refused("password", .likely)),
        .says("…ExceptionPxssh: Could not establish connection to host", "pxssh.py", .notReached(.guess, .plain)),
        .says(
            "…could not synchronize with original prompt", "pxssh.py",
            .known(.channelPromptMissing, .guess, or: ["the login hung"])),
        .says("…could not set shell prompt", "pxssh.py", .known(.channelPromptMissing, .guess)),
        .says("…ExceptionPxssh: connection closed", "pxssh.py", .cut()),
    ]

    private static let napalm: [TranscriptRow] = [
        .says("…napalm.base.exceptions.ConnectionException: Cannot connect to {host}", "napalm", .notReached(.guess, .plain)),
        .says(
            "…napalm.base.exceptions.ConnectAuthError", "napalm",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says("…napalm.base.exceptions.ConnectTimeoutError", "napalm", .timedOut(.connect, .guess)),
    ]

    private static let scrapli: [TranscriptRow] = [
        .library("…ScrapliAuthenticationFailed: {text}", "scrapli: transport/base") { found, _ in
            let text = (found["text"] ?? "").lowercased()
            if text.mentions("no matching") {
                return .noCommon(TranscriptReading.algorithmCode(text), "algorithm of a kind", .likely)
            }
            if text.mentions("host key verification") { return .hostKeyUnknown(.guess, alternatives: ["it has changed"]) }
            if text.mentions("opening connection") { return .timedOut(.connect, .likely) }
            if text.mentions("timed out") { return .timedOut(.authentication, .guess) }
            if text.mentions("could not resolve") { return .unresolved("not known", .likely) }
            if text.mentions("bad ssh configuration") { return .known(.localConfigInvalid) }
            if text.mentions("too open") { return .key(.permissionsTooOpen) }
            return .refused(text.mentions("key") ? "publickey" : "password", .guess, alternatives: SharedAlternatives.login)
        },
        .says(
            "No matching key exchange found for host", "scrapli: channel, of ssh's message",
            .noCommon(.kexNoCommonKex, "key exchange method", .likely)),
        .says(
            "No matching host key type found for host", "scrapli: channel, of ssh's message",
            .noCommon(.kexNoCommonHostKeyAlgorithm, "host key type", .likely)),
        .says(
            "No matching cipher found for host", "scrapli: channel, of ssh's message",
            .noCommon(.kexNoCommonCipher, "cipher", .likely)),
        .says("Bad SSH configuration option(s) for host", "scrapli: channel, of ssh's message", .known(.localConfigInvalid)),
        .says(
            "Permissions for private key are too open, authentication failed!", "scrapli: channel, of ssh's message",
            .key(.permissionsTooOpen)),
        .says("…password prompt seen more than once, assuming auth failed", "scrapli: channel", .refused("password", .likely)),
        .says("…ScrapliTimeout: timed out during in channel", "scrapli: decorators.py", .timedOut(.authentication, .likely)),
        .says("…ScrapliTimeout: timed out ", "scrapli: decorators.py", .commandTimedOut(.guess)),
        .library("…ScrapliConnectionNotOpened: {text}", "scrapli: transport/base/base_socket.py") { found, _ in
            let text = found["text"] ?? ""
            if text.mentions("determine socket address family") { return .unresolved("not known", .likely) }
            return CommonReasons.reading(of: text) ?? .known(.localClosed, .guess, or: ["it could not be connected to"])
        },
    ]

    private static let junos: [TranscriptRow] = [
        .says(
            "…ConnectAuthError(", "jnpr/junos/exception.py", .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…ConnectRefusedError(", "jnpr/junos/exception.py",
            .unconnected("connection refused", .likely)),
        .library("…ConnectError(host: {host}, msg: Unexpected session close{x}", "ncclient's words") { _, _ in
            .lost(.closed, .guess)
        },
        .says("…ConnectTimeoutError(", "jnpr/junos/exception.py", .timedOut(.connect, .likely)),
        .says("…ConnectUnknownHostError(", "jnpr/junos/exception.py", .unresolved("not known", .likely)),
    ]

    private static let tunnels: [TranscriptRow] = [
        .library("…Could not connect to gateway {host}:{port} : {reason}", "sshtunnel.py") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .says("…No password or public key available", "sshtunnel.py", .noCredentials(.likely)),
        .library("…Could not open connection to gateway", "sshtunnel.py: AuthenticationException") { _, facts in
            .refused(facts.methodRefused ?? "publickey", .guess, alternatives: SharedAlternatives.login)
        },
        .library("…Could not establish connection from {place} to remote side of the tunnel", "sshtunnel.py") { _, _ in
            .known(.channelJumpTargetUnreachable, .guess, or: ["the server forbids forwarding"])
        },
        .says(
            "…Could not establish session to SSH gateway", "sshtunnel.py",
            .notReached(.guess, .wrapper, or: ["the login was refused", "the host key was refused"])),
    ]

    private static let netmiko: [TranscriptRow] = [
        .says(
            "…TCP connection to device failed", "base_connection.py",
            .notReached(.guess, .plain, or: ["it is refused", "no answer", "the name is unknown"])),
        .says("…Connection to device timed-out", "base_connection.py, 2 and 3", .timedOut(.connect, .likely)),
        .says(
            "…Authentication to device failed", "base_connection.py",
            .refused("password", .guess, alternatives: SharedAlternatives.login)),
        .says(
            "…Authentication failure: unable to connect", "base_connection.py, 2",
            .refused("password", .guess, alternatives: SharedAlternatives.login).ranked(.telling)),
        .says("…read_channel_timing's absolute timer expired", "base_connection.py", .commandTimedOut(.guess)),
        .says("…netmiko.exceptions.ReadTimeout", "base_connection.py", .commandTimedOut(.guess)),
        .says("…ReadException: Channel stream closed by remote device", "channel.py", .lost(.closed, .guess)),
        .says("…Attempt to write data, but there is no active channel", "channel.py", .lost(.closed, .guess)),
        .says("…Attempt to read, but there is no active channel", "channel.py", .lost(.closed, .guess)),
        .says("ValueError: Unable to find prompt: ", "base_connection.py: find_prompt", .known(.channelPromptMissing, .guess)),
        .says("ValueError: Router prompt not found: ", "base_connection.py, 2", .known(.channelPromptMissing, .guess)),
        .says("ValueError: Failed to enter configuration mode", "base_connection.py", .known(.channelPromptMissing, .guess)),
        .says("ValueError: Failed to exit configuration mode", "base_connection.py", .known(.channelPromptMissing, .guess)),
        .says("ValueError: Insufficient space available on remote device", "scp_functions.py", .known(.sftpDiskFull)),
        .says("…MD5 failure between source and destination files", "scp_functions.py", .known(.sftpChecksumMismatch)),
        .says("…NetmikoTimeoutException: Timed out waiting for data", "base_connection.py", .commandTimedOut(.guess)),
        .says("…Timed-out reading channel, data not available", "base_connection.py, 1 and 2", .commandTimedOut(.guess)),
        .says("…Search pattern never detected", "base_connection.py, 2 and 3", .commandTimedOut(.guess)),
        .says("…Pattern not detected: ", "base_connection.py, 4", .commandTimedOut(.guess)),
        .says(
            "…NetmikoAuthenticationException", "exceptions.py",
            TranscriptReading.refused("password", .guess, alternatives: SharedAlternatives.login).ranked(.ending)),
        .says(
            "…NetMikoAuthenticationException", "ssh_exception.py",
            TranscriptReading.refused("password", .guess, alternatives: SharedAlternatives.login).ranked(.ending)),
        .says("…NetmikoTimeoutException", "exceptions.py", .notReached()),
        .says("…NetMikoTimeoutException", "ssh_exception.py", .notReached()),
    ]

    private static let fabric: [TranscriptRow] = [
        .library("…Name lookup failed for {host}", "network.py") { _, facts in
            facts.host = facts.host.trimming(".")
            return .unresolved("not known", .likely)
        },
        .library("…Timed out trying to connect to {host} (tried", "network.py") { found, facts in
            found["host"]?.contains(" ") == true ? facts.decline() : .timedOut(.connect, .likely)
        },
        .library("…Low level socket error connecting to host {host} on port {port}: {reason}", "network.py") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .library("…Low level socket error connecting to host {host}: {reason}", "network.py before 1.5") { found, _ in
            .unconnected(found["reason"] ?? "", .likely)
        },
        .library("…received nonzero return code {status} while executing", "operations.py") { found, _ in
            found["status"].flatMap { Int($0) }.map { .commandEnded(status: $0) }
        },
        TranscriptRow("Encountered a bad command exit code!", "exceptions.py: UnexpectedExit") { _, facts in
            facts.dialog = .invoke
            return .known(.commandExitNonzero, .guess, .wrapper)
        },
        .library("Exit code: {status}", "exceptions.py: UnexpectedExit") { found, facts in
            guard facts.dialog == .invoke, let status = found["status"].flatMap({ Int($0.trimming(" ")) }) else {
                return facts.decline()
            }
            return .commandEnded(status: status)
        },
        .says("…Needed to prompt for a connection or sudo password", "network.py", .known(.authInteractionRequired)),
    ]
}
