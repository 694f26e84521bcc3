/// Which program was run here, so far as its command line or its words tell: what its exit status means, and what it
/// adds to ssh's words.
struct LocalClient: Sendable {
    /// ssh, scp, sftp, rsync, git, ansible; empty where it is not known.
    let name: String
    /// The destination's host, where the command line names one.
    let host: String
    /// What ran on the server; empty where nothing of the caller's did, or it is not known.
    let remoteCommand: String
    private let unreachable: Bool

    private static let wrappers: Set<String> = ["scp", "sftp", "rsync", "git", "ansible", "ansible-playbook"]

    init(_ transcript: SSHTranscript) {
        let words = ShellLexer.words(transcript.command)
        let first = words.first.map { String($0.split(separator: "/").last ?? "") } ?? ""
        let lines = transcript.standardError
        unreachable = lines.contains("UNREACHABLE!")
        if first == "ssh" {
            name = "ssh"
            (host, remoteCommand) = Self.split(Array(words.dropFirst()))
        } else if Self.wrappers.contains(first) {
            (name, host, remoteCommand) = (first, "", "")
        } else {
            (name, host) = (transcript.command.isEmpty ? Self.speaker(lines) : "ssh", "")
            remoteCommand = transcript.command
        }
    }

    /// ssh(1): the first word that is no option is the destination; what follows is the command.
    private static func split(_ words: [String]) -> (host: String, command: String) {
        let valued = "BbcDEeFIiJLlmOoPpQRSWw"
        var index = 0
        while index < words.count, words[index].hasPrefix("-"), words[index].count > 1 {
            if words[index] == "--" { index += 1; break }
            let option = words[index].dropFirst()
            let taking = option.firstIndex { valued.contains($0) }
            index += taking.map { option.index(after: $0) == option.endIndex } == true ? 2 : 1
        }
        guard index < words.count else { return ("", "") }
        let destination = words[index].split(separator: "@").last.map(String.init) ?? ""
        return (destination, words.dropFirst(index + 1).joined(separator: " "))
    }

    /// The wrapper that a transcript's own last lines give away.
    private static func speaker(_ text: String) -> String {
        if text.contains("rsync error: ") || text.contains("rsync: connection unexpectedly closed") { return "rsync" }
        if text.contains("fatal: Could not read from remote repository.") { return "git" }
        if text.contains("scp: Connection closed") || text.hasSuffix("lost connection\n") { return "scp" }
        return ""
    }

    /// Whether a status is the client's own and not the remote command's.
    func failsItself(with status: Int) -> Bool {
        if unreachable { return true }
        switch name {
        case "scp": return [1, 255].contains(status)
        case "sftp": return [1, 255].contains(status)
        case "rsync": return [12, 30, 255].contains(status)
        case "git": return [1, 128, 255].contains(status)
        case "ansible", "ansible-playbook": return [2, 4].contains(status)
        default: return status == 255
        }
    }

    /// How sure a verdict on ssh's words may be.
    func limit(_ reader: TranscriptReader, _ transcript: SSHTranscript) -> (SSHError.Confidence, [String]) {
        let nested = "an ssh that the remote command ran said this, and not ours"
        // A library's own exception is nobody else's words; a wrapper runs no command of the caller's.
        if reader.lastOther > reader.lastKnown { return (.guess, [nested]) }
        if unreachable { return (.exact, []) }
        if transcript.command.isEmpty { return (.likely, []) }
        if Self.wrappers.contains(name) { return (.exact, []) }
        if !host.isEmpty, !reader.hosts.isEmpty, !reader.hosts.contains(host),
            reader.facts.host != host, Self.canRunSSH(remoteCommand)
        {
            return (.guess, [nested])
        }
        if Self.canRunSSH(remoteCommand) { return (.guess, [nested]) }
        return (.exact, [])
    }

    private static func canRunSSH(_ command: String) -> Bool {
        let carriers: Set<String> = [
            "ssh", "scp", "sftp", "rsync", "git", "ansible", "ansible-playbook", "sshfs", "autossh", "svn", "make",
        ]
        return RemoteProgram.first(carriers, in: command) != nil
    }

    /// What wrappers add once ssh has failed.
    static func isEpilogue(_ line: String) -> Bool {
        let starts = [
            "lost connection", "Connection closed", "scp: Connection closed", "rsync error: ",
            "rsync: connection unexpectedly closed",
            "rsync: [", "fatal: Could not read from remote repository.", "Please make sure you have the correct access rights",
            "and the repository exists.", "Couldn't read packet: ", "fatal: the remote end hung up", "Killed by signal",
            "PLAY RECAP",
            "Connection to ", "Cloning into",
        ]
        return starts.contains { line.hasPrefix($0) } || line.hasSuffix("scp: Connection closed")
    }
}

extension ShellLexer {
    /// The words of a command line, as of its first simple command.
    static func words(_ line: String) -> [String] {
        var lexer = ShellLexer()
        for character in line { lexer.take(character) }
        return lexer.finish().first ?? []
    }
}
