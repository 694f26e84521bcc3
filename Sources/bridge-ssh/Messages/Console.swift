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
    static func standardOutput(_ text: String) { write(Array(text.utf8), to: 1) }

    /// Text for a person.
    static func show(_ text: String) { standardOutput(TerminalForm.speaksUTF8 ? text : TerminalText.ascii(text)) }

    /// A line of JSON, in pieces where it is long.
    static func standardOutput(_ value: JSONValue) {
        var isRead = true
        value.write(end: "\n") { if isRead { isRead = write($0, to: 1) } }
    }

    /// Lines for a person. While the terminal is raw they need a carriage return too.
    static func standardError(_ text: String) {
        let text = TerminalForm.speaksUTF8 ? text : TerminalText.ascii(text)
        let shown = TerminalGuard.isRaw ? text.replacing("\n", with: "\r\n") : text
        write(Array(shown.utf8), to: 2)
    }

    /// One line in bridge-ssh's own name.
    static func note(_ text: String) { standardError("bridge-ssh: \(text)\n") }

    /// - Returns: whether it could be written. A reader that has gone needs no message about it.
    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) } == nil
    }
}
