import ErrorCore

/// The local program, from its command line or its output. It determines the meaning of the exit status, and the lines that it
/// adds to ssh's.
struct LocalClient: Sendable {
    /// ssh, or another known program; empty if unknown.
    let name: String
    /// The host of the destination, if the command line names one.
    let host: String
    /// The caller's command on the server; empty if there is none, or it is unknown.
    let remoteCommand: String
    /// Whether the command line is not a known client's: it is the remote command alone, or a program that uses a library.
    let isBare: Bool
    /// Whether debug messages can be the client's own: its command line enables them, or is unknown.
    let mayBeVerbose: Bool
    /// The programs that ran the client: `timeout`, `sshpass`.
    private let runners: Set<String>
    let isUnreachable: Bool
    /// Whether the command line is unknown.
    private let transcriptIsBare: Bool

    /// The exit statuses of programs for a failed connection. Sources: their manuals.
    private static let ownStatuses: [String: Set<Int>] = [
        "ssh": [255], "scp": [1, 255], "sftp": [1, 255], "rsync": [12, 30, 255], "git": [1, 128, 255], "ansible": [1, 2, 3, 4],
        "ansible-playbook": [1, 2, 3, 4], "ssh-copy-id": [1, 255], "ssh-add": [1, 2], "sshfs": [1], "sshpass": [1, 2, 3, 4, 255],
    ]

    /// Local programs that end with any status if SSH fails, and whose command line is never a remote command.
    private static let localPrograms: Set<String> = [
        "terraform", "tofu", "packer", "pulumi", "cap", "kamal", "vagrant", "knife", "plink", "pscp", "psftp", "putty", "winscp",
        "winscp.com", "cargo", "rclone", "docker", "argocd", "flux", "kubectl", "tsh", "gcloud", "aws", "az", "dbclient",
        "ssh-keyscan", "hg", "svn", "borg", "restic", "duplicity", "drone", "k0sctl", "conch", "fab", "salt-ssh", "lftp", "mosh",
        "sshuttle", "clush", "pdsh", "pssh", "parallel-ssh", "git-lfs", "ansible-galaxy", "ansible-pull", "nixops", "colmena",
        "bolt",
        "kitchen", "sky", "fly", "coder", "vorta", "dep", "limactl", "colima", "docker-machine", "docker-compose", "podman",
        "multipass", "minikube", "k3sup", "mutagen", "unison", "helm", "autossh",
    ]

    private let isInstaller: Bool

    /// Whether a program such as `sshpass` ran the client.
    func isRun(by runner: String) -> Bool { runners.contains(runner) }

    /// Whether the status can only be that of a local program.
    var isLocalOnly: Bool { Self.localPrograms.contains(name) }

    /// The program of a command line, without programs that only run it.
    static func program(of command: String) -> String {
        unwrapped(RemoteProgram.commands(command).first ?? []).0.first.map(RemoteProgram.base) ?? ""
    }

    init(_ transcript: SSHTranscript, isVerbose: Bool = false) {
        let lines = transcript.standardError
        transcriptIsBare = transcript.command.isEmpty
        isUnreachable = lines.mentions("UNREACHABLE!") || lines.mentions("\"unreachable\": true")
        let (words, runners) = Self.unwrapped(RemoteProgram.commands(transcript.command).first ?? [])
        self.runners = runners
        let first = words.first.map(RemoteProgram.base) ?? ""
        isInstaller = TranscriptFacts.installers.contains(first)
        if first == "ssh" || first == "autossh" {
            name = first
            isBare = false
            (host, remoteCommand, mayBeVerbose) = Self.split(Array(words.dropFirst()), of: first)
            return
        }
        mayBeVerbose = true
        if Self.ownStatuses[first] != nil || Self.localPrograms.contains(first) {
            (name, host, remoteCommand, isBare) = (first, "", "", false)
        } else if transcript.command.isEmpty {
            (name, host, remoteCommand, isBare) = (Self.speaker(lines), "", "", false)
        } else {
            // The name of a script does not show which programs it runs. Debug messages do.
            let said = isVerbose ? Self.speaker(lines) : "ssh"
            (name, host, remoteCommand, isBare) = (said, "", isVerbose ? "" : transcript.command, !isVerbose)
        }
    }

