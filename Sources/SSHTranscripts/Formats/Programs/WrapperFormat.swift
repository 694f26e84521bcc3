/// Messages of programs that run ssh, and of hosting services in place of a shell. Sources: borg, remote.py; sshfs.c; mosh's
/// script; autossh.c; pssh; ClusterShell; pdsh; the documentation of GitHub, GitLab, Bitbucket, Azure and
/// Heroku.
enum WrapperFormat {
    /// The client's name for the messages of hosting services, which git shows after `remote: `.
    static let service = "git hosting"

    static let all = [
        TranscriptFormat(service, hosting), TranscriptFormat("", programs + MissingPrograms.shells + translated),
    ]

    /// git's message that it got nothing from the server, in the languages of its catalogues. Source: git, po/.
    private static let translated: [TranscriptRow] = [
        "Не може да се чете от отдалеченото хранилище", "No s'ha pogut llegir del repositori remot",
        "Konnte nicht vom Remote-Repository lesen", "No se pudo leer del repositorio remoto",
        "mpossible de lire le dépôt distant", "Tidak dapat membaca dari repositori remote",
        "Impossibile leggere dal repository remoto", "리모트 저장소에서 읽을 수 없습니다",
        "Nie można czytać ze zdalnego repozytorium", "Incapaz de ler o repositório remoto",
        "Не удалось прочитать из внешнего репозитория", "Kunde inte läsa från fjärrarkiv", "Uzak konum deposu okunamadı",
        "Không thể đọc từ kho trên mạng", "无法读取远程仓库", "無法讀取遠端版本庫",
    ].map { text in
        .library("…\(text)", "git: connect.c, without ssh") { _, facts in
            if facts.program == "git" { return facts.decline() }
            return .notReached(.guess, .wrapper, or: ["the account may not use the repository, or there is none"])
        }
    }

