/// Python programs on paramiko or on ssh itself. Sources: Airflow, providers/ssh; Salt, utils/cloud.py; plumbum, machines/session.py;
/// pyinfra, connectors/ssh.py; Exscript, protocols; duplicity, ssh_paramiko_backend.py and ssh_pexpect_backend.py; mitogen, ssh.py;
/// DVC, its command line.
enum PythonPrograms {
    static let all = [
        TranscriptFormat("airflow", airflow), TranscriptFormat("salt", salt), TranscriptFormat("plumbum", plumbum),
        TranscriptFormat("pyinfra", pyinfra), TranscriptFormat("exscript", exscript), TranscriptFormat("duplicity", duplicity),
        TranscriptFormat("mitogen", mitogen), TranscriptFormat("dvc", dvc), TranscriptFormat("jumpssh", jumpssh),
    ]

    /// Source: jumpssh, session.py.
    private static let jumpssh: [TranscriptRow] = [
        .library("…jumpssh.exception.TimeoutError: Timeout of {time} reached when calling command", "session.py") { _, _ in
            .commandTimedOut(.likely)
        }
    ]

    private static let dvc: [TranscriptRow] = [
        .says("ERROR: unexpected error - Channel closed", "paramiko, before DVC 2", .lost(.closed, .guess)),
        .says(
            "ERROR: unexpected error - Permission denied: Permission denied", "sshfs, with asyncssh's words",
            .known(.sftpPermissionDenied, .guess)),
    ]

    private static let airflow: [TranscriptRow] = [
        .library("…SSH operator error: exit status = {status}", "operators/ssh.py") { found, _ in
            .commandEnded(status: found["status"].flatMap { Int($0) })
        },
        .library("…Remote job failed with exit code: {status}", "operators/ssh_remote_job.py") { found, _ in
            .commandEnded(status: found["status"].flatMap { Int($0) })
        },
        .library("…AirflowException: Failed to submit remote job. Exit code: {status}. Error:", "operators/ssh_remote_job.py") {
            found, _ in
            .commandEnded(status: found["status"].flatMap { Int($0) })
        },
        .says("…AirflowException: Key must have BEGIN and END header/footer", "hooks/ssh.py", .key(.formatInvalid)),
        .says("…Private key provided cannot be read by paramiko", "hooks/ssh.py", .key(.formatInvalid, nil, "", .guess)),
        .says("…AirflowException: Missing required param: remote_host", "hooks/ssh.py", .known(.localUsage)),
        .says("…AirflowException: Cannot operate without ssh_hook or ssh_conn_id", "operators/ssh.py", .known(.localUsage)),
        .library("…AirflowException: Error while transferring {path}, error: {text}", "operators/sftp.py before 4.0") {
            found, _ in
            failed(found)
        },
        .library("…Error while processing {operation} operation, error: {text}", "sftp: operators/sftp.py") { found, _ in
            failed(found)
        },
        .library("…AirflowException: SSH operator error: {text}", "operators/ssh.py before 3.0") { found, _ in failed(found) },
    ]

