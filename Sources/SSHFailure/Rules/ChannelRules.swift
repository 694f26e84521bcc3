/// Opening a session channel and starting a command on it (RFC 4254 sections 5.1 and 6).
enum ChannelRules {
    static let all = openings + requests + broken + deadline + prompt

    static let openings: [FailureRule] = [
        FailureRule(
            .channelSessionLimit, .likely, source: "OpenSSH session.c, MaxSessions: reason 2 and \"open failed\"",
            when: { !isTunnel($0) && refusal($0).reason == 2 && refusal($0).text == "open failed" }
        ) { sessionLimit($0) },
        FailureRule(
            .channelSessionLimit, .likely, source: "RFC 4254 section 5.1: SSH_OPEN_RESOURCE_SHORTAGE",
            when: { !isTunnel($0) && refusal($0).reason == 4 }
        ) { sessionLimit($0) },
        FailureRule(
            .channelProhibited, .exact, source: "RFC 4254 section 5.1: SSH_OPEN_ADMINISTRATIVELY_PROHIBITED",
            when: { refusal($0).reason == 1 }
        ) { prohibited($0) },
        FailureRule(
            .channelSessionLimit, .guess,
            source: "libssh2 returns -21 with \"connect failed\" and no description on a session channel",
            when: { !isTunnel($0) && refusal($0).reason == 2 && refusal($0).text.isEmpty }
        ) { sessionLimit($0) },
        FailureRule(
            .channelSessionLimit, .likely, source: "servers with words of their own for a limit",
            when: { isOurSession($0) && refusal($0).reason == 2 && speaksOfALimit(refusal($0).text) }
        ) { sessionLimit($0) },
        FailureRule(
            .channelProhibited, .guess, source: "servers with words of their own for a session that they cannot give",
            when: { isOurSession($0) && refusal($0).reason == 2 }
        ) { prohibited($0) },
        FailureRule(
            .channelJumpTargetUnreachable, .exact, source: "RFC 4254 section 5.1: SSH_OPEN_CONNECT_FAILED",
            when: { refusal($0).reason == 2 }
        ) {
            VerdictText(
                "\(forwardingHost($0)) could not reach \(target($0)): \(reason($0))".ended,
                hint:
                    "Log in there and try to connect to it; check the name and port, which it looks up itself."
            )
        },
        FailureRule(
            .channelJumpTargetUnreachable, .likely, source: "RFC 4254 section 5.1: SSH_OPEN_RESOURCE_SHORTAGE",
            when: { isTunnel($0) && refusal($0).reason == 4 }
        ) {
            VerdictText(
                "\(forwardingHost($0)) has no resources left to connect to \(target($0)).",
                hint: "Wait a moment and try again.")
        },
        FailureRule(
            .channelProhibited, .likely, source: "RFC 4254 section 5.1: SSH_OPEN_UNKNOWN_CHANNEL_TYPE",
            when: { refusal($0).reason == 3 }
        ) { prohibited($0) },
        FailureRule(.channelProhibited, .guess, source: "RFC 4254 section 5.1: another reason") { prohibited($0) },
    ]

    static let requests = refusedRequests + [LocalRules.unforeseen]

    private static let refusedRequests: [FailureRule] = [
        FailureRule(.channelExecDenied, .exact, source: "RFC 4254 section 6.5", when: { request($0) == .shell }) {
            VerdictText(
                "\($0.server) authenticated \($0.person) but refused to start a shell.",
                hint: """
                    The server allows this account no shell; \
                    \(commandLine: "without \(setting: .shell, isQuoted: false) it", library: "`run`") may start the command.
                    """)
        },
        FailureRule(.channelExecDenied, .exact, source: "RFC 4254 section 6.5", when: { request($0) == .exec }) {
            VerdictText("\($0.server) authenticated \($0.person) but refused to start the command.", hint: ShellTexts.hint)
        },
        FailureRule(.channelPTYDenied, .exact, source: "RFC 4254 section 6.2", when: { request($0) == .pty }) {
            VerdictText(
                "\($0.server) refused to allocate a terminal for \($0.person).",
                hint: """
                    \(.withoutTerminal); on the server, \(setting: "PermitTTY") in sshd_config and \
                    \(setting: "no-pty", in: "authorized_keys") in authorized_keys decide.
                    """)
        },
        FailureRule(.channelSubsystemMissing, .exact, source: "RFC 4254 section 6.5", when: { request($0) == .subsystem }) {
            if let name = $0.command?.command.oneLine(60), name != "sftp" {
                return VerdictText(
                    "\($0.server) does not offer the subsystem \(name).",
                    hint: "On the server, sshd_config has to have a line that begins with \(setting: "Subsystem") \(name).")
            }
            // Another client may have requested another subsystem.
            return $0.libraryVersion.isEmpty
                ? VerdictText(
                    "\($0.server) does not offer the requested subsystem.",
                    hint: "On the server, add it to sshd_config; for files: \(line: "Subsystem sftp internal-sftp").")
                : VerdictText(
                    "\($0.server) does not offer SFTP.",
                    hint: "On the server, add \(line: "Subsystem sftp internal-sftp") to sshd_config.")
        },
    ]