    /// The client's own command line, without programs that only run it.
    private static func unwrapped(_ words: [String]) -> ([String], Set<String>) {
        let valued: [String: Set<String>] = ["timeout": ["-k", "-s"], "sshpass": ["-p", "-f", "-d", "-P"]]
        var words = words[...]
        var runners: Set<String> = []
        while let first = words.first.map(RemoteProgram.base), let taking = valued[first], words.count > 1 {
            runners.insert(first)
            words.removeFirst()
            while let option = words.first, option.hasPrefix("-"), words.count > 1 {
                words.removeFirst(taking.contains(option) ? min(2, words.count) : 1)
            }
            // timeout(1): the duration.
            if first == "timeout" { words = words.dropFirst() }
        }
        return (Array(words), runners)
    }

    /// Splits the arguments of ssh(1): the first word that is not an option is the destination, and the command follows.
    private static func split(_ words: [String], of program: String) -> (host: String, command: String, verbose: Bool) {
        let valued = "BbcDEeFIiJLlmOoPpQRSWw" + (program == "autossh" ? "M" : "")
        var index = 0
        var isVerbose = false
        while index < words.count, words[index].hasPrefix("-"), words[index].count > 1 {
            if words[index] == "--" { index += 1; break }
            let option = words[index].dropFirst()
            let taking = option.firstIndex { valued.contains($0) }
            let value =
                taking.map { option.index(after: $0) == option.endIndex } == true
                ? words[min(index + 1, words.count - 1)] : words[index]
            isVerbose =
                isVerbose || option[..<(taking ?? option.endIndex)].utf8.contains(UInt8(ascii: "v"))
                || value.lowercased().mentions("loglevel")
            index += taking.map { option.index(after: $0) == option.endIndex } == true ? 2 : 1
        }
        guard index < words.count else { return ("", "", isVerbose) }
        let destination = words[index].split(separator: "@").last.map(String.init) ?? ""
        return (destination, words.dropFirst(index + 1).joined(separator: " "), isVerbose)
    }

    /// The wrapper, recognised by the transcript's lines.
    private static func speaker(_ text: String) -> String {
        if text.mentions("rsync error: ") || text.mentions("rsync: connection unexpectedly closed") { return "rsync" }
        if gitWords.contains(where: { text.mentions($0) }) { return "git" }
        if text.mentions("scp: Connection closed") || text.hasSuffix("lost connection\n") { return "scp" }
        if text.mentions("Executing: program ") && text.mentions(", command ") { return "scp" }
        if text.mentions("SSHPASS: ") || text.mentions("sshpass: ") || text.mentions("At most one of -f, -d, -p or -e") {
            return "sshpass"
        }
        if text.mentions(AnsibleResult.header) || text.mentions("FAILED! =>") { return "ansible" }
        return ""
    }

    private static let gitWords = [
        "fatal: Could not read from remote repository.", "fatal: The remote end hung up", "fatal: the remote end hung up",
        "fatal: early EOF", "error: failed to push some refs to ",
    ]

    /// Whether the status is the client's own, and not the remote command's.
    func failsItself(with status: Int, saying reader: TranscriptReader) -> Bool {
        // The remote command may have been Ansible.
        if name == "ssh", !isBare { return status == 255 || reader.client == "dbclient" }
        if isUnreachable || isLocalOnly { return true }
        // After a library's exception a program may exit with any status.
        if reader.isLibrary, isBare || name.isEmpty { return true }
        // A local program that runs ssh may exit with any status. ssh's own lines are the last.
        if isBare, let rank = reader.reading?.rank,
            rank >= (reader.facts.host.isEmpty ? .telling : .plain) && reader.lastOther <= reader.lastKnown || isInstaller
                || reader.facts.isOverSSH
        {
            return true
        }
        // Without a command line only the text can decide.
        if transcriptIsBare, let rank = reader.reading?.rank, rank >= .plain || reader.lastOther <= reader.lastKnown {
            return true
        }
        // sshpass(1): 5 for a wrong password, 6 and 7 for the host key.
        let pass: [Int: SSHStage] = [5: .authentication, 6: .hostKey, 7: .hostKey]
        if name.isEmpty { return status == 255 || pass[status] != nil && pass[status] == reader.reading?.evidence.stage }
        // rsync and similar programs have their own exit statuses. Ansible's modules and sshpass pass on another status.
        if !["ssh", "sshpass", "ansible", "ansible-playbook"].contains(name), reader.reading.map({ $0.rank >= .plain }) == true {
            return true
        }
        return Self.ownStatuses[name]?.contains(status) == true
    }