    private static let salt: [TranscriptRow] = [
        .says(
            "…SSH gateway is reachable but we can not login", "utils/cloud.py",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .library("…The defined ssh_keyfile '{path}' does not exist", "utils/cloud.py") { found, _ in
            .key(.notFound, found["path"])
        },
        .says("…No ssh binary found in path -- ssh must be installed", "client/ssh", .missingProgram("ssh")),
    ]

    private static let plumbum: [TranscriptRow] = [
        .says("…plumbum.machines.session.HostPublicKeyUnknown: ", "session.py", .hostKeyUnknown(.likely)),
        .says(
            "…plumbum.machines.session.IncorrectLogin: ", "session.py",
            .refused("password", .guess, alternatives: ["a key was refused"])),
        .says(
            "…plumbum.machines.session.SSHCommsChannel2Error: ", "session.py",
            .lost(.closed, .guess).ranked(.plain)),
        .library("…plumbum.machines.remote.ClosedRemoteMachine: {machine} has been closed", "remote.py") { _, _ in
            .known(.localClosed, .guess, or: ["the connection was lost"])
        },
        .says("…plumbum.machines.session.SSHCommsError: ", "session.py", .notReached(.guess, .wrapper)),
    ]

    private static let pyinfra: [TranscriptRow] = [
        .says(
            "…Unable to establish SFTP connection. Check that the SFTP subsystem", "connectors/ssh.py",
            .request(.subsystem, .likely)),
        .library("…PyinfraError: No such private key file: {path}", "connectors/ssh_util.py") { found, _ in
            .key(.notFound, found["path"])
        },
        .library("…Private key file ({path}) is encrypted, set ssh_key_password", "connectors/ssh_util.py") { found, _ in
            .key(.passphraseRequired, found["path"])
        },
        .library("…Policy: No host key for {host} found in known_hosts", "connectors/sshuserclient") { _, _ in
            .hostKeyUnknown(.likely)
        },
    ]

    private static let exscript: [TranscriptRow] = [
        .says(
            "…LoginFailure: Failed to open shell: ", "ssh2.py: _paramiko_shell",
            .known(.channelProhibited, .guess, or: ["the connection was lost"])),
        .library("…Exscript.protocols.{module}.LoginFailure: {text}", "protocol.py, ssh2.py") { found, _ in
            let text = found["text"] ?? ""
            if text.mentions("Bad host key") { return .known(.hostKeyChanged, .guess) }
            if text.mentions("Missing host key") { return .hostKeyUnknown(.guess) }
            return .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
        .says("…AuthenticationException: auth agent found no keys", "ssh2.py", .noCredentials(.guess)),
    ]

    private static let duplicity: [TranscriptRow] = [
        .library("…ssh connection to {account} failed: {text}", "ssh_paramiko_backend.py") { found, facts in
            facts.note(account: String((found["account"] ?? "").prefix { $0 != ":" }))
            return failed(found)
        },
        .says("…BackendException: sftp negotiation failed: ", "ssh_paramiko_backend.py", .request(.subsystem, .guess)),
        .library("…BackendException: sftp {operation} of {path} failed: {text}", "ssh_paramiko_backend.py") { found, _ in
            operation(found)
        },
        .library("…BackendException: sftp {operation} {path} failed: {text}", "ssh_paramiko_backend.py") { found, _ in
            operation(found)
        },
        .library("…BackendException: sftp chdir to {path} failed: {text}", "ssh_paramiko_backend.py") { found, _ in
            operation(found)
        },
        .says(
            "…BackendException: scp remote error: ", "ssh_paramiko_backend.py",
            .known(.sftpWriteFailed, .guess, or: ["no such file", "no permission"])),
        .says("…BackendException: Invalid SSH password", "ssh_pexpect_backend.py", .refused("password", .likely)),
    ]

    private static let mitogen: [TranscriptRow] = [
        .says(
            "…SSH authentication is incorrect", "ssh.py", .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
        .says("…SSH password is incorrect", "ssh.py", .refused("password", .likely)),
        .says("…SSH password was requested, but none specified", "ssh.py", .noCredentials(.guess)),
        .says(
            "…Host key checking is enabled, and SSH reported an unrecognized or", "ssh.py",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
    ]

    /// The reason in the words of the library.
    private static func failed(_ found: [String: String]) -> TranscriptReading {
        CommonReasons.reading(of: found["text"] ?? "")?.ranked(.ending)
            ?? .notReached(.guess, .wrapper, or: ["the session was refused or lost"])
    }

    private static func operation(_ found: [String: String]) -> TranscriptReading {
        let text = (found["text"] ?? "").lowercased()
        if text.mentions("permission denied") { return .known(.sftpPermissionDenied) }
        if text.mentions("no such file") { return .known(.sftpNoSuchFile) }
        return .known(.sftpWriteFailed, .guess)
    }
}
