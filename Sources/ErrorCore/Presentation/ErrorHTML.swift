/// Renders an error as an HTML fragment: one `section`, with classes and `data-` attributes for styling and scripting.
///
/// The fragment contains no script and no style. Each option is a `button` whose `data-recovery` is the option's identity.
public enum ErrorHTML {
    /// The fragment. All text is escaped: it may come from a server.
    public static func fragment(_ presentation: ErrorPresentation) -> String {
        let severity = presentation.severity
        // ARIA: a screen reader is interrupted by an alert, not by a status.
        let role = severity == .info ? "status" : "alert"
        var html = "<section class=\"error error-\(severity.rawValue)\" role=\"\(role)\""
        html += " data-code=\"\(escape(presentation.code))\" data-icon=\"\(escape(presentation.icon))\">\n"
        html += "<h2 class=\"error-title\" dir=\"auto\">\(escape(presentation.title))</h2>\n"
        html += paragraph("error-message", presentation.message)
        html += details(presentation.details)
        if let occurrences = presentation.occurrences { html += paragraph("error-occurrences", occurrences) }
        if let failure = presentation.recoveryFailure { html += paragraph("error-recovery-failure", failure) }
        if let suggestion = presentation.suggestion { html += paragraph("error-suggestion", suggestion) }
        if !presentation.options.isEmpty {
            let buttons = presentation.options.map { option in
                "<button type=\"button\" class=\"error-option error-option-\(option.style.rawValue)\""
                    + " data-recovery=\"\(escape(option.id.rawValue))\">\(escape(option.title))</button>"
            }
            html += "<p class=\"error-options\">\(buttons.joined(separator: " "))</p>\n"
        }
        return html + "</section>\n"
    }

    private static func paragraph(_ name: String, _ text: String) -> String {
        "<p class=\"\(name)\" dir=\"auto\">\(isolating(text).split(separator: "\n").joined(separator: "<br>"))</p>\n"
    }

    /// Escaped text. Balanced Unicode isolates become HTML's `bdi` elements.
    private static func isolating(_ text: String) -> String {
        var depth = 0
        for scalar in text.unicodeScalars {
            if scalar == "\u{2068}" { depth += 1 }
            if scalar == "\u{2069}" { depth -= 1 }
            if depth < 0 || depth > 1 { return escape(text) }
        }
        guard depth == 0, text.unicodeScalars.contains("\u{2068}") else { return escape(text) }
        return text.split(separator: "\u{2068}", omittingEmptySubsequences: false).enumerated().map { part in
            guard part.offset > 0 else { return escape(String(part.element)) }
            let halves = part.element.split(separator: "\u{2069}", maxSplits: 1, omittingEmptySubsequences: false)
            return "<bdi>\(escape(String(halves[0])))</bdi>" + escape(halves.count > 1 ? String(halves[1]) : "")
        }.joined()
    }

    private static func details(_ details: [ErrorPresentation.Detail]) -> String {
        guard !details.isEmpty else { return "" }
        let rows = details.map { "<dt>\(escape($0.label))</dt><dd dir=\"auto\">\(escape($0.value))</dd>\n" }
        return "<dl class=\"error-details\">\n\(rows.joined())</dl>\n"
    }

    /// Escapes text for use between tags and inside quoted attributes. Control characters, which HTML forbids, are shown escaped,
    /// as on a terminal.
    public static func escape(_ text: String) -> String {
        var output = ""
        for scalar in TerminalText.escape(text.withoutIsolates).unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
