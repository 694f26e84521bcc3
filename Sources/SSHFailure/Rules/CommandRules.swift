internal import ErrorCore

/// The remote command. Sources: RFC 4254 section 6.10.
enum CommandRules {
    static let all = endings + deadlines + limits

    static let endings: [FailureRule] = [
        FailureRule(
            .sessionConnectionLost, .exact, source: "success is status 0 and the end of the output",
            when: { evidence in
                guard let command = evidence.command else { return false }
                return evidence.streamHasEnded && !command.channelClosed && !command.endOfOutput
            }
        ) { SessionRules.lost($0) },
        FailureRule(
            .commandRejected, .likely, source: "the devices' manuals; ShellDevice names them",
            when: { $0.command?.shell?.rejection != nil }
        ) { ShellTexts.rejected($0) },
        FailureRule(
            .channelPromptMissing, .exact, source: "a shell that ends before its prompt",
            when: { $0.command?.shell != nil && $0.command?.progress == .notSent }
        ) { ShellTexts.promptMissing($0) },
        FailureRule(
            .commandOutcomeUnknown, .exact, source: "a shell's status is not the command's",
            when: { $0.command?.shell?.promptReturned == false }
        ) { ShellTexts.closed($0) },
        FailureRule(
            .commandKilledBySignal, .exact, source: "RFC 4254 section 6.10: exit-signal", when: { $0.command?.exitSignal != nil }
        ) { killed($0) },
        FailureRule(
            .commandOutcomeUnknown, .exact, source: "HPE ProCurve and other devices' words in place of the output, and no status",
            when: { $0.command?.exitStatus == nil && LoginShellTexts.execDenial($0) != nil }
        ) { unstarted($0) },
        FailureRule(
            .commandOutcomeUnknown, .exact, source: "RFC 4254 section 6.10", when: { $0.command?.exitStatus == nil }
        ) { unknownOutcome($0) },
        FailureRule(
            .localLibraryFailure, .guess, source: "a success is not a failure", when: { $0.command?.exitStatus == 0 }
        ) { LocalRules.unforeseenText($0) },
        FailureRule(
            .authPasswordExpired, .exact, source: "OpenSSH session.c, shadow login",
            when: { LoginShellTexts.passwordExpired($0) }
        ) {
            VerdictText(
                "The password of \($0.account) has expired, and the server runs no command until it is changed.",
                hint: "Log in once on a terminal to change it: \($0.terminalLogin)")
        },
        FailureRule(
            .commandLoginShellDenied, .likely, source: "OpenSSH session.c: a forced internal-sftp",
            when: { LoginShellTexts.allowsOnlySFTP($0) }
        ) {
            VerdictText(
                "\($0.account) may copy files but not run commands: \"\((LoginShellTexts.denial($0) ?? "").oneLine())\"",
                hint: """
                    For files use \(.copying); for commands, \(setting: "ForceCommand") internal-sftp in sshd_config has to be removed.
                    """)
        },
        FailureRule(
            .commandLoginShellDenied, .likely, source: "nologin(8), internal-sftp, git-shell, rssh, hosting services",
            when: { LoginShellTexts.denial($0) != nil }
        ) {
            VerdictText(
                "\($0.account) may log in but not run commands: \"\((LoginShellTexts.denial($0) ?? "").oneLine())\"",
                hint:
                    "Use another account, or have its login shell changed on the server."
            )
        },
        FailureRule(
            .authLoginsClosed, .exact, source: "OpenSSH session.c: do_nologin prints the file and exits with 254",
            when: { $0.command?.exitStatus == 254 && $0.command?.progress == .refused }
        ) {
            VerdictText(
                "\($0.server) accepts no logins at the moment: \"\(($0.command?.standardErrorTail ?? "").oneLine())\"",
                hint: "Try again later, or \(.untilLetIn); /etc/nologin there says so.")
        },
        FailureRule(
            .commandLoginShellDenied, .guess, source: "false(1) as a login shell: `true` cannot fail",
            when: { LoginShellTexts.failsWhatCannotFail($0) }
        ) {
            VerdictText(
                "\($0.account) may log in, but its login shell ended without running the command.",
                hint: "Have its login shell changed on the server.",
                alternatives: ["the account's password must be changed first"])
        },
        FailureRule(.commandNotFound, .exact, source: "POSIX.1 XCU 2.8.2", when: { $0.command?.exitStatus == 127 }) {
            notFound($0)
        },
        FailureRule(.commandNotExecutable, .exact, source: "POSIX.1 XCU 2.8.2", when: { $0.command?.exitStatus == 126 }) {
            let program = RemoteProgram.refused($0).map { ", \($0.oneLine(120))," } ?? ""
            return VerdictText(
                "The shell on \($0.server) found the command\(program) but could not run it (status 126).",
                hint: """
                    Check that it is a program; \(run: "chmod +x \(refusedFile($0))", .mayBeWrong, on: .server) on the server makes it \
                    executable.
                    """,
                alternatives: [
                    "it may not be executed", "it is a directory", "it is built for another machine",
                    "its list of arguments is too long",
                ])
        },
        FailureRule(.commandExitNonzero, .exact, source: "RFC 4254 section 6.10: exit-status") { exitNonzero($0) },
    ]