    /// The reading of a status of the runner, not of the client.
    func runnerReading(of status: Int, _ reader: TranscriptReader) -> TranscriptReading? {
        let isPass = runners.contains("sshpass") || name.isEmpty && transcriptIsBare
        switch status {
        case 124 where runners.contains("timeout"):
            return .commandTimedOut(
                .likely, alternatives: ["the connection was not established in time", "the command itself exited with 124"])
        case 5 where runners.contains("sshpass") || isPass && reader.facts.passwordRefused: return .refused("password", .likely)
        case 6 where runners.contains("sshpass"): return .hostKeyUnknown(.likely)
        case 129, 130, 143:
            guard name.isEmpty || name == "ssh" && !isBare, reader.reading == nil, reader.lastOther < 0 else { return nil }
            // No output: a signal to ssh, such as ^C, at an unknown stage.
            return .interrupted(
                by: status - 128, .guess,
                alternatives: ["the remote command ended with this status: a program in it was killed by that signal"])
        default: return nil
        }
    }

    /// The highest confidence of a verdict on ssh's messages.
    func limit(_ reader: TranscriptReader, _ transcript: SSHTranscript) -> (SSHError.Confidence, [String]) {
        let nested = "an ssh that the remote command ran printed this"
        // Without an exit status it may be a log, which continues after a failure.
        if transcript.exitStatus == nil { return (.likely, []) }
        if mayBeVerbose, reader.facts.isProved, !reader.facts.trace.isRunning, name != "git", name != "sshpass" {
            return (.exact, [])
        }
        // Only the library itself raises its exceptions, and such a wrapper runs no command of the caller.
        if isUnreachable, !isBare, name != "ssh", !isLocalOnly { return (.exact, []) }
        if isLocalOnly { return (.likely, []) }
        if reader.isLibrary { return isBare ? (.likely, ["the remote command used a library that said this"]) : (.likely, []) }
        if name == "git" || name == "sshpass" { return (.likely, []) }
        if !name.isEmpty, name != "ssh" { return (reader.lastOther > reader.lastKnown ? .likely : .exact, []) }
        if reader.lastOther > reader.lastKnown { return (.guess, [nested]) }
        if transcript.command.isEmpty || isBare && transcript.exitStatus != 255 { return (.likely, []) }
        // ssh may print an address instead of the given name. Only another name means another host.
        let named = reader.hosts.filter { $0.contains(where: \.isLetter) && !$0.contains(":") }
        let another = !host.isEmpty && !named.isEmpty && !named.contains(host)
        if Self.canRunSSH(remoteCommand) || another && !remoteCommand.isEmpty { return (.guess, [nested]) }
        return (.exact, [])
    }

    private static func canRunSSH(_ command: String) -> Bool {
        let carriers: Set<String> = [
            "ssh", "scp", "sftp", "rsync", "git", "ansible", "ansible-playbook", "sshfs", "autossh", "svn", "make",
        ]
        return RemoteProgram.first(carriers, in: command) != nil
    }
}

/// A local `git clone` that failed because its ssh failed.
struct GitCloneFailure: Sendable {
    /// The target directory of the clone; empty if git did not clone.
    let directory: String
    private let reason: String

    init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        let cloning = lines.first { $0.hasPrefix("Cloning into '") } ?? ""
        directory = String(cloning.dropFirst("Cloning into '".count).prefix { $0 != "'" })
        reason = String(lines.first { $0.hasPrefix("fatal: ") }?.dropFirst("fatal: ".count) ?? "ssh failed")
    }

    /// The cause of the failed clone; nil if git did not clone.
    var cause: SSHRemoteCause? {
        if directory.isEmpty { return nil }
        return SSHRemoteCause(
            "clone-failed", .projectCloneFailed(url: "", reason: reason.oneLine()),
            "git could not clone into \(directory.oneLine(120)): \(reason.oneLine())", .likely)
    }
}

extension SSHError {
    /// The same failure, of git's ssh. A hook on the server can write the same text. If git was cloning, the clone failed.
    func of(clone: GitCloneFailure) -> SSHError {
        SSHError(
            code: code, message: message, hint: remedyText, confidence: confidence == .exact ? .likely : confidence,
            alternatives: alternatives + ["a hook on the server printed this"], retry: retry, cause: clone.cause ?? cause,
            evidence: evidence)
    }
}
