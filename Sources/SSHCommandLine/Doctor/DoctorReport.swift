import BridgeSSH
import ErrorCore

/// A diagnosis as text for people: the steps, the findings under each, and the summary.
struct DoctorReport {
    let form: TerminalForm
    /// Whether the report includes the failure's message.
    let includesFailure: Bool

    func text(_ diagnosis: SSHDiagnosis) -> String {
        let user = diagnosis.user.isEmpty ? "" : diagnosis.user + "@"
        var lines =
            fold(
                "Diagnosis of \(user)\(SSHEndpoint.label(diagnosis.name, diagnosis.host)) port \(diagnosis.port)", hanging: 0,
                first: "") + [""]
        var skipped: [String] = []
        for step in SSHDiagnosisStep.allCases {
            let findings = diagnosis.findings(about: step)
            if findings.allSatisfy({ $0.level == .notReached && $0.details.isEmpty }) {
                skipped.append(contentsOf: findings.isEmpty ? [] : [step.title])
                continue
            }
            lines.append(emphasised(step.title, "1"))
            lines += findings.flatMap { self.lines($0) }
        }
        if !skipped.isEmpty {
            lines += [""] + fold("Not looked at: \(skipped.joined(separator: ", ")).", hanging: 2, first: "")
        }
        return (lines + [""] + fold(conclusion(diagnosis), hanging: 0, first: "")).joined(separator: "\n") + "\n"
    }

    private func lines(_ finding: SSHFinding) -> [String] {
        let mark = finding.level.mark(form.glyphs)
        let isFailure = finding.level == .failed && finding["title"] != nil
        var text = finding.text
        if isFailure, case .text(let title)? = finding["title"], case .text(let code)? = finding["code"] {
            text = includesFailure ? "\(title) (\(code))\n\(text)" : "The diagnosis stops here."
        }
        if let seconds = finding.durationSeconds { text += " [\(Self.time(seconds))]" }
        let hanging = 2 + TerminalText.columns(mark) + 1
        var lines = fold(text, hanging: hanging, first: "  \(mark) ")
        if let head = lines.first {
            lines[0] = "  " + emphasised(mark, finding.level.sgr) + head.dropFirst(2 + mark.count)
        }
        guard !finding.remedy.isEmpty, !isFailure || includesFailure else { return lines }
        let arrow = form.glyphs == .unicode ? "→" : "->"
        let margin = String(repeating: " ", count: hanging)
        return lines + fold(finding.remedy, hanging: hanging + arrow.count + 1, first: "\(margin)\(arrow) ")
    }

    private func conclusion(_ diagnosis: SSHDiagnosis) -> String {
        if diagnosis.error != nil {
            let place = diagnosis.findings.last { $0.level == .failed }?.step.title
            return "Stopped\(place.map { " at: \($0)" } ?? "")."
        }
        let remarks = diagnosis.findings.count { $0.level == .notice || $0.level == .weak }
        switch remarks {
        case 0: return "No problems found."
        case 1: return "Commands run, with one remark."
        default: return "Commands run, with \(remarks) remarks."
        }
    }

    // MARK: Form

    /// Folds a text to the width of the form, with `first` before the first line and blanks before the others.
    private func fold(_ text: String, hanging: Int, first: String) -> [String] {
        let room = max(20, form.width) - hanging
        let margin = String(repeating: " ", count: hanging)
        let escaped = TerminalText.escape(text)
        let shown = form.glyphs == .ascii ? TerminalText.ascii(escaped) : escaped
        return TerminalText.fold(shown, width: max(1, room)).enumerated().map { index, line in
            (index == 0 ? first : line.isEmpty ? "" : margin) + line
        }
    }

    private func emphasised(_ text: String, _ sgr: String) -> String {
        form.color ? "\u{1B}[\(sgr)m\(text)\u{1B}[0m" : text
    }

    /// `0.3 ms`, `12 ms`, `1.5 s`.
    static func time(_ seconds: Double) -> String {
        let milliseconds = seconds * 1000
        switch milliseconds {
        case ..<9.95: return "\((milliseconds * 10).rounded() / 10) ms"
        case ..<999.5: return "\(Int(milliseconds.rounded())) ms"
        default: return "\((min(seconds, 1e9) * 10).rounded() / 10) s"
        }
    }
}

extension SSHDiagnosisStep {
    /// The step's name in a heading.
    var title: String {
        switch self {
        case .route: "Route"
        case .resolve: "Name"
        case .connect: "TCP"
        case .identification: "Identification"
        case .algorithms: "Algorithms"
        case .hostKey: "Host key"
        case .methods: "Methods"
        case .credentials: "Credentials"
        case .channel: "Channel"
        case .exec: "Command"
        case .clock: "Clock"
        case .noise: "Shell output"
        case .path: "PATH"
        }
    }
}

extension SSHFinding.Level {
    fileprivate func mark(_ glyphs: TerminalBanner.Glyphs) -> String {
        switch (self, glyphs) {
        case (.ok, .unicode): "✔"
        case (.info, .unicode): "·"
        case (.notice, .unicode): "•"
        case (.weak, .unicode): "▲"
        case (.failed, .unicode): "✖"
        case (.notReached, .unicode): "–"
        case (.ok, .ascii): "ok:"
        case (.info, .ascii): "info:"
        case (.notice, .ascii): "notice:"
        case (.weak, .ascii): "weak:"
        case (.failed, .ascii): "failed:"
        case (.notReached, .ascii): "--:"
        }
    }

    /// Select Graphic Rendition (ECMA-48).
    fileprivate var sgr: String {
        switch self {
        case .ok: "32"
        case .info: "2"
        case .notice: "34"
        case .weak: "1;33"
        case .failed: "1;31"
        case .notReached: "2"
        }
    }
}
