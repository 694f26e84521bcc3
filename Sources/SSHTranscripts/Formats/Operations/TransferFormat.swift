/// Downloads, orchestration and older clients, with their own words. Sources: aria2, SocketCore.cc and
/// SftpNegotiationCommand.cc; juju, ssh; cf, v7 ssh; awsebcli, ebrun; tiup, executor; roslaunch, remoteprocess.py;
/// Back In Time, sshtools.py; Tectia's and Sun's ssh, sshclient and kex.c; maven-wagon, wagon-ssh; Rex; tmate,
/// tmate-ssh-client.c; Net::SSH::Expect; Axway's Transfer CFT; gftp.
enum TransferFormat {
    static let all = [
        TranscriptFormat("aria2", aria2), TranscriptFormat("juju", juju), TranscriptFormat("", clouds),
        TranscriptFormat("tiup", tiup), TranscriptFormat("roslaunch", ros), TranscriptFormat("back in time", backInTime),
        TranscriptFormat("tectia", tectia), TranscriptFormat("sunssh", sun), TranscriptFormat("jsch", wagon),
        TranscriptFormat("rex", rex), TranscriptFormat("tmate", tmate), TranscriptFormat("net::ssh::expect", expect),
        TranscriptFormat("transfer cft", transferCFT), TranscriptFormat("gftp", gftp),
    ]

    private static let gftp: [TranscriptRow] = [
        .noting("Running program ssh ", "sshv2.c: gftp_exec") { _, facts in facts.isOverSSH = true },
        .library("Error: Could not read from socket: {reason}", "protocols.c: gftp_fd_read") { _, facts in
            facts.isOverSSH ? TranscriptReading.cut().ranked(.wrapper) : facts.decline()
        },
    ]

