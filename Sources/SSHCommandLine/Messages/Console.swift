import BridgeSSH
package import ErrorCore
import SSHRun
import Synchronization

/// The output of bridge-ssh's own messages. Written at once, never buffered.
enum Console {
    static func standardOutput(_ text: String) { writeOutput(Array(text.utf8)) }

    /// Writes text for a person to standard output.
    static func show(_ text: String) { standardOutput(TerminalForm.speaksUTF8 ? text : TerminalText.ascii(text)) }

    /// Writes a line of JSON, in pieces if it is long.
    static func standardOutput(_ value: JSONValue) {
        var isRead = true
        value.write(end: "\n") { if isRead { isRead = writeOutput($0) } }
    }

    /// Writes lines for a person. While the terminal is raw each line needs a carriage return too.
    static func standardError(_ text: String) {
        let text = TerminalForm.speaksUTF8 ? text : TerminalText.ascii(text)
        let shown = TerminalGuard.isRaw ? text.replacing("\n", with: "\r\n") : text
        write(Array(shown.utf8), to: 2)
    }

    /// Writes one line in bridge-ssh's name.
    static func note(_ text: String) { standardError("bridge-ssh: \(text)\n") }

    /// Writes a note that is folded between words, so that the terminal does not break a fingerprint.
    static func foldedNote(_ text: String) {
        let form = TerminalForm.of(2)
        guard form.isTerminal else { return note(text) }
        let shown = form.glyphs == .ascii ? TerminalText.ascii(text) : text
        let lines = TerminalText.fold("bridge-ssh: " + shown, width: form.width - 3)
        standardError(lines.joined(separator: "\n  ") + "\n")
    }

    /// Why standard output could not be written. Returns the failure once, then nil.
    static func takeOutputProblem() -> OutputFailure? {
        outputProblem.withLock { problem in
            defer { problem = nil }
            return problem
        }
    }

    private static let outputProblem = Mutex<OutputFailure?>(nil)

    /// - Returns: whether it could be written.
    @discardableResult
    private static func writeOutput(_ bytes: [UInt8]) -> Bool {
        let failure = write(bytes, to: 1)
        if let failure { outputProblem.withLock { $0 = failure } }
        return failure == nil
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> OutputFailure? {
        bytes.withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) }
    }
}

extension SignalSupervision {
    /// A function that says what the first Ctrl-C waits for. It is silent with `--quiet` or `--json`, and without a terminal.
    ///
    /// - Parameter text: the program's activity, such as "removing unfinished files", if it does not wait for sudo.
    static func waitNote(_ text: String, _ style: OutputStyle) -> @Sendable (RunControl) -> Void {
        let isSilent = style.quiet || style.json || isatty(2) == 0
        return { control in
            guard !isSilent else { return }
            let text = control.isAtSudo ? "waiting for sudo to end on the server; it has started nothing" : text
            Console.note("\(text); press Ctrl-C again to leave at once")
        }
    }
}

/// The form and amount of a subcommand's output.
struct OutputStyle {
    var json = false
    var quiet = false
    /// How often `-v` was given.
    var verbosity = 0
    var convention = SSHExitStatus.Convention.bridge
    var commands = SSHExitStatus.CommandStatus.remote
}

/// The form of bridge-ssh's own texts on a standard descriptor.
package struct TerminalForm {
    package var isTerminal = false
    package var width = 80
    package var color = false
    package var glyphs = TerminalBanner.Glyphs.ascii
    /// Whether it is a terminal on which a line can be erased and redrawn.
    package var mayRedraw = false

    /// The current form of a descriptor.
    package static func of(_ descriptor: Int32) -> TerminalForm {
        let isTerminal = isatty(descriptor) == 1
        var environment: [String: String] = [:]
        for name in ["NO_COLOR", "TERM"] { environment[name] = LaunchEnvironment.variable(name) }
        return TerminalForm(
            isTerminal: isTerminal, width: isTerminal ? LocalTerminal.width : 80,
            color: TerminalBanner.usesColor(environment: environment, isTerminal: isTerminal),
            glyphs: speaksUTF8 ? .unicode : .ascii, mayRedraw: isTerminal && environment["TERM"] != "dumb")
    }

    /// Whether the locale is UTF-8: the first variable that is set decides (locale(7)).
    static let speaksUTF8: Bool = {
        let locale =
            LaunchEnvironment.variable("LC_ALL") ?? LaunchEnvironment.variable("LC_CTYPE") ?? LaunchEnvironment.variable("LANG")
            ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }()
}