    static let deadline = [timedOut]

    /// The server opened no session before the caller's deadline.
    private static let timedOut = FailureRule(.channelTimedOut, .exact, source: "our own clock") {
        VerdictText(
            "\($0.endpoint) authenticated \($0.person) but opened no session within \($0.awaitedTime).",
            hint: "Try again; look at the server's load and at slow login scripts (PAM session modules).")
    }

    static let prompt: [FailureRule] = [
        FailureRule(.channelPromptMissing, .exact, source: "our own clock") { ShellTexts.promptMissing($0) }
    ]

    static let broken: [FailureRule] =
        [
            FailureRule(
                .authPasswordExpired, .exact, source: "libssh2 returns -15", when: { $0.libraryError == .passwordExpired }
            ) {
                AuthenticationRules.expired.words($0)
            }
        ] + lifted(openings, to: .channelFailure) + lifted(refusedRequests, to: .channelRequestDenied) + [
            FailureRule(
                .channelTimedOut, .likely, source: "libssh2 returns -9 in this stage",
                when: { $0.libraryError == .timeout && !$0.streamHasEnded && $0.disconnect == nil }
            ) { $0.libraryClockWasSet ? $0.clockRemedy : timedOut.words($0) }
        ] + SessionRules.broken

    /// The same rules for a refusal that only the library's error code shows.
    private static func lifted(_ rules: some Sequence<FailureRule>, to error: LibraryError) -> [FailureRule] {
        rules.map { rule in
            FailureRule(
                rule.code, rule.confidence, source: rule.source, when: { $0.libraryError == error && rule.applies($0) },
                say: rule.words)
        }
    }

    /// The reason and text of a refused channel; from the parentheses in libssh2's message if the server's message was not seen.
    private static func refusal(_ evidence: SSHEvidence) -> (reason: UInt32?, text: String) {
        if case .channelRefused(let reason?, let text) = evidence.event { return (reason, text) }
        var text = evidence.library?.message.lowercased() ?? ""
        if case .channelRefused(nil, let description) = evidence.event {
            if description == "open failed" { return (2, description) }
            text += " " + description.lowercased()
        }
        let reasons: [(String, UInt32)] = [
            ("administratively prohibited", 1), ("connect failed", 2), ("unknown channel type", 3), ("resource shortage", 4),
        ]
        return (reasons.first { text.contains($0.0) }?.1, "")
    }

    /// The refused request; from libssh2's message if nothing else is known (libssh2 returns -22).
    private static func request(_ evidence: SSHEvidence) -> SSHEvidence.ChannelRequest? {
        if case .requestRefused(let request) = evidence.event { return request }
        guard evidence.libraryError == .channelRequestDenied else { return nil }
        let text = evidence.library?.message ?? ""
        return text.contains("pty") ? .pty : text.contains("subsystem") ? .subsystem : .exec
    }

    private static func sessionLimit(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(evidence.server) allows \(evidence.person) no further session on this connection.",
            hint: """
                Wait for other commands on it to end; \(setting: "MaxSessions") in sshd_config sets the limit \
                (0 forbids commands altogether).
                """,
            alternatives: ["MaxSessions is reached", "the server is short of resources"])
    }

    /// Whether a jump host was asked to connect to the next hop.
    private static func isTunnel(_ evidence: SSHEvidence) -> Bool { evidence.hop?.target != nil }

    /// Whether the channel is certainly a session: bridge-ssh, or an ssh that it started, requested it. In another client's log
    /// it may be a tunnel.
    private static func isOurSession(_ evidence: SSHEvidence) -> Bool {
        !isTunnel(evidence) && (evidence.library != nil || evidence.command != nil)
    }

    private static func speaksOfALimit(_ text: String) -> Bool {
        ["too many", "limit", "maximum", "resource", "memory", "busy"].contains { text.lowercased().contains($0) }
    }

    /// The host that was asked to open the connection to the target, as the subject of a sentence.
    private static func forwardingHost(_ evidence: SSHEvidence) -> String {
        if evidence.hop.map({ $0.count == 1 || $0.isJumpHost }) == true { return evidence.server }
        return evidence.host.isEmpty ? "The jump host" : "The jump host \(evidence.server)"
    }

    private static func target(_ evidence: SSHEvidence) -> String { evidence.hop?.target?.oneLine() ?? "the next hop" }

    /// OpenSSH sends `open failed` when it gives no reason.
    private static func reason(_ evidence: SSHEvidence) -> String {
        let text = refusal(evidence).text.oneLine()
        return text.isEmpty || text == "open failed" ? "it gives no reason" : text
    }

    private static func prohibited(_ evidence: SSHEvidence) -> VerdictText {
        let text = refusal(evidence).text.oneLine()
        if isTunnel(evidence) {
            return VerdictText(
                "\(evidence.server) does not allow \(evidence.person) to connect through it to \(target(evidence))".ended,
                hint: """
                    There, \(setting: "AllowTcpForwarding"), \(setting: "DisableForwarding") and \(setting: "PermitOpen") in \
                    sshd_config decide, and \(setting: "permitopen", in: "authorized_keys") and \
                    \(setting: "restrict", in: "authorized_keys") in authorized_keys.
                    """)
        }
        return VerdictText(
            "\(evidence.server) does not allow \(evidence.person) to do this\(text.isEmpty ? "" : ": \(text)")"
                .ended,
            hint: """
                Ask the server's administrator; \(setting: "AllowTcpForwarding"), \(setting: "PermitOpen") and the options in \
                authorized_keys decide there.
                """)
    }
}