    static let deadlines: [FailureRule] = [
        FailureRule(
            .commandIdleTimedOut, .exact, source: "our own clock",
            when: { $0.deadline?.kind == .idle && $0.command?.shell != nil }
        ) { ShellTexts.silent($0) },
        FailureRule(.commandIdleTimedOut, .exact, source: "our own clock", when: { $0.deadline?.kind == .idle }) {
            VerdictText(
                "The command on \($0.account) wrote nothing for \($0.awaitedTime). \(fate($0))",
                hint: "\(checkHint($0)) \(setting: .idleTimeout) sets the limit.")
        },
        FailureRule(.commandTimedOut, .exact, source: "our own clock") {
            VerdictText(
                "The command on \($0.account) did not end within \($0.awaitedTime). \(fate($0))",
                // Another client's limit is not an option of this program.
                hint: $0.deadline?.seconds == 0 ? checkHint($0) : "\(checkHint($0)) \(setting: .timeout) sets the limit.")
        },
    ]

    static let limits: [FailureRule] = [
        FailureRule(.commandOutputLimitExceeded, .exact, source: "our own limit on a line", when: { longLine($0) != nil }) {
            let (stream, limit) = longLine($0) ?? (.standardOutput, 0)
            return VerdictText(
                "The command on \($0.account) wrote a line of more than \(limit) bytes to \(stream.rawValue).",
                hint: "Raise the longest line that is taken, or read the stream in pieces.")
        },
        FailureRule(.commandOutputLimitExceeded, .exact, source: "our own limit on collected output") { evidence in
            guard case .outputLimitExceeded(let stream, let limit) = evidence.event else {
                return LocalRules.unforeseenText(evidence)
            }
            return VerdictText(
                "The command on \(evidence.account) wrote more than \(limit) bytes to \(stream.rawValue); the output up to the limit is kept. "
                    + fate(evidence),
                hint: """
                    Raise \(setting: .outputLimit), send the output to a file on the server, or \
                    \(commandLine: "run without \(setting: .json, isQuoted: false) to stream it", library: .asItComes).
                    """)
        },
    ]

    private static func longLine(_ evidence: SSHEvidence) -> (SSHEvidence.OutputStream, Int)? {
        guard case .lineTooLong(let stream, let limit) = evidence.event else { return nil }
        return (stream, limit)
    }

    /// The file that could not be run, as a shell word, if the command gave its path.
    private static func refusedFile(_ evidence: SSHEvidence) -> String {
        guard let name = RemoteProgram.refused(evidence), name.contains("/") else { return "FILE" }
        return name.oneLine(120).shellWord
    }

    private static func killed(_ evidence: SSHEvidence) -> VerdictText {
        let signal = evidence.command?.exitSignal
        let name = signal?.name.oneLine(40) ?? ""
        let core = signal?.coreDumped == true ? ", and left a core dump" : ""
        let said = signal.map { $0.message.isEmpty ? "" : " The server says: \($0.message.oneLine(200).ended)" } ?? ""
        return VerdictText(
            "The command on \(evidence.account) was killed by the signal \(name)\(core).\(said)",
            hint: name == "KILL" ? .outOfMemory : "",
            alternatives: name == "KILL" ? ["killed for lack of memory", "killed by a person or a limit"] : [])
    }

