import BridgeSSH
import ErrorCore
import SSHRun

/// Reports progress on standard error: with `-v` every stage with its time, and notices; without, only newly trusted host keys.
final class StageLog: RunLog {
    private let style: OutputStyle
    /// Before every text; empty without a host.
    private let prefix: String
    private let startedAt = ContinuousClock.now

    /// - Parameter host: what the lines are about, where several hosts report to one terminal.
    init(style: OutputStyle, host: String? = nil) {
        self.style = style
        prefix = host.map { "\(TerminalText.escape($0)): " } ?? ""
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
        style.verbosity > 0 ? line(text) : Console.note(named(text))
    }

    /// What only `-v` wants to know.
    func line(_ text: String) {
        guard style.verbosity > 0, !style.quiet else { return }
        Console.note("\(Self.time(startedAt.duration(to: .now))) \(named(text))")
    }

    /// A text with the host that it is about, safe to print.
    func named(_ text: String) -> String { prefix + TerminalText.escape(text) }

    /// Seconds with three decimals, `  0.012`.
    static func time(_ duration: Duration) -> String {
        let parts = duration.components
        let milliseconds = String(1000 + parts.attoseconds / 1_000_000_000_000_000).dropFirst()
        let seconds = String(parts.seconds)
        return String(repeating: " ", count: max(0, 3 - seconds.count)) + seconds + "." + milliseconds
    }
}