    private static let programs: [TranscriptRow] = [
        // borg, rsync, scp and git start a program of their own name on the server.
        .says("Remote: {shell}: command not found", "borg: remote.py, and the shell's words", .known(.commandNotFound)),
        .says("Remote: {shell}: command not found: {name}", "borg: remote.py, and zsh's words", .known(.commandNotFound)),
        .library("Remote: {shell}: {name}: not found", "borg: remote.py, and dash's words") { _, _ in .known(.commandNotFound) },
        .says("…borg.remote.ConnectionClosed: ", "borg: remote.py", .lostByWrapper()),
        .says("…borg.remote.ConnectionClosedWithHint: ", "borg: remote.py", .lostByWrapper()),
        .library("Connection closed by remote host{rest}", "borg: remote.py") { found, facts in
            // ssh prints this only after the name of a function.
            let rest = (found["rest"] ?? "").trimming(". ")
            guard rest.isEmpty || rest.mentions("Is borg working"), facts.program == "borg" || rest.mentions("borg") else {
                return facts.decline()
            }
            return .lostByWrapper()
        },
        .noting("…cached responses left in RemoteRepository", "borg: remote.py") { _, facts in facts.program = "borg" },
        .noting("RemoteRepository: {n} bytes sent, ", "borg: remote.py, its totals") { _, facts in facts.program = "borg" },
        .says(
            "…could not configure SSH authentication methods", "terraform-provider-libvirt: uri/ssh.go", .noCredentials(.guess)),
        .says(
            "…Failed to find the server key that matches the key registered in the client", "vuls: scanner.go",
            .known(.hostKeyChanged, .guess, or: ["the host key is not known"])),
        .says(
            "…can not use password mode or interactive mode to login to real SSH server", "tp4a teleport: ssh_session.cpp",
            .methodNotOffered([], .guess)),
        .library("…rsync exited with code {status}", "rsync: errcode.h, in the words of programs on Node") { found, facts in
            let status = (found["status"] ?? "").prefix(while: \.isNumber)
            guard status == "12" else { return status == "255" ? .notReached() : facts.decline() }
            return .notReached(.guess, .wrapper, or: ["rsync is missing on the server", "the directory there is missing"])
        },
        .says("…/rsync' failed with exit code 255", "actions/toolkit: exec", .notReached()),
        .says("…/ssh' failed with exit code 255", "actions/toolkit: exec", .notReached()),
        .says("…/scp' failed with exit code 255", "actions/toolkit: exec", .notReached()),
        .says(
            "…Fatal error: Host key verification failed", "lftp: SFtp.cc",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("…max-retries exceeded (connect to host {host} port {port}: {reason})", "lftp: SFtp.cc, of ssh's message") {
            found, _ in .unconnected(found["reason"] ?? "", .likely)
        },
        .library("…: Access failed: {text}", "lftp: NetAccess.cc, with an address of sftp://") { found, facts in
            facts.isOverSSH ? SFTPTexts.reading(of: found["text"] ?? "") ?? facts.decline() : facts.decline()
        },
        .says("…remote host has disconnected", "sshfs.c", TranscriptReading.cut(.closed, at: .banner, .wrapper)),
        .says("…Did not find mosh server startup message", "mosh", TranscriptReading.known(.commandNotFound, .guess, .wrapper)),
        TranscriptRow("…mosh: Could not connect to {host}, last tried {address}: {x}: connect: {reason}", "mosh: its proxy") {
            found, _ in mosh(found["reason"] ?? "")
        },
        TranscriptRow("…mosh: Could not connect to {host}: {reason}", "mosh: its proxy") { found, _ in mosh(found["reason"] ?? "")
        },
        TranscriptRow("…mosh: Could not resolve hostname {host}", "mosh: its proxy") { _, _ in
            TranscriptReading.unresolved("not known", .likely)
        },
        .says("…mosh-server needs a UTF-8 native locale", "mosh-server", TranscriptReading.known(.commandExitNonzero, .likely)),
        .says("…mosh requires a UTF-8 locale", "mosh-server, 1.0", TranscriptReading.known(.commandExitNonzero, .likely)),
        .says("…ssh exited prematurely with status ", "autossh.c", .notReached()),
        .says("…ssh exited with error status 255; restarting ssh", "autossh.c", .notReached()),
        .library("…Cannot obtain authentication methods: {reason}", "zabbix: ssh_run.c") { _, _ in
            .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
        .says(
            "…Validation of server fingerprint failed", "duplicati: SSHv2Backend.cs",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("…UserInformationException: Permission denied ({methods})", "duplicati, with SSH.NET") { found, _ in
            .refused((found["methods"] ?? "").split(separator: ",").first.map(String.init) ?? "password", .guess)
        },
        .says("…exited with exit code 255", "pdsh; clush", .notReached()),
        .says("clush: {host}: exited with exit code ", "clush", .known(.commandExitNonzero, .guess)),
        .says(
            "…failed using an ssh key for authentication", "composer: Util/GitHub.php, GitLab.php",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login).ranked(.wrapper)),
        // Its message about a key came before it looked for git: no ssh ran.
        .recovers("…git was not found, check that it is installed", "composer: Util/Git.php"),
        .says("…sshfs -h' for usage", "sshfs.c: main", .known(.localUsage)),
        .says("…Timed out, Killed by signal 9", "pssh: task.py, with --timeout", .commandTimedOut(.guess)),
        .library("…The command \"{command}\" failed.", "Symfony's Process, as Deployer prints it") { found, facts in
            let program = (found["command"] ?? "").prefix { $0 != " " }.split(separator: "/").last ?? ""
            return ["ssh", "scp", "sftp"].contains(program)
                ? .notReached(.guess, .wrapper, or: ["the login was refused", "the remote command failed"]) : facts.decline()
        },
        .library("Host Name: {host}", "Deployer: its report of a command") { found, facts in
            let codes = facts.otherLines.last(4).compactMap { line in
                line.hasPrefix("Exit Code: ") ? Int(line.dropFirst(11).prefix { $0.isNumber }) : nil
            }
            guard let status = codes.last, status > 0 else { return facts.decline() }
            return .known(.commandExitNonzero, .guess, .wrapper, or: status == 255 ? ["ssh itself failed"] : [])
        },
        .says("…Exited with error code 255", "pssh", .notReached()),
        .says(
            "…Command failed with errors on remote machine", "azure-pipelines-tasks: SshV0",
            TranscriptReading.known(.commandExitNonzero, .guess, .plain)),
        .library(
            "…on the remote machine. Command {command} exited with code {status}", "azure-pipelines-tasks: CopyFilesOverSSH"
        ) { found, _ in
            .commandEnded(status: Int((found["status"] ?? "").prefix(while: \.isNumber)))
        },
        .says("…Failed to connect to remote machine. Verify the SSH service", "azure-pipelines-tasks: SshV0", .notReached()),
        .says(
            "Failed to connect to {host}: execution expired", "bolt: transport/ssh/connection.rb", .timedOut(.connect, .likely)),
        .says("…Did not find remote IP address (is SSH ProxyCommand disabled?)", "mosh", .notReached()),
        .library("{before}rsync: connection unexpectedly closed ({n} bytes received so far)", "rsync: io.c") { found, facts in
            found["before"]?.mentions("rsyncd[") == true ? facts.decline() : rsyncClosed(found, &facts)
        },
        .library("rsync: [{role}] connection unexpectedly closed ({n} bytes received so far)", "rsync: io.c, 3.2") {
            rsyncClosed($0, &$1)
        },
        // ssh's own failure has the status 255, which rsync passes on.
        .library("…rsync error: error in rsync protocol data stream (code 12)", "rsync: cleanup.c, errcode.h") { _, facts in
            facts.dialog == .rsync ? .lostByWrapper() : facts.decline()
        },
        .says("…rsync error: remote command not found (code 127)", "rsync: errcode.h", .known(.commandNotFound)),
        .says("…rsync error: unexplained error (code 255)", "rsync: errcode.h: the status of its ssh", .notReached()),
        .library("rsync: [{role}] write error: Broken pipe (32)", "rsync: io.c, 3.2") { _, _ in .lostByWrapper() },
        .library("{before}fatal: Could not read from remote repository{rest}", "git: connect.c, without ssh") { found, facts in
            // git itself, whose command line is known, has a separate verdict.
            if facts.program == "git" { return facts.decline() }
            // The service's words may stand on the same line.
            let before = (found["before"] ?? "").trimming(" ")
            if let words = before.isEmpty ? facts.otherLines.last(1).first : before, isService(words) {
                return refusedByService(words)
            }
            if GitAnswers.isUnknownRemote(facts) { return nil }
            return GitAnswers.reading(facts)
                ?? .notReached(.guess, .wrapper, or: ["the account may not use the repository, or there is none"])
        },
        .library("fatal: The remote end hung up unexpectedly", "git: pkt-line.c") { _, facts in
            let isSSH = facts.program != "git" && facts.otherLines.last(6).contains { $0.mentions("ssh://") }
            return isSSH ? .notReached(.guess, .wrapper, or: ["the remote command failed"]) : facts.decline()
        },
        // For a name without a slash, git has no remote of this name and tried it as a path here.
        .library("…fatal: '{path}' does not appear to be a git repository", "git: path.c, of upload-pack") { found, facts in
            guard facts.program.isEmpty, let path = found["path"] else { return facts.decline() }
            // `git remote add deploy host:app`
            let isThere = facts.otherLines.last(8).contains { $0.mentions(":" + path) }
            guard path.mentions("/") || isThere || facts.passwordAsked else { return facts.decline() }
            return .known(.commandExitNonzero, .guess, .plain, or: ["it is a path on this machine"])
        },
        .says(
            "…ssh_askpass: exec(", "readpass.c: no program to ask with",
            .known(.authInteractionRequired, .guess, .wrapper, or: ["the login was refused", "the host key is not known"])),
        .library("{shell}: {path}: No such file or directory", "the words of a shell, where a program here started it") {
            found, facts in
            let path = found["path"] ?? ""
            if path.hasSuffix("/ssh") { return .missingProgram("ssh") }
            guard path.contains("/"), var said = MissingPrograms.reading(path, &facts) else { return facts.decline() }
            said.confidence = .guess
            return said
        },
        .library("fatal: ssh variant '{name}' does not support", "git: connect.c") { _, _ in .known(.localUsage) },
        .says("…Failed to exec ssh: ", "rsync: pipe.c", .missingProgram("ssh")),
        .says(
            "…rsync error: timeout in data send/receive", "rsync: io.c, with --timeout",
            TranscriptReading.known(.commandIdleTimedOut, .guess, .ending, or: ["the connection was lost without a sign"])),
        .library("read: Connection reset by peer{rest}", "sshfs.c") { found, facts in
            guard (found["rest"] ?? "").isEmpty else { return facts.decline() }
            // With ssh -v: the server's sftp-server has ended.
            if facts.trace.end != nil { return .known(.sftpConnectionLost, .guess, .telling) }
            // ssh asks for a password after key exchange.
            return facts.passwordAsked
                ? .ended(.ending, .reset, at: .authentication, .guess, alternatives: ["the session was lost"])
                : .cut(.reset).ranked(.ending)
        },
        .library("error: cannot spawn {path}: No such file or directory", "git: run-command.c") { found, facts in
            let path = (found["path"] ?? "").lowercased()
            guard path.mentions("ssh") || path.mentions("plink") else { return facts.decline() }
            let name = (found["path"] ?? "").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
            var reading = TranscriptReading.missingProgram(name)
            reading.alternatives = ["GIT_SSH or core.sshCommand names another path than its own"]
            return reading
        },
        .says(
            "…is your shell clean?", "rsync: compat.c", .known(.sftpProtocolError, .guess, or: ["the server's rsync is too old"])),
        .library("…End of file while reading data: {shell}: {name}: command not found", "libvirt: its netcat there") { _, _ in
            .known(.commandNotFound)
        },
        .library("…End of file while reading data: {text}: Input/output error", "libvirt: its netcat there") { found, facts in
            let text = found["text"] ?? ""
            return ["nc: ", "Ncat: ", " nc "].contains { text.mentions($0) || ("\(text): ").hasPrefix($0) }
                ? .known(.commandExitNonzero, .guess) : facts.decline()
        },
        .says("…fatal: unrecognized command '", "git: shell.c, as the login shell", .known(.commandLoginShellDenied, .guess)),
        .says("…git-upload-pack: not found", "dash on a server without git", .known(.commandNotFound)),
        .says("Invalid session target", "shellhub: ssh/server", .known(.channelJumpTargetUnreachable, .guess)),
        .says(
            "…connections using public keys are not permitted when the agent version", "shellhub: ssh/server",
            .known(.authMethodNotOffered)),
        .says(
            "…failed to get auth data from key", "shellhub: ssh/server",
            .refused("publickey", .guess, alternatives: SharedAlternatives.login)),
    ]

    /// Words that a program puts before another's. These rows come before all rows that read the other program's
    /// messages.
    static let repeated: [TranscriptRow] = [
        repeating("…'. Retry scheduled", "git: submodule--helper.c, which clones twice"),
        repeating("git stdout: ", "sshkit: command.rb, with git's output, which capistrano prints again"),
        repeating("…npm ERR! ", "npm, with git's output"), repeating("…npm error ", "npm 10"),
        repeating("…verbose stack ", "npm's log"), repeating("…\"stack\": \"", "Node's errors in JSON"),
        repeating("…: ping failed err=", "zrepl: rpc, whose connections for control and data fail alike"),
        repeating("…An error occurred while resolving packages", "Unity's package manager, with git's output again"),
        repeating("…[DEBUG   ] Warning: Permanently added '", "salt: utils/vt.py, with the output again"),
        repeating("…[TRACE   ] STDERR ", "salt: client/ssh/shell.py, which logged the lines already"),
    ]

    private static func repeating(_ words: String, _ source: String) -> TranscriptRow {
        .noting(words, source) { _, facts in facts.mayRepeat = true }
    }

    /// mosh runs ssh through a proxy of its own, whose words come before ssh's.
    private static func mosh(_ reason: String) -> TranscriptReading {
        reason.mentions("not known") ? .unresolved(reason, .likely) : .unconnected(reason, .likely)
    }

    /// Whether a line before git's message is a hosting service's answer in place of the repository: ssh itself begins no message
    /// so.
    private static func isService(_ line: String) -> Bool {
        // A program around git shows git's command line in its own message.
        if line.mentions("git clone") || line.mentions("exit code") { return false }
        if line.hasPrefix("ERROR: ") || line.hasPrefix("FATAL: ") || GitRemote.isMessage(line) { return true }
        let bare = ["unauthorized", "forbidden", "access denied", "repository not found", "repository access denied"]
        return bare.contains(line.lowercased().trimming(". "))
    }

    static func refusedByService(_ words: String) -> TranscriptReading {
        .direct(.plain, .commandExitNonzero, .guess) { _ in
            VerdictText(
                "The service refused the repository after the login. It said: \(words)",
                hint: "Check the repository's name, and which account the key belongs to.")
        }
    }

    /// The login succeeded. The service refuses the repository, or does not have it.
    private static func denied(_ words: String, _ service: String) -> TranscriptRow {
        TranscriptRow(words, service) { _, facts in
            // The status of a known program says enough. That of an installer is its own.
            guard facts.program.isEmpty || TranscriptFacts.installers.contains(facts.program) else { return facts.decline() }
            return .direct(.plain, .commandExitNonzero, .guess) { _ in
                VerdictText(
                    "\(service) refused the repository after the login: it does not exist, or the key's account may not use it.",
                    hint: "Check the repository's name, and which account the key belongs to.")
            }
        }
    }

    /// rsync's message about a closed connection. Its last line, with the code, belongs to it.
    private static func rsyncClosed(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        // The daemon's own protocol needs no ssh.
        let lines = facts.otherLines.last(40)
        if facts.isOtherProtocol || lines.contains(where: { $0.mentions(" rsync://") || $0.hasPrefix("@ERROR: ") }) {
            return facts.decline()
        }
        facts.dialog = .rsync
        return found["n"] == "0" ? .notReached(.guess, or: ["rsync is missing on the server"]) : .lostByWrapper()
    }

    /// The login succeeded, and the service itself failed. git prints the same text after `remote: ` for any transport.
    private static func broken(_ words: String, _ service: String) -> TranscriptRow {
        .library("{before}\(words)", service) { found, facts in
            guard facts.program.isEmpty, !(found["before"] ?? "").mentions("remote:") else { return facts.decline() }
            return .direct(.plain, .commandExitNonzero, .guess) { _ in
                VerdictText(
                    "\(service) itself failed after the login.", hint: "Look at the log of \(service) on the server.")
            }
        }
    }

    /// Messages of hosting services. In some cases the login succeeded, and the service refused the request.
    private static let hosting: [TranscriptRow] = services + forges

    /// Messages of Gitea, Forgejo and Gogs about a login that succeeded. Source: Gitea, cmd/serv.go.
    private static let forges: [TranscriptRow] = ["Gitea", "Forgejo", "Gogs"].flatMap { name in
        [
            "Unauthorized", "Cannot find repository", "Invalid key ID", "Key ID format error", "Invalid repo name",
            "Unknown git command", "User does not have", "Key access denied", "Key permission",
        ].map { denied("\(name): \($0)", name) } + [broken("\(name): Internal ", name)]
    }

    private static let services: [TranscriptRow] = [
        .says("…re using an RSA key with SHA-1, which is no longer ", "GitHub; Azure DevOps", .sha1()),
        .says("…You are using an RSA key with SHA-1, which is no longer supported", "several", .sha1()),
        .says("…Public key authentication failed", "Azure DevOps", .refused("publickey", .likely)),
        denied("…ERROR: Repository not found", "GitHub"), denied("…ERROR: The project you were looking for", "GitLab"),
        denied("…conq: repository does not exist", "Bitbucket"),
        denied("…conq: invalid repository syntax", "Bitbucket"),
        denied("ERROR: Permission to {repository} denied to", "GitHub"),
        denied("…ERROR: The key you are authenticating with has been marked as read only", "GitHub"),
        denied("…organization has enabled or enforced SAML SSO", "GitHub"),
        denied("…This deploy key does not have write access to this project", "GitLab"),
        denied("…ERROR: You are not allowed to push code to this project", "GitLab"),
        denied("…conq: access denied", "Bitbucket"),
        denied("…TF401019: The Git repository with name or identifier", "Azure DevOps"),
        denied("FATAL: {permission} any {repository} DENIED by", "gitolite"),
        denied("fatal: '{path}': not a git archive", "Gitblit"),
        .says("…ERROR: Your account is suspended", "GitHub", .known(.authAccountDenied)),
        .says("…We're doing an SSH key audit", "GitHub, in 2012", .known(.authAccountDenied)),
        .says("…Your SSH key has expired", "GitLab", .known(.authAccountDenied)),
        .says("…Your account has been blocked", "GitLab", .known(.authAccountDenied)),
    ]
}

/// Programs that ran ssh and report its status, 255, without its messages: Python's subprocess, Node, Ansible's shell module, CI
/// systems, backup tools. Source: ssh(1), EXIT STATUS.
enum StatusFormat {
    static let rows: [TranscriptRow] = texts.map { text in
        .library("{before}\(text){rest}", "ssh(1): EXIT STATUS, in the words of a program that ran it") { found, facts in
            // A longer number is another status.
            let rest = found["rest"] ?? ""
            guard rest.first?.isNumber != true, runsSSH(found["before"] ?? "") || runsSSH(rest) else { return facts.decline() }
            return .notReached(
                .guess, .wrapper, or: ["the login was refused", "the remote command ended with 255, or the connection was lost"])
        }
    }

    private static let texts = [
        "exit status 255", "exit code 255", "exit status: 255", "exit code: 255", "exited with 255", "exited with code 255",
        "exited with status 255", "error code 255", "return code 255", "returned 255", "status code 255",
        // wait(2)'s number of the same status.
        "failed: 65280 at ",
    ]

    /// The programs whose status of 255 is ssh's.
    private static let programs: Set<String> = [
        "ssh", "ssh.exe", "scp", "sftp", "autossh", "rsync", "ssh-keyscan", "ssh-copy-id",
    ]
    private static let marks: Set<Character> = ["'", "\"", " ", "[", "]", "(", ")", ",", "/", "\\", ":", "`", "|", "=", "\t"]

    /// Whether the text has such a program as a word: `Command '['ssh', …`, `/usr/bin/ssh -S …`.
    private static func runsSSH(_ text: String) -> Bool {
        text.split { marks.contains($0) }.contains { programs.contains($0.lowercased()) }
    }
}
