import BridgeSSH
import ErrorCore
import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The output of bridge-ssh's own messages. Written at once, never buffered.
enum Console {
    static func standardOutput(_ text: String) { writeOutput(Array(text.utf8)) }

    /// Text for a person.
    static func show(_ text: String) { standardOutput(TerminalForm.speaksUTF8 ? text : TerminalText.ascii(text)) }

    /// A line of JSON, in pieces where it is long.
    static func standardOutput(_ value: JSONValue) {
        var isRead = true
        value.write(end: "\n") { if isRead { isRead = writeOutput($0) } }
    }

    /// Lines for a person. While the terminal is raw they need a carriage return too.
    static func standardError(_ text: String) {
        let text = TerminalForm.speaksUTF8 ? text : TerminalText.ascii(text)
        let shown = TerminalGuard.isRaw ? text.replacing("\n", with: "\r\n") : text
        write(Array(shown.utf8), to: 2)
    }

    /// One line in bridge-ssh's own name.
    static func note(_ text: String) { standardError("bridge-ssh: \(text)\n") }

    /// The same for a line with what a terminal must not break, such as a fingerprint.
    static func foldedNote(_ text: String) {
        let form = TerminalForm.of(2)
        guard form.isTerminal else { return note(text) }
        let shown = form.glyphs == .ascii ? TerminalText.ascii(text) : text
        let lines = TerminalText.fold("bridge-ssh: " + shown, width: form.width - 3)
        standardError(lines.joined(separator: "\n  ") + "\n")
    }

    /// Why standard output could not be written. Reported once: nil from then on.
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