    /// Source: the vendor's page about failed SFTP transfers. The number of the diagnosis stands at the end of the line.
    private static let transferCFT: [TranscriptRow] = [
        .library("CFTT75E Incorrect user or password <{x}", "client") { _, _ in .refused("password", .likely) },
        .library("CFTT75E Network connect reject <{x}DIAGI=264>", "client: the server's key is not the partner's") { _, _ in
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])
        },
        .library("…CFT.SFTP [1] {number}: User {user} not allowed to connect to the server", "server") { _, _ in
            .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
    ]

    private static let aria2: [TranscriptRow] = [
        .library("…Unexpected SSH host key: expected {x}, actual {y}", "SocketCore.cc") { _, _ in
            .known(.hostKeyChanged, .guess, or: ["the expected one is not this server's"])
        },
        .library("…SSH opening SFTP path {path} failed: {reason}", "SocketCore.cc") { found, _ in
            .known(
                found["reason"]?.mentions("ermission denied") == true ? .sftpPermissionDenied : .sftpNoSuchFile, .guess,
                or: ["it may not be read"])
        },
    ]

    private static let juju: [TranscriptRow] = [
        .library("ERROR cannot connect to any address: [{addresses}:22{rest}", "cmd/juju/ssh") { _, _ in
            .notReached(.guess, .plain)
        },
        .says("…cannot load ssh client keys: ", "cmd/juju", .key(.unreadable, nil, "", .guess)),
        .says("ERROR retrieving SSH host keys for ", "cmd/juju/ssh", .hostKeyUnknown(.guess)),
    ]

    private static let clouds: [TranscriptRow] = [
        .library("Error opening SSH connection: {reason}", "cf: ssh.go") { found, facts in
            let reason = found["reason"] ?? ""
            return reason.mentions("not authorized")
                ? .known(.authAccountDenied, .guess) : CommonReasons.reading(of: reason) ?? facts.decline()
        },
        .says(
            "…An error occurred while running: ssh.", "awsebcli: sshops.py",
            .notReached(.guess, .wrapper, or: ["the login was refused", "the remote command failed"])),
    ]

    private static let tiup: [TranscriptRow] = [
        .library("…Execute command over SSH timedout for '{account}'", "executor/ssh.go") { found, facts in
            note(found, &facts)
            return .commandTimedOut(.guess, alternatives: ["the host was not reached"])
        },
        .library("…ailed to execute command over SSH for '{account}' {ssh_stderr: ", "executor/ssh.go, whose cause follows") {
            found, facts in
            note(found, &facts)
            return .known(.commandExitNonzero, .guess, .wrapper, or: ["the host was not reached"])
        },
    ]

    /// Notes the user and the host of `user@host:port`.
    private static func note(_ found: [String: String], _ facts: inout TranscriptFacts) {
        facts.note(account: String((found["account"] ?? "").prefix { $0 != ":" }))
    }

    private static let ros: [TranscriptRow] = [
        .library("{host} is not in your SSH known_hosts file", "remoteprocess.py") { _, _ in .hostKeyUnknown(.likely) },
        .library("…Authentication to remote computer[{account}] failed", "remoteprocess.py") { found, facts in
            note(found, &facts)
            return .refused("publickey", .guess, alternatives: SharedAlternatives.login)
        },
    ]

    private static let backInTime: [TranscriptRow] = [
        .library("…Password-less authentication for {user}@{host} failed", "sshtools.py") { _, _ in
            .refused("publickey", .guess, alternatives: ["the host was not reached"])
        }
    ]

    private static let tectia: [TranscriptRow] = [
        .says("Disconnected; connection lost (Connection closed by remote host", "sshclient.c", .cut())
    ]

    private static let sun: [TranscriptRow] = [
        .library("…no common {kind} alg: client '{ours}', server '{theirs}'", "kex.c") { found, _ in
            .noCommon(TranscriptReading.algorithmCode(found["kind"] ?? ""), "algorithm", .likely)
        },
        .library("no kex alg{rest}", "kex.c of OpenSSH before 6.7", noKex),
        .library("%no kex alg{rest}", "the same in a device's dialog", noKex),
    ]

    @Sendable private static func noKex(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        found["rest"]?.isEmpty == true ? .noCommon(.kexNoCommonKex, "key exchange method", .likely) : facts.decline()
    }

    private static let wagon: [TranscriptRow] = [
        .library("…wagon.authentication.AuthenticationException: Cannot connect. Reason: {reason}", "AbstractJschWagon.java") {
            found, facts in
            CommonReasons.reading(of: found["reason"] ?? "") ?? facts.decline()
        },
        .says(
            "…Failed SFTP PUT: ", "groovy-ssh: Sftp operations, as GradleRIO prints them",
            .known(.sftpWriteFailed, .guess, .wrapper, or: ["the file here is missing"])),
        .says("…Failed SFTP GET: ", "groovy-ssh: Sftp operations", .known(.sftpReadFailed, .guess, .wrapper)),
    ]

    private static let rex: [TranscriptRow] = [
        .library("…Wrong username/password or wrong key on {host}. Or root is not permitted", "TaskList/Base.pm") { _, _ in
            .refused("password", .guess, alternatives: SharedAlternatives.login)
        }
    ]

    private static let tmate: [TranscriptRow] = [
        .library("…[tmate] Error connecting: {reason}", "tmate-ssh-client.c") { found, facts in
            LibSSHTexts.reading(of: found["reason"] ?? "") ?? facts.decline()
        },
        .library("…Reconnecting... ({what}", "tmate-session.c") { found, facts in
            let what = found["what"] ?? ""
            if what.hasPrefix("Error connecting: ") {
                return LibSSHTexts.reading(of: String(what.dropFirst(18))) ?? facts.decline()
            }
            if what.hasPrefix("Cannot authenticate server") {
                return .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])
            }
            if what.hasPrefix("SSH keys not found") { return .noCredentials(.guess) }
            return what.hasPrefix("Auth error: ") ? .refused("publickey", .guess) : facts.decline()
        },
    ]

    private static let expect: [TranscriptRow] = [
        .says("…SSHConnectionError Reading error type ", "Expect.pm", .cut(.closed, at: .banner, .plain)),
        .says(
            "…SSHAuthenticationError Login timed out", "Expect.pm",
            .timedOut(.authentication, .guess, alternatives: ["the prompt is not the expected one"])),
        .says("…SSHProcessError The ssh process was terminated", "Expect.pm", .lostByWrapper()),
    ]
}
