import BridgeSSH
import ErrorCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The one banner on standard error for a failure that is ours to tell.
enum FailureBanner {
    /// Whether the command may have run is in the message already, where it is open.
    ///
    /// - Parameter showsEvidence: whether all that was seen follows.
    static func text(for error: SSHError, width: Int, color: Bool, glyphs: ErrorBanner.Glyphs, showsEvidence: Bool) -> String {
        var presentation = ErrorPresentation(error.appError)
        presentation.code = error.code.rawValue
        presentation.title = error.title
        presentation.message = error.message
        presentation.suggestion = error.hint
        presentation.severity = ErrorSeverity(rawValue: error.severity.rawValue) ?? .error
        presentation.details = details(of: error)
        let banner = ErrorBanner(width: width, color: color, glyphs: glyphs, showsCode: true)
        guard showsEvidence else { return banner.render(presentation) }
        let evidence = String(decoding: error.evidence.json(algorithms: true).bytes, as: UTF8.self)
        return banner.render(presentation) + "  evidence: " + TerminalText.escape(evidence) + "\n"
    }

    private static func details(of error: SSHError) -> [ErrorPresentation.Detail] {
        var details = error.alternatives.enumerated().map { index, text in
            ErrorPresentation.Detail(index == 0 ? "may be" : " ", text)
        }
        if let cause = error.cause { details.append(.init("cause", cause.message)) }
        return details
    }

    /// For standard error as it is.
    static func show(_ error: SSHError, showsEvidence: Bool) {
        let isTerminal = isatty(2) == 1
        var environment: [String: String] = [:]
        for name in ["NO_COLOR", "TERM"] { environment[name] = Surroundings.variable(name) }
        let text = text(
            for: error, width: isTerminal ? LocalTerminal.width : 80,
            color: ErrorBanner.usesColor(environment: environment, isTerminal: isTerminal),
            glyphs: speaksUTF8 ? .unicode : .ascii, showsEvidence: showsEvidence)
        // The terminal has shown ^C, and the cursor stands behind it.
        let isAfterKey = if case .cancelled("INT") = error.evidence.event { isTerminal } else { false }
        Console.standardError((isAfterKey ? "\n" : "") + text)
    }

    /// As locale(7) has it: the first of these that is set counts.
    private static var speaksUTF8: Bool {
        let locale = Surroundings.variable("LC_ALL") ?? Surroundings.variable("LC_CTYPE") ?? Surroundings.variable("LANG") ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}
