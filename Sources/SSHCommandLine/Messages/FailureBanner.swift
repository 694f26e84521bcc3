import BridgeSSH
import ErrorCore

/// The one banner on standard error for a failure that bridge-ssh reports.
enum FailureBanner {
    /// Whether the command may have run is in the message already, where it is uncertain.
    ///
    /// - Parameter showsEvidence: whether all evidence follows.
    static func text(for error: SSHError, width: Int, color: Bool, glyphs: TerminalBanner.Glyphs, showsEvidence: Bool) -> String {
        let banner = TerminalBanner(width: width, color: color, glyphs: glyphs, showsCode: true)
        return text(
            for: worded(ErrorPresentation(error, details: details(of: error)), error), banner,
            evidence: showsEvidence ? error.evidence : nil)
    }

    private static func text(for presentation: ErrorPresentation, _ banner: TerminalBanner, evidence: SSHEvidence?) -> String {
        guard let evidence else { return banner.render(presentation) }
        let facts = String(decoding: evidence.json(algorithms: true).bytes, as: UTF8.self)
        return banner.render(presentation) + "  evidence: " + TerminalText.escape(facts) + "\n"
    }

    /// With the remedy as a person at a terminal needs it.
    private static func worded(_ presentation: ErrorPresentation, _ error: SSHError) -> ErrorPresentation {
        var presentation = presentation
        presentation.suggestion = error.remedy.isEmpty ? nil : error.remedy
        return presentation
    }

    static func details(of error: SSHError, attempts: Int = 1) -> [ErrorPresentation.Detail] {
        var details = error.alternatives.enumerated().map { index, text in
            ErrorPresentation.Detail(index == 0 ? "may be" : " ", text)
        }
        if let cause = error.cause { details.append(.init("cause", cause.message)) }
        if attempts > 1 { details.append(.init("tried", "\(attempts) times")) }
        return details
    }

    /// For standard error as it is.
    static func show(_ error: SSHError, showsEvidence: Bool) {
        show(ErrorPresentation(error, details: details(of: error)), of: error, showsEvidence: showsEvidence)
    }

    /// For standard error as it is.
    static func show(_ presentation: ErrorPresentation, of error: SSHError, showsEvidence: Bool) {
        let form = TerminalForm.of(2)
        let banner = TerminalBanner(width: form.width, color: form.color, glyphs: form.glyphs, showsCode: true)
        let text = text(for: worded(presentation, error), banner, evidence: showsEvidence ? error.evidence : nil)
        // The terminal has shown ^C or ^\\, or a command its last line, and the cursor stands behind that.
        let isAfterKey =
            switch error.evidence.event {
            case .cancelled("INT"), .cancelled("QUIT"), .cancelled(nil): form.isTerminal
            default: false
            }
        Console.standardError((isAfterKey ? "\n" : "") + text)
    }
}
