import Subprocess

/// A process while it runs, as the closure of ``ProcessRun`` sees it.
public struct RunningProcess: Sendable {
    /// Its process id.
    public let pid: Int32
    /// Its standard output so far; on a terminal, all that the terminal has shown.
    public let standardOutput: Transcript
    /// Its standard error so far; empty on a terminal.
    public let standardError: Transcript

    let signalling: @Sendable (Int32) throws -> Void
    let writing: @Sendable ([UInt8]) async throws -> Void
    let closing: @Sendable () async throws -> Void
    let hangingUp: @Sendable () async throws -> Void

    /// Sends a signal to the process, or does nothing if it has ended.
    public func send(signal: Int32) {
        // A signal to an ended process is refused, which is all there is to know.
        try? signalling(signal)
    }

    /// Writes to its standard input, or types on its terminal.
    public func write(_ bytes: [UInt8]) async throws { try await writing(bytes) }

    /// Writes UTF-8 text to its standard input, or types it on its terminal.
    public func write(_ text: String) async throws { try await writing(Array(text.utf8)) }

    /// Closes its standard input.
    ///
    /// A terminal has no such thing: type `\u{4}` there.
    public func closeInput() async throws { try await closing() }

    /// Has its terminal hang up, as when its window is closed. Nothing happens without a terminal.
    public func hangUp() async throws { try await hangingUp() }
}
