/// Local failures: usage, configuration, cancellation, and unclassified failures.
enum LocalRules {
    static let all: [FailureRule] = [
        FailureRule(
            .localCancelled, .exact, source: "SIGINT, SIGTERM, SIGHUP, SIGQUIT or a cancelled task", when: isCancelled
        ) {
            evidence in
            var signal = ""
            if case .cancelled(let name?) = evidence.event { signal = " by SIG\(name.oneLine(20))" }
            if evidence.host.isEmpty, let subcommand = evidence.subcommand {
                // The command line was cancelled before it had made a plan.
                let fate = subcommand == "run" ? " \(CommandRules.fate(evidence).ended)" : ""
                let name = ["bridge-ssh", subcommand].filter { !$0.isEmpty }.joined(separator: " ")
                return VerdictText("\(name) was cancelled\(signal).\(fate)", hint: "")
            }
            return VerdictText(
                "The \(evidence.copy == nil ? "run on" : "copy with") \(evidence.account) was cancelled\(signal). "
                    + CommandRules.fate(evidence).ended,
                hint: evidence.commandMayHaveRun == .no && evidence.copy == nil ? "" : CommandRules.checkHint(evidence))
        },
        FailureRule(
            .localUnsupported, .exact, source: "libssh2_session_method_pref accepts nothing in the list",
            when: { unsupported($0) != nil }
        ) {
            let (place, problem) = unsupported($0) ?? ("", "")
            return VerdictText(
                "\(place): \(problem.oneLine())".ended,
                hint: .openSSH("Use", "may support it. Or change that setting."))
        },
        FailureRule(.localUsage, .exact, source: "our own check of the arguments", when: { usage($0) != nil }) {
            let (field, problem) = usage($0) ?? ("", "")
            return VerdictText(
                "\(field.isEmpty ? "" : "\(field.oneLine(80)): ")\(problem.oneLine().ended)",
                hint: $0.subcommand.map { subcommand in
                    let help = ["bridge-ssh", subcommand, "--help"].filter { !$0.isEmpty }.joined(separator: " ")
                    return isLibraryLimit(problem)
                        ? .openSSH("Use", "sends up to 128 KiB.")
                        : "See \(commandLine: "\(run: help)", library: .documentation)."
                } ?? "")
        },
        FailureRule(.localOutputFailed, .exact, source: "write(2)", when: { unwritable($0) != nil }) { evidence in
            VerdictText(
                "Standard output cannot be written: \(SystemError.text(unwritable(evidence) ?? 0)).\(lostCommand(evidence))",
                hint: SystemError.isClosed(unwritable(evidence) ?? 0)
                    ? "Start it with standard output open; >/dev/null discards the output."
                    : "Free space on the output's file system, or send the output elsewhere.")
        },
        FailureRule(.localConfigInvalid, .exact, source: "our own reading of the file", when: { configuration($0) != nil }) {
            let (place, problem) = configuration($0) ?? ("", "")
            let remedy: RemedyText =
                isWhole($0)
                ? "Name another file, or \(.withoutConfiguration)." : "Correct that line, or \(.withoutConfiguration)."
            let hint = place.hasPrefix("-") ? "Correct the option." : remedy
            let told = problem.oneLine()
            return VerdictText((place.isEmpty ? told : "\(place): \(told)").ended, hint: hint)
        },
        FailureRule(.localRefusedByConfig, .exact, source: "RefuseConnection of ssh_config(5)", when: { refusal($0) != nil }) {
            let (place, reason) = refusal($0) ?? ("", "")
            return VerdictText(
                "The connection\($0.host.isEmpty ? "" : " to \($0.host)") is refused by ssh's configuration (\(place)): \(reason.oneLine())"
                    .ended,
                hint: "Follow the instructions in the line, or remove RefuseConnection.")
        },
        FailureRule(.localClosed, .exact, source: "our own check of the call", when: { misuse($0) != nil }) {
            VerdictText(
                "Used after its end\($0.host.isEmpty ? "" : ", on \($0.account)"): \((misuse($0) ?? "").oneLine())".ended,
                hint: "Use borrowed objects only inside their closure, a connection only until close().")
        },
        FailureRule(.localLibraryFailure, .likely, source: "our own invariants", when: { internalProblem($0) != nil }) {
            VerdictText(
                "Internal error in bridge-ssh: \((internalProblem($0) ?? "").oneLine())".ended,
                hint: reportHint)
        },
        FailureRule(
            .localLibraryFailure, .likely, source: "libssh2 returns -6, -34, -39, -45, -49",
            when: { $0.libraryFailed(.misuse) }
        ) { unforeseenText($0) },
        unforeseen,
    ]

