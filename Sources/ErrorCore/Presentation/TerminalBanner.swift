/// Renders an error for a terminal: what happened, the facts, and what to do.
/// ```
/// ✖ SSH Error
///   The SSH connection to web1 failed: it refused every address.
///
///   tried  192.0.2.1:22
///          [2001:db8::1]:22
///
///   → Check the host and port in the settings, then try again.
/// ```
/// All text is escaped (``TerminalText/escape(_:)``): it may come from a server.
public struct TerminalBanner: Sendable {
    /// How the severity is marked.
    public enum Glyphs: Sendable, Hashable {
        /// A sign such as `✖`.
        case unicode
        /// A word such as `error:`. All text is in ASCII (``TerminalText/ascii(_:)``), for terminals and encodings without these
        /// signs.
        case ascii
    }

    /// The width of a line in columns; at least 20 are used.
    public var width: Int
    /// Whether to colour the severity too (ECMA-48 SGR).
    public var color: Bool
    /// How the severity is marked.
    public var glyphs: Glyphs
    /// Whether the code follows the title.
    public var showsCode: Bool

    /// A banner with these settings.
    public init(width: Int = 80, color: Bool = false, glyphs: Glyphs = .unicode, showsCode: Bool = false) {
        self.width = width
        self.color = color
        self.glyphs = glyphs
        self.showsCode = showsCode
    }

    /// Renders the banner; every line ends with a line feed.
    public func render(_ presentation: ErrorPresentation) -> String {
        let indent = "  "
        let inner = max(20, width) - indent.count
        var blocks: [[String]] = [fold(presentation.message, inner)]
        let facts = detailLines(presentation.details, width: inner)
        if !facts.isEmpty { blocks.append(facts) }
        var advice: [String] = []
        if let occurrences = presentation.occurrences { advice += fold(occurrences, inner) }
        if let failure = presentation.recoveryFailure { advice += marked("!", failure, width: inner) }
        if let suggestion = presentation.suggestion, !suggestion.isEmpty {
            advice += marked(glyphs == .unicode ? "→" : "->", suggestion, width: inner)
        }
        if !presentation.options.isEmpty {
            let titles = presentation.options.map { "[\($0.title)]" }.joined(separator: " ")
            advice += fold(titles, inner)
        }
        if !advice.isEmpty { blocks.append(advice) }
        let body = blocks.map { block in block.map { $0.isEmpty ? "" : indent + $0 }.joined(separator: "\n") }
        // A banner without facts needs no blank line.
        let separator = facts.isEmpty ? "\n" : "\n\n"
        return heading(presentation) + "\n" + body.joined(separator: separator) + "\n"
    }

    private func heading(_ presentation: ErrorPresentation) -> String {
        let mark = glyphs == .unicode ? presentation.severity.glyph : presentation.severity.rawValue + ":"
        let code = showsCode ? " (\(presentation.code))" : ""
        let lines = fold(presentation.title + code, max(20, width) - TerminalText.columns(mark) - 1)
        let text = mark + " " + lines.joined(separator: "\n  ")
        return color ? "\u{1B}[\(presentation.severity.sgr)m\(text)\u{1B}[0m" : text
    }

    private func detailLines(_ details: [ErrorPresentation.Detail], width: Int) -> [String] {
        let labels = details.map { TerminalText.columns(oneLine($0.label)) }
        // Labels wider than a third of the line would leave no space for the facts.
        let column = min(labels.max() ?? 0, width / 3)
        return details.flatMap { detail -> [String] in
            guard !detail.label.isEmpty else { return fold(detail.value, width) }
            let label = oneLine(detail.label)
            let space = width - column - 2
            let lines = fold(detail.value, space)
            let margin = String(repeating: " ", count: column + 2)
            guard TerminalText.columns(label) <= column else { return fold(label, width) + lines.map { margin + $0 } }
            let padding = String(repeating: " ", count: column - TerminalText.columns(label) + 2)
            return lines.enumerated().map { $0.offset == 0 ? label + padding + $0.element : margin + $0.element }
        }
    }

    private func marked(_ mark: String, _ text: String, width: Int) -> [String] {
        let hang = TerminalText.columns(mark) + 1
        return fold(text, width - hang).enumerated().map { line in
            (line.offset == 0 ? mark + " " : String(repeating: " ", count: hang)) + line.element
        }
    }

    private func fold(_ text: String, _ width: Int) -> [String] {
        TerminalText.fold(shown(text), width: width)
    }

    private func oneLine(_ text: String) -> String {
        shown(text).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private func shown(_ text: String) -> String {
        let text = TerminalText.escape(text.withoutIsolates)
        return glyphs == .ascii ? TerminalText.ascii(text) : text
    }
}

extension TerminalBanner {
    /// Whether to use colour: on a terminal with colours, if `NO_COLOR` is unset or empty (no-color.org).
    public static func usesColor(environment: [String: String], isTerminal: Bool) -> Bool {
        isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}

extension ErrorSeverity {
    fileprivate var glyph: String {
        switch self {
        case .info: "•"
        case .warning: "▲"
        case .error: "✖"
        case .critical: "■"
        }
    }

    /// The Select Graphic Rendition sequence: bold, in the severity's colour.
    fileprivate var sgr: String {
        switch self {
        case .info: "1;34"
        case .warning: "1;33"
        case .error: "1;31"
        case .critical: "1;97;41"
        }
    }
}