/// Texts about a command that was typed into a device's shell.
enum ShellTexts {
    /// The remedy for a server that starts no commands.
    static let hint: RemedyText = "\(shellOnly); otherwise the server allows this account no commands."

    static let shellOnly: RemedyText = """
        If it is a network device that offers only a shell, \(commandLine: "run with", library: "use") \
        \(option: .shell, nil, .mayBeWrong)
        """

    static func promptMissing(_ evidence: SSHEvidence) -> VerdictText {
        let last = evidence.command?.shell?.lastLine ?? ""
        let shown = last.isEmpty ? "" : " The last line is \"\(last.oneLine(120))\"."
        if evidence.deadline == nil {
            return VerdictText(
                "\(evidence.server) ended the shell of \(evidence.person) before it showed a prompt; the command was not sent.\(shown)",
                hint: "Log in on a terminal to see why: \(evidence.terminalLogin)")
        }
        let pattern = expression(for: last)
        let typed: RemedyText = "\(option: .prompt, pattern.shellWord, .mayBeWrong)"
        return VerdictText(
            "The shell of \(evidence.account) showed no known prompt within \(evidence.awaitedTime); the command was not sent.\(shown)",
            hint: last.isEmpty
                ? "If it only needs more time, raise \(setting: .connectTimeout)."
                : "If that is its prompt, describe it: \(commandLine: typed, library: "\(setting: .prompt) \(pattern)")")
    }

    static func rejected(_ evidence: SSHEvidence) -> VerdictText {
        let line = (evidence.command?.shell?.rejection ?? "").oneLine(200)
        guard evidence.commandMayHaveRun == .no else {
            return VerdictText(
                "\(evidence.server) answered the command with an error: \"\(line)\". "
                    + "Whether the command did a part of its work is not known.",
                hint: "Before running it again, check its effects on the device; a mode or a privilege may be missing.")
        }
        return VerdictText(
            "\(evidence.server) did not accept the command: \"\(line)\"",
            hint: "Correct the command; a mode or a privilege may be missing too.")
    }

    static func closed(_ evidence: SSHEvidence) -> VerdictText {
        VerdictText(
            "\(evidence.server) ended the shell before its prompt was back; how the command ended is not known.",
            hint: CommandRules.checkHint(evidence),
            alternatives: ["the command ends the session or restarts the device", "the device ended the session"])
    }

    static func silent(_ evidence: SSHEvidence) -> VerdictText {
        let shell = evidence.command?.shell
        let last = shell?.lastLine ?? ""
        if let shell, let echoSeen = shell.echoSeen, last == shell.prompt {
            let doubt =
                echoSeen ? "has written only its own messages before it" : "has not shown the command as it was typed"
            return VerdictText(
                "\(evidence.account) shows its prompt, but \(doubt), and then wrote nothing for \(evidence.awaitedTime). "
                    + "Whether the command has ended is not known.",
                hint: "\(CommandRules.checkHint(evidence)) \(setting: .idleTimeout) sets the limit.")
        }
        let shown = last.isEmpty ? "" : " The last line is \"\(last.oneLine(120))\"."
        return VerdictText(
            "The prompt of \(evidence.account) did not come back, and the device wrote nothing for \(evidence.awaitedTime).\(shown)",
            hint: """
                If it asks something, use a form of the command that does not ask; if the prompt has changed, describe it with \
                \(setting: .prompt); \(setting: .idleTimeout) sets the limit.
                """)
    }

    /// A regular expression that matches exactly this line.
    private static func expression(for line: String) -> String {
        let special = Set("\\^$.|?*+()[]{}")
        let escaped = line.oneLine(120).map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
        return "^\(escaped)$"
    }
}
