import BridgeSSH
import ErrorCore
import SSHRun

/// Reports progress on standard error: with `-v` every stage with its time, and notices; without it only newly trusted host
/// keys, refused variables and waits.
final class StageLog: RunLog {
    private let style: OutputStyle
    /// The prefix of every line; empty without a host.
    private let prefix: String
    /// The notices that are shown even without `-v`: variables and identities that an option names and that are not used.
    private let unexpected: Set<String>
    private let identities: [String]
    private let startedAt = ContinuousClock.now

    /// - Parameters:
    ///   - host: the host's name, if several hosts report to one terminal.
    ///   - variables: the names of the variables from options.
    ///   - identities: the paths of the key files from options.
    init(style: OutputStyle, host: String? = nil, variables: [String] = [], identities: [String] = []) {
        self.style = style
        unexpected = Set(variables.map(RefusedVariable.notice))
        self.identities = identities
        prefix = host.map { "\(TerminalText.escape($0)): " } ?? ""
    }

    func stageBegan(_ stage: SSHStage, detail: String) {
        guard style.verbosity > 0 else { return }
        line(detail.isEmpty ? stage.rawValue : "\(stage.rawValue): \(detail)")
    }

    func notice(_ text: String) {
        if style.verbosity > 0 {
            line("notice: \(text)")
        } else if !style.quiet, unexpected.contains(text) || identities.contains(where: { UnusedIdentity.concerns($0, text) }) {
            Console.note(named(text))
        }
    }

    func waits(_ text: String) {
        if style.verbosity > 0 {
            line(text)
        } else if !style.quiet, TerminalForm.of(2).isTerminal {
            Console.note(named(text))
        }
    }

    func trustChanged(_ text: String) { warns(text) }

    func warns(_ text: String) {
        guard !style.quiet else { return }
        style.verbosity > 0 ? line(text) : Console.foldedNote(named(text))
    }

    /// Shows the server's banner as ssh does: before the prompts, on standard error.
    func serverBanner(_ text: String) {
        guard !style.quiet, !style.json else { return }
        Console.standardError(ServerBanner.text(text))
    }

    func authenticated(with credentials: String) { line("authentication: the server accepted \(credentials)") }

    /// Writes a line that is shown only with `-v`.
    func line(_ text: String) {
        guard style.verbosity > 0, !style.quiet else { return }
        Console.foldedNote("\(Self.time(startedAt.duration(to: .now))) \(named(text))")
    }

    /// A text with the prefix, escaped for the terminal.
    func named(_ text: String) -> String { prefix + TerminalText.escape(text) }

    /// Seconds with three decimals, `  0.012`.
    static func time(_ duration: Duration) -> String {
        let parts = duration.components
        let milliseconds = String(1000 + parts.attoseconds / 1_000_000_000_000_000).dropFirst()
        let seconds = String(parts.seconds)
        return String(repeating: " ", count: max(0, 3 - seconds.count)) + seconds + "." + milliseconds
    }
}

/// A server's banner, made safe for a terminal.
enum ServerBanner {
    /// The banner as complete lines, so that a prompt of bridge-ssh starts on a new line.
    static func text(_ banner: String) -> String {
        let escaped = TerminalText.escape(banner)
        return escaped.isEmpty || escaped.hasSuffix("\n") ? escaped : escaped + "\n"
    }
}
