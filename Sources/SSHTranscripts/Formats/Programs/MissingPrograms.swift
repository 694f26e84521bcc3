/// What shells, interpreters and programs say where ssh, or a program that belongs to it, is not installed. Sources: bash and
/// busybox; cmd.exe and PowerShell; Python, subprocess; Node, child_process; Go, os/exec; Java, ProcessBuilder; Ruby and Perl,
/// exec; git, run-command.c; nix, util.cc.
enum MissingPrograms {
    /// The programs, by the names that a shell reports.
    static let names: Set<String> = [
        "ssh", "sftp", "sshpass", "ssh-add", "ssh-agent", "ssh-keyscan", "ssh-keygen", "ssh-copy-id", "autossh", "sshfs", "plink",
        "sshuttle",
    ]

    static let rows: [TranscriptRow] = [
        row("…No such file or directory: {name}", "Python: FileNotFoundError"),
        row("…o such file or directory - {name}", "Ruby: Errno::ENOENT"),
        row("…spawn {name} ENOENT", "Node: child_process"),
        row("…Cannot run program {name}: error=2", "Java: ProcessBuilder"),
        row("…unable to execute {name}: No such file or directory", "nix: util.cc"),
        row("…Can't exec {name}: No such file or directory", "Perl: exec"),
        row("…fork/exec {name}: no such file or directory", "Go: os/exec"),
        row("…cannot run {name}: No such file or directory", "git: run-command.c"),
        row("…env: {name}: No such file or directory", "coreutils: env"),
        row("{name} is not recognized as an internal or external command", "cmd.exe"),
        row("…The term {name} is not recognized as ", "PowerShell"),
        row("{name}: not found", "busybox: ash"), row("{name}: command not found", "bash"),
    ]

    private static func row(_ text: String, _ source: String) -> TranscriptRow {
        .library(text, source) { found, facts in
            guard let name = program(in: found["name"] ?? "") else { return facts.decline() }
            return .missingProgram(name)
        }
    }

    /// `b'ssh'`, `"/usr/bin/ssh"`, `‘ssh’`, `ssh.exe`: the name alone; nil if the text is another program's or more than a name.
    private static func program(in text: String) -> String? {
        var name = text.prefix(80).trimmingPrefix("b'")
        while let last = name.last, !last.isLetter { name.removeLast() }
        while let first = name.first, !first.isLetter, first != "/" { name.removeFirst() }
        let base = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let plain = base.hasSuffix(".exe") ? String(base.dropLast(4)) : base
        return names.contains(plain) ? plain : nil
    }
}
