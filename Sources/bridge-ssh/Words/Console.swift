import BridgeSSH
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where our own words go. Written at once and whole, never buffered.
enum Console {
    static func standardOutput(_ text: String) { write(Array(text.utf8), to: 1) }

    static func standardOutput(_ bytes: [UInt8]) { write(bytes, to: 1) }

    /// Lines for a person. While the terminal is raw they need a carriage return too.
    static func standardError(_ text: String) {
        let text = TerminalGuard.isRaw ? text.replacing("\n", with: "\r\n") : text
        write(Array(text.utf8), to: 2)
    }

    /// One line in our own name.
    static func note(_ text: String) { standardError("bridge-ssh: \(text)\n") }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        // Whoever does not listen any more needs no message about it.
        _ = bytes.withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) }
    }
}
