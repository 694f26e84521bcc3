import BridgeSSH
import ErrorCore
import SSHRun

/// The banner on standard error for a failure.
enum FailureBanner {
    /// The text of the banner. If it is uncertain whether the command has run, the message says so already.
    ///
    /// - Parameters:
    ///   - messages: those of other failures that are shown with this one.
    ///   - showsEvidence: whether to append all evidence.
    static func text(
        for error: SSHError, and messages: [String] = [], attempts: Int = 1, width: Int, color: Bool,
        glyphs: TerminalBanner.Glyphs, showsEvidence: Bool
    ) -> String {
        var presentation = ErrorPresentation(error, details: details(of: error, attempts: attempts))
        presentation.message = ([presentation.message] + messages).joined(separator: "\n")
        presentation.suggestion = error.remedy.isEmpty ? nil : error.remedy
        let banner = TerminalBanner(width: width, color: color, glyphs: glyphs, showsCode: true).render(presentation)
        guard showsEvidence else { return banner }
        let facts = String(decoding: error.evidence.json(algorithms: true).bytes, as: UTF8.self)
        return banner + "  evidence: " + TerminalText.escape(facts) + "\n"
    }

    private static func details(of error: SSHError, attempts: Int) -> [ErrorPresentation.Detail] {
        var details = error.alternatives.enumerated().map { index, text in
            ErrorPresentation.Detail(index == 0 ? "may be" : " ", text)
        }
        if let cause = error.cause { details.append(.init("cause", cause.message)) }
        if attempts > 1 { details.append(.init("tried", "\(attempts) times")) }
        return details
    }

    /// For standard error as it is.
    static func show(_ error: SSHError, and messages: [String] = [], attempts: Int = 1, showsEvidence: Bool) {
        let form = TerminalForm.of(2)
        let text = text(
            for: error, and: messages, attempts: attempts, width: form.width, color: form.color, glyphs: form.glyphs,
            showsEvidence: showsEvidence)
        // The cursor is after the ^C or ^\\ that the terminal echoed, or after the last line of a command.
        let isAfterKey =
            switch error.evidence.event {
            case .cancelled("INT"), .cancelled("QUIT"), .cancelled(nil): form.isTerminal
            default: false
            }
        Console.standardError((isAfterKey ? "\n" : "") + text)
    }
}

/// Output that could not be written to standard output: the subcommand then fails.
enum UnwrittenOutput {
    /// Reports lost output, and corrects the exit status.
    ///
    /// - Parameters:
    ///   - status: the status without the loss. A failure's status stays.
    ///   - hints: the requested form of the report.
    ///   - evidence: the evidence about a command whose result is lost.
    static func conclude(_ status: SSHExitStatus, _ hints: ArgumentHints, _ evidence: SSHEvidence? = nil) -> SSHExitStatus {
        let number: Int32
        switch Console.takeOutputProblem() {
        case .system(let problem)?: number = problem
        // No message: the reader closed the pipe because it did not want more.
        case .closed?: return status == .success ? .outputClosed(hints.convention) : status
        case .abandoned?, .overLimit?, nil: return status
        }
        var evidence = evidence ?? SSHEvidence(event: .outputUnwritable(systemError: number), stage: .local)
        evidence.event = .outputUnwritable(systemError: number)
        let verdict = SSHFailureClassifier.classify(evidence)
        // Even with --json the report goes to standard error, because standard output is lost.
        if !hints.quiet { FailureBanner.show(verdict, showsEvidence: false) }
        return status == .success ? verdict.exitStatus(hints.convention) : status
    }
}
