/// Backups, replication and clusters that run ssh. Sources: rdiff-backup, SetConnections.py; BackupPC, Xfer/Rsync.pm; zrepl,
/// transport/ssh; repmgr, repmgr-action-standby.c; MHA, HealthCheck.pm; Oracle's list of installer messages; ceph-deploy;
/// glusterfs, gverify.sh; cephadm, ssh.py; unison, remote.ml; deploy-rs, deploy.rs; nixops, ssh_util.py; keychain.sh; et,
/// SshSetupHandler.cpp; sshpass, main.c.
enum BackupFormat {
    static let all = [
        TranscriptFormat("rdiff-backup", rdiffBackup), TranscriptFormat("backuppc", backupPC), TranscriptFormat("zrepl", zrepl),
        TranscriptFormat("", databases + restic), TranscriptFormat("ceph", ceph), TranscriptFormat("glusterfs", gluster),
        TranscriptFormat("unison", unison), TranscriptFormat("deploy-rs", deployRS), TranscriptFormat("nixops", nixops),
        TranscriptFormat("keychain", keychain), TranscriptFormat("et", terminal), TranscriptFormat("sshpass", sshpass),
    ]

    private static func unreached(_ text: String, _ source: String, or more: [String] = []) -> TranscriptRow {
        .library(text, source) { _, _ in .notReached(.guess, .wrapper, or: ["the login was refused"] + more) }
    }

    private static let restic: [TranscriptRow] = [
        .library("…Save(<{file}>) returned error, retrying after {time}: ssh command exited: ", "restic: backend/retry") { _, _ in
            .lost(.closed, .guess)
        },
        // The other backends call stat.
        .library("…unable to open config file: Lstat {path}: file does not exist", "restic: with pkg/sftp") { _, _ in
            .known(.sftpNoSuchFile, .guess)
        },
    ]

    private static let rdiffBackup: [TranscriptRow] = [
        unreached(
            "…Truncated header string (problem probably originated remotely)", "connection.py",
            or: ["the program is missing there", "a startup file prints text"]),
        unreached(
            "…Couldn't start up the remote connection by executing", "SetConnections.py", or: ["the program is missing there"]),
        .says("…Fatal Error: Lost connection to the remote system", "connection.py", .lostByWrapper()),
    ]

    private static let backupPC: [TranscriptRow] = [
        .library("…(Unable to read 4 bytes)", "File::RsyncP") { _, facts in
            facts.dialog == .spawned
                ? .notReached(.guess, .wrapper, or: ["the login was refused", "a startup file prints text"]) : facts.decline()
        }
    ]

    private static let zrepl: [TranscriptRow] = [
        .library("…dial_timeout of {time} exceeded", "transport/ssh") { _, _ in
            .timedOut(.connect, .guess, alternatives: ["the login stalled", "zrepl does not answer there"])
        }
    ]

    private static let databases: [TranscriptRow] = [
        unreached("…unable to connect via SSH to host \"{host}\", user", "repmgr: repmgr-action-standby.c"),
        unreached("…HealthCheck: SSH to {host} is NOT reachable", "MHA: HealthCheck.pm"),
        .says(
            "…Passwordless SSH connectivity not set up between", "Oracle: INS-06006",
            TranscriptReading.refused("publickey", .guess, alternatives: ["a host was not reached"]).ranked(.wrapper)),
        .says(
            "…Passwordless SSH connectivity is not setup between", "Oracle: INS-06006",
            TranscriptReading.refused("publickey", .guess, alternatives: ["a host was not reached"]).ranked(.wrapper)),
    ]

    private static let ceph: [TranscriptRow] = [
        unreached("…connecting to host: {host} resulted in errors: ", "ceph-deploy: hosts/remotes.py"),
        .library("…log [ERR] : Failed to connect to {host} ({address}). {reason}", "mgr/cephadm: ssh.py") { found, _ in
            CommonReasons.reading(of: found["reason"] ?? "")?.ranked(.plain)
                ?? .notReached(.guess, .wrapper, or: ["the login was refused"])
        },
    ]

    private static let gluster: [TranscriptRow] = [
        unreached("…Passwordless ssh login has not been setup with {host}", "gverify.sh", or: ["the host key is not known"])
    ]

    private static let unison: [TranscriptRow] = [
        .says("Fatal error: Lost connection with the server", "remote.ml", .lostByWrapper()),
        .says(
            "…Fatal error: Received unexpected header from the server", "remote.ml",
            .known(.sftpProtocolError, .guess, or: ["the program there has another version", "a startup file prints text"])),
    ]

    private static let deployRS: [TranscriptRow] = [
        .library("…over SSH resulted in a bad exit code: Some({status})", "deploy.rs") { found, _ in
            found["status"] == "255"
                ? .notReached(.guess, .wrapper, or: ["the login was refused", "the connection was lost"])
                : .commandEnded(status: found["status"].flatMap { Int($0) })
        }
    ]

    private static let nixops: [TranscriptRow] = [
        unreached("…unable to start SSH master connection to ‘{host}’", "ssh_util.py", or: ["the host key is not known"])
    ]

    private static let keychain: [TranscriptRow] = [
        .says(
            "…Error: Problem adding; giving up", "keychain.sh: ssh-add has failed",
            .known(.keyPassphraseWrong, .guess, .wrapper, or: ["the key cannot be read", "the agent refused it"]))
    ]

    private static let terminal: [TranscriptRow] = [
        unreached("…Error starting ET process through ssh", "SshSetupHandler.cpp", or: ["et is missing there"])
    ]

    private static let sshpass: [TranscriptRow] = [
        .says("SSHPASS: detected prompt, again. Wrong password", "main.c, with -v", .refused("password", .likely)),
        .says("SSHPASS: detected host authentication prompt", "main.c, with -v", .hostKeyUnknown(.likely)),
    ]
}
