/// Messages of shells, interpreters and programs if ssh, or a program that belongs to it, is not installed. Sources: bash and
/// busybox; cmd.exe and PowerShell; Python, subprocess; Node, child_process; Go, os/exec; Java, ProcessBuilder; Ruby and Perl,
/// exec; git, run-command.c; nix, util.cc.
enum MissingPrograms {
    /// The programs, by the names that a shell reports.
    static let names: Set<String> = [
        "ssh", "sftp", "sshpass", "ssh-add", "ssh-agent", "ssh-keyscan", "ssh-keygen", "ssh-copy-id", "autossh", "sshfs", "plink",
        "sshuttle", "ssh-sk-helper", "dbclient",
    ]

    static let rows: [TranscriptRow] = local + refused + translated

    private static let local: [TranscriptRow] = [
        row("…No such file or directory: {name}", "Python: FileNotFoundError"),
        row("…o such file or directory - {name}", "Ruby: Errno::ENOENT"),
        row("…spawn {name} ENOENT", "Node: child_process"),
        row("…Cannot run program {name}: error=2", "Java: ProcessBuilder"),
        row("…unable to execute {name}: No such file or directory", "nix: util.cc"),
        row("…Can't exec {name}: No such file or directory", "Perl: exec"),
        row("…fork/exec {name}: no such file or directory", "Go: os/exec"),
        row("…cannot run {name}: No such file or directory", "git: run-command.c"),
        row("…env: {name}: No such file or directory", "coreutils: env"),
        .library("{name}: error while loading shared libraries: {file}: ", "glibc: the program does not start") { found, facts in
            guard let name = program(in: found["name"] ?? "") else { return facts.decline() }
            return .direct(.telling, .localLibraryFailure, .likely) { _ in
                VerdictText(
                    "\(name) did not start: the shared library \((found["file"] ?? "").oneLine(80)) is missing or unusable.",
                    hint: "Install the package that has the library.")
            }
        },
        TranscriptRow.library("{path}: No such file or directory", "scp.c, sftp.c: execvp") { found, facts in
            // The words of another program about a file begin with that program's name.
            guard let path = found["path"], path.hasPrefix("/"), !path.contains(" "), let name = program(in: path) else {
                return facts.decline()
            }
            return .missingProgram(name)
        },
        row("{name} is not recognized as an internal or external command", "cmd.exe"),
        row("…The term {name} is not recognized as ", "PowerShell"),
        row("{name}: not found", "busybox: ash"), row("{name}: command not found", "bash"),
    ]

    /// A program that this user may not start, by its path or behind the shell's name.
    private static let refused = ["{name}: Permission denied{rest}", "…: {name}: Permission denied{rest}"].map { text in
        TranscriptRow.library(text, "bash, dash: EACCES of execve") { found, facts in
            guard let words = found["name"], words.contains("/"), found["rest"]?.isEmpty == true,
                let name = program(in: words)
            else { return facts.decline() }
            return .missingProgram(name)
        }
    }

    /// cmd.exe and PowerShell in the languages of Windows. Sources: Microsoft's translations.
    private static let translated: [TranscriptRow] = [
        "…Der Befehl {name} ist entweder falsch geschrieben", "{name} n'est pas reconnu en tant que commande interne",
        "{name} n’est pas reconnu en tant que commande interne", "{name} no se reconoce como un comando interno",
        "{name} non è riconosciuto come comando interno", "{name} não é reconhecido como um comando interno",
        "{name} не является внутренней или внешней", "{name} 不是内部或外部命令", "{name} 不是內部或外部命令", "{name} は、内部コマンドまたは外部コマンド",
        "…Benennung {name} wurde nicht als Name eines Cmdlet", "…e terme {name} n'est pas reconnu comme nom",
        "…término {name} no se reconoce como nombre de un cmdlet", "…ermine {name} non è riconosciuto come nome di cmdlet",
        "…termo {name} não é reconhecido como nome de cmdlet", "…Имя {name} не распознано как имя командлета",
        "…无法将{name}项识别为 cmdlet", "…無法辨識 {name} 詞彙是否為 Cmdlet", "…用語 {name} は、コマンドレット",
    ].map { row($0, "cmd.exe, PowerShell") }

    /// What a shell says of a program that it does not find.
    static let shells: [TranscriptRow] =
        [
            shell("{shell}: {name}: not found", "dash, ash"), shell("{shell}: {name}:  not found", "ksh"),
            shell("{shell}: command not found: {name}", "zsh"),
        ]
        + [
            "command not found", "Kommando nicht gefunden", "Befehl nicht gefunden", "commande introuvable",
            "orden no encontrada",
            "no se encontró la orden", "comando não encontrado", "comando non trovato", "команда не найдена", "未找到命令", "命令未找到",
            "找不到命令",
            "コマンドが見つかりません", "nie znaleziono polecenia", "opdracht niet gevonden", "příkaz nenalezen", "komut yok",
            "komut bulunamadı", "명령어를 찾을 수 없음", "kommandot finns inte", "kommando ikke fundet",
        ].map { shell("{shell}: {name}: \($0)", "bash, and its po/*.po") }

    private static func shell(_ text: String, _ source: String) -> TranscriptRow {
        .library(text, source) { found, facts in reading(found["name"] ?? "", &facts) }
    }

    /// The programs that rsync, scp, git and others start on the server.
    private static let helpers: Set<String> = [
        "rsync", "scp", "borg", "git-upload-pack", "git-receive-pack", "git-lfs-authenticate", "mosh-server", "sftp-server",
        "unison",
        "restic", "rrsync", "tsshd", "trz", "tsz", "hg", "svnserve", "duplicity", "zfs", "btrfs", "nix-store", "nix-daemon",
        "rdiff-backup", "orted", "prted", "hydra_pmi_proxy", "bzr", "brz", "darcs", "etterminal", "git-annex-shell", "pgbackrest",
        "barman-wal-restore",
    ]

    /// The words are a program's name or path, perhaps behind the number of a script's line.
    static func reading(_ words: String, _ facts: inout TranscriptFacts) -> TranscriptReading? {
        let path = words.split(separator: " ").last ?? ""
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        if path.utf8.count > name.utf8.count, name == "sftp-server" { return .request(.subsystem, .likely) }
        if names.contains(name) { return .missingProgram(name) }
        if helpers.contains(name) { return .known(.commandNotFound, .likely) }
        // The command of the line before: `alice@pc:~$ ssh web1 "deploy"`.
        let isAsked = facts.otherLines.last(2).contains { line in
            ShellPrompt.starts("ssh", in: [line]) && [" \(name)", "\"\(name)", "'\(name)"].contains { line.mentions($0) }
        }
        return isAsked ? .known(.commandNotFound, .guess) : facts.decline()
    }

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
