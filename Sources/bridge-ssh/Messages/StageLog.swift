import BridgeSSH
import ErrorCore

/// Reports progress on standard error: with `-v` every stage with its time, and notices; without, only newly trusted host keys.
final class StageLog: RunObserver {
    private let style: OutputStyle
    private let startedAt = ContinuousClock.now

    init(style: OutputStyle) {
        self.style = style
    }

    func stageBegan(_ stage: Stage, detail: String) {
        guard style.verbosity > 0 else { return }
        line(detail.isEmpty ? stage.rawValue : "\(stage.rawValue): \(detail)")
    }

    func notice(_ text: String) {
        guard style.verbosity > 0 else { return }
        line("notice: \(text)")
    }

    func trustChanged(_ text: String) {
        guard !style.quiet else { return }
        style.verbosity > 0 ? line(text) : Console.note(TerminalText.escape(text))
    }

    /// As ssh shows it: before the prompts, on standard error.
    func serverBanner(_ text: String) {
        guard !style.quiet, !style.json else { return }
        Console.standardError(ServerBanner.text(text))
    }

    func authenticated(with credentials: String) { line("authentication: the server accepted \(credentials)") }

    /// What only `-v` wants to know.
    func line(_ text: String) {
        guard style.verbosity > 0, !style.quiet else { return }
        Console.note("\(Self.time(startedAt.duration(to: .now))) \(TerminalText.escape(text))")
    }

    /// Seconds with three decimals, `  0.012`.
    static func time(_ duration: Duration) -> String {
        let parts = duration.components
        let milliseconds = String(1000 + parts.attoseconds / 1_000_000_000_000_000).dropFirst()
        let seconds = String(parts.seconds)
        return String(repeating: " ", count: max(0, 3 - seconds.count)) + seconds + "." + milliseconds
    }
}