    static func unknownOutcome(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "The command's channel on \(evidence.account) closed with neither a status nor a signal; how the command ended is "
                + "not known.",
            hint: checkHint(evidence),
            alternatives: [
                "the server ended an idle channel (ChannelTimeout)",
                "a server that never sends a status, such as a network device",
                "the server was going down",
            ])
    }

    /// Messages that a device writes instead of a command's output, and that a command may write too.
    private static func unstarted(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "The command's channel on \(evidence.account) closed with neither a status nor a signal. "
                + LoginShellTexts.execDenialSentence(evidence),
            hint: ShellTexts.hint,
            alternatives: ["the server starts no commands", "the message is the command's own"])
    }

    private static func notFound(_ evidence: SSHEvidence) -> VerdictText {
        let stderr = evidence.command?.standardErrorTail ?? ""
        if stderr.contains("error while loading shared libraries") {
            return VerdictText(
                "A program on \(evidence.server) lacks a shared library (status 127): "
                    + "\(RemoteText.lastLine(stderr).oneLine())".ended,
                hint: "Install the library on the server.")
        }
        let program = RemoteProgram.refused(evidence).map { " \($0.oneLine(120))" } ?? " the command"
        return VerdictText(
            "The shell on \(evidence.server) did not find\(program) (status 127).",
            hint: "Install it there, or give its full path: a command over SSH runs with a short PATH.",
            alternatives: ["it is not installed", "it is not in the PATH of a shell without login", "its interpreter is missing"])
    }

    /// Shells report signal n of a child process as 128 + n (POSIX.1 XCU 2.8.2).
    private static func exitNonzero(_ evidence: SSHEvidence) -> VerdictText {
        let status = evidence.command?.exitStatus ?? -1
        let said = evidence.lastMessage
        if (129...159).contains(status), let signal = SSHExitSignal.name(ofNumber: status - 128) {
            return VerdictText(
                "The command on \(evidence.account) ended with status \(status): a program in it was killed by \(signal).\(said)",
                hint: signal == "KILL" ? .outOfMemory : "")
        }
        return VerdictText(
            "The command on \(evidence.account) ended with status \(status)\(outOfRange(status)).\(said)",
            hint: LoginShellTexts.execDenial(evidence) != nil
                ? "\(ShellTexts.shellOnly)."
                : said.isEmpty ? "It gave no reason on standard error; run it on the server by hand." : "")
    }

    /// A remark on a status that local processes cannot have: RFC 4254 section 6.10 allows 32 bits, wait(2) eight.
    private static func outOfRange(_ status: Int) -> String {
        if (0...255).contains(status) { return "" }
        let meaning = WindowsStatus.words(status).map { ": Windows' \($0)" } ?? ""
        return ", which cannot be an exit status here (0 to 255)\(meaning)"
    }

    /// One sentence with the known facts about the command's end.
    static func fate(_ evidence: SSHEvidence) -> String {
        if let copy = evidence.copy { return CopyTexts.fate(copy) }
        switch evidence.commandMayHaveRun {
        case .no: return "The command did not run."
        case .yes: return ended(evidence)
        case .unknown: break
        }
        switch evidence.command?.teardown {
        case .signalled: return "The command was sent a signal; whether it ended is not known."
        case .interrupted: return "The command was sent ^C; whether it ended is not known."
        case .channelClosed: return "The command's channel was closed, but it may still run."
        case nil: return "The command may have run, and may still run."
        }
    }

    /// The end of a command that bridge-ssh ended itself.
    private static func ended(_ evidence: SSHEvidence) -> String {
        guard let command = evidence.command, isTornDown(evidence) else { return "The command had already ended." }
        let cause = command.teardown == .interrupted ? "The command was sent ^C" : "The command was sent a signal"
        if let signal = command.exitSignal { return "\(cause) and was killed by SIG\(signal.bareName.oneLine(20))." }
        return "\(cause) and ended\(command.exitStatus.map { " with status \($0)" } ?? "")."
    }

    private static func isTornDown(_ evidence: SSHEvidence) -> Bool {
        switch evidence.command?.teardown {
        case .signalled, .interrupted: true
        case .channelClosed, nil: false
        }
    }

    static func checkHint(_ evidence: SSHEvidence) -> RemedyText {
        if let copy = evidence.copy { return CopyTexts.hint(copy) }
        if evidence.commandMayHaveRun == .yes, isTornDown(evidence) {
            return "Before running it again, check on the server how far it got."
        }
        return switch evidence.commandMayHaveRun {
        case .no: "Try again: the command did not run."
        case .unknown: "Before running it again, check on the server whether it still runs or has already done its work."
        case .yes: "The command has run: run it again only if that does no harm."
        }
    }
}

extension SSHEvidence {
    /// A sentence with the last message of a failed command, after a space; empty if it printed none.
    package var lastMessage: String {
        let last = RemoteText.tellingLine(command?.standardErrorTail ?? "")
        return last.isEmpty ? "" : " Its last message: \(last.oneLine(200).ended)"
    }
}

/// Texts about a copy that a lost connection, a silent server or a cancellation ended.
enum CopyTexts {
    /// A sentence that completes the message.
    static func fate(_ copy: SSHCopyEvidence) -> String {
        let files = "\(copy.files) file\(copy.files == 1 ? "" : "s")"
        let done = copy.files == 0 ? "No file is known to have arrived" : "The copy is not complete: \(files) arrived"
        let left = copy.partialFiles.sorted().map { $0.oneLine(300) }
        guard let first = left.first else { return "\(done), and no unfinished file is known to be left." }
        let others = left.count > 1 ? " (and \(left.count - 1) more)" : ""
        return copy.resumes
            ? "\(done), and the unfinished file is kept as \(first)\(others)."
            : "\(done), and \(first)\(others) may be left of an unfinished file."
    }