    /// The wait for a connection from a pool.
    static let deadlines: [FailureRule] = [
        FailureRule(.localPoolTimedOut, .exact, source: "SSHConnectionPool.Limits.waitTimeout") {
            let seen = $0.notices.first.map { ": \($0.oneLine())" } ?? ""
            return VerdictText(
                "No connection of the pool to \($0.account) became free within \($0.awaitedTime)\(seen)".ended,
                hint: "Allow the pool more connections, or return them sooner.",
                alternatives: ["a caller waits for a second channel while it has the first"])
        }
    ]

    /// The last row of every table.
    static let unforeseen = FailureRule(.localLibraryFailure, .guess, source: "nothing else applied") { unforeseenText($0) }

    static func unforeseenText(_ evidence: SSHEvidence) -> VerdictText {
        let place = "in the stage \"\(evidence.stage.rawValue)\""
        guard let library = evidence.library else {
            return VerdictText("An unclassified failure occurred \(place).", hint: reportHint)
        }
        let said = library.message.isEmpty ? "" : ": \(library.message.oneLine(200))"
        return VerdictText(
            "The call \(library.function) failed \(place) with \(library.name) (\(library.code))\(said)".ended, hint: reportHint)
    }

    private static let reportHint: RemedyText = "This is most likely a bug; please report it with \(.allThatIsKnown)."

    private static func isCancelled(_ evidence: SSHEvidence) -> Bool {
        if case .cancelled = evidence.event { return true }
        return false
    }

    private static func usage(_ evidence: SSHEvidence) -> (String, String)? {
        guard case .usage(let field, let problem) = evidence.event else { return nil }
        return (field, problem)
    }

    private static func unwritable(_ evidence: SSHEvidence) -> Int32? {
        guard case .outputUnwritable(let number) = evidence.event else { return nil }
        return number
    }

    /// A sentence about the command whose output is lost.
    private static func lostCommand(_ evidence: SSHEvidence) -> String {
        guard let command = evidence.command else { return "" }
        let ran = " The command on \(evidence.account) ran"
        if let status = command.exitStatus { return "\(ran) and exited with status \(status)." }
        if let signal = command.exitSignal { return "\(ran) and was killed by SIG\(signal.bareName.oneLine(20))." }
        return " The command on \(evidence.account) was running. \(CommandRules.fate(evidence))"
    }

    private static func configuration(_ evidence: SSHEvidence) -> (String, String)? {
        guard case .configurationInvalid(let file, let line, let problem) = evidence.event else { return nil }
        return (file.oneLine() + (line.map { ":\($0)" } ?? ""), problem)
    }

    /// Whether the problem is that of a whole file, not of a line.
    private static func isWhole(_ evidence: SSHEvidence) -> Bool {
        if case .configurationInvalid(_, nil, _) = evidence.event { true } else { false }
    }

    /// A setting that libssh2 does not support: its place, or its keyword if the caller set it, and the missing feature.
    private static func unsupported(_ evidence: SSHEvidence) -> (String, String)? {
        guard let (place, problem) = configuration(evidence) ?? usage(evidence), problem.mentions("libssh2 "),
            problem.mentions(" supports none of ")
        else { return nil }
        return (place == "command-line" ? "-o" : place.oneLine(), problem)
    }

    /// Whether libssh2 is the only obstacle to the request.
    private static func isLibraryLimit(_ problem: String) -> Bool {
        problem.mentions("libssh2 ") && problem.mentions(" can send ")
    }

    private static func refusal(_ evidence: SSHEvidence) -> (String, String)? {
        guard case .configurationRefuses(let file, let line, let reason) = evidence.event else { return nil }
        return (file.oneLine() + (line.map { ":\($0)" } ?? ""), reason)
    }

    private static func misuse(_ evidence: SSHEvidence) -> String? {
        guard case .closed(let problem) = evidence.event else { return nil }
        return problem
    }

    private static func internalProblem(_ evidence: SSHEvidence) -> String? {
        guard case .internalFailure(let problem) = evidence.event else { return nil }
        return problem
    }
}