    static func hint(_ copy: SSHCopyEvidence) -> RemedyText {
        if copy.resumes, !copy.partialFiles.isEmpty { return "Run the same copy with \(option: .resume) to continue it." }
        let remains: RemedyText = copy.partialFiles.isEmpty ? "" : ", and remove the unfinished files"
        return "Copy again\(remains); a copy with \(option: .resume) can be continued after an interruption."
    }
}

/// Output in place of the command's: from accounts without a command shell, and from servers that require a password change.
enum LoginShellTexts {
    /// Texts of nologin(8), OpenSSH's internal-sftp, rssh, git-shell and hosting services, in lower case. Each is the program's
    /// only output. In longer output, the text belongs to the command itself or to a nested login.
    private static let denials = [
        "this account is currently not available", "this account is not available", "this account is currently disabled",
        "this service allows sftp connections only",
        "this account is restricted by rssh", "interactive git shell is not enabled", "does not provide shell access",
        "shell access is disabled", "shell access is not", "shell access not", "shell access denied", "no shell access",
        "shell login not allowed", "shell logins are not", "interactive shell is not", "command execution not allowed",
        "this account may only", "login not permitted", "logins are not permitted", "logins disabled on this",
    ]

    /// Devices that offer only a shell and accept an exec request all the same; in lower case. A command could print the same
    /// messages, so they are at most a likely cause.
    private static let execDenials = [
        "command execution is not supported", "command execution not supported", "exec is not supported",
        "exec request is not supported", "does not support command execution", "remote command execution is disabled",
        "execution of commands via ssh is not", "exec channel is not supported", "non-interactive ssh is not supported",
        "non-interactive commands are not supported",
    ]

    /// The line that says that the account runs no commands, if there is little other output.
    static func denial(_ evidence: SSHEvidence) -> String? { line(of: evidence, with: denials) }

    /// The line that says that the server starts no commands at all, if there is little other output.
    static func execDenial(_ evidence: SSHEvidence) -> String? { line(of: evidence, with: execDenials) }

    /// The possible meaning of the line from ``execDenial(_:)``.
    static func execDenialSentence(_ evidence: SSHEvidence) -> String {
        "Its words, \"\((execDenial(evidence) ?? "").oneLine(120))\", may mean that the server starts no commands."
    }

    /// The cause of a status that came with such a line.
    static func execDenialCause(_ evidence: SSHEvidence) -> SSHRemoteCause? {
        guard let line = execDenial(evidence) else { return nil }
        return SSHRemoteCause(
            "exec-denied", .sshConnectionFailed(host: evidence.host, reason: line.oneLine(120)),
            execDenialSentence(evidence), .likely)
    }

    private static func line(of evidence: SSHEvidence, with words: [String]) -> String? {
        guard let command = evidence.command, command.exitStatus != 0 else { return nil }
        let text = command.standardOutputTail + "\n" + command.standardErrorTail
        let whole = text.lowercased()
        guard words.contains(where: { whole.mentions($0) }) else { return nil }
        let lines =
            text
            .split(whereSeparator: \.isNewline).map(String.init).filter { !RemoteText.isNoise($0) }
        guard lines.count <= 4 else { return nil }
        return lines.first { line in
            let lower = line.lowercased()
            return words.contains { lower.mentions($0) }
        }
    }

    /// Whether the server allows only SFTP for the account (OpenSSH sftp-server and session.c: a forced internal-sftp).
    static func allowsOnlySFTP(_ evidence: SSHEvidence) -> Bool {
        denial(evidence)?.lowercased().contains("sftp connections only") == true
    }

    private static let expiryMessages = [
        "your password has expired", "password change required but no tty available", "you must change your password now and log",
    ]

    /// OpenSSH's text (session.c) comes first in the output. A command that changes passwords prints other text before it.
    static func passwordExpired(_ evidence: SSHEvidence) -> Bool {
        guard let command = evidence.command, let status = command.exitStatus, status != 0 else { return false }
        let text = (command.standardErrorTail + "\n" + command.standardOutputTail).lowercased()
        guard expiryMessages.contains(where: { text.mentions($0) }) else { return false }
        return text.split(whereSeparator: \.isNewline).filter { !RemoteText.isNoise(String($0)) }.count <= 8
    }

    /// Whether a command that always succeeds and prints nothing failed without output.
    static func failsWhatCannotFail(_ evidence: SSHEvidence) -> Bool {
        guard let command = evidence.command, command.exitStatus == 1 else { return false }
        let silent = command.standardOutputTail.isEmpty && command.standardErrorTail.isEmpty
        let words = command.command.split(separator: " ")
        let certain =
            words == ["true"] || words == [":"] || words == ["exit", "0"]
            || words.first == "echo" && !command.command.contains { ";&|<>$`".contains($0) }
        return silent && certain
    }
}
