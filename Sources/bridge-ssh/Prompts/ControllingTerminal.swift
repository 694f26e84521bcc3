import BridgeSSH
import Dispatch
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The person's terminal, whatever the standard descriptors are: prompts go there, and answers come from there.
final class ControllingTerminal: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "terminal")

    /// No typed answer is longer; Linux's line discipline accepts no more than 4095 bytes anyway.
    private static let longestAnswer = 4096

    static var isAvailable: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    /// Nil where there is none, as under cron.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func show(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) }
    }

    /// Shows a prompt and reads a line.
    ///
    /// - Returns: the line without its end; nil at the end of input (^D).
    /// - Throws: `CancellationError`, by ^C among others. The terminal is as it was before in any case.
    func ask(_ prompt: String, echo: Bool) async throws -> Secret? {
        try Task.checkCancellation()
        // One for each prompt: cancelling one prompt must not cancel the next.
        let wake = WakePipe()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in continuation.resume(with: Result { try readLine(prompt, echo: echo, unless: wake) }) }
            }
        } onCancel: {
            wake.ring()
        }
    }

    private func readLine(_ prompt: String, echo: Bool, unless wake: WakePipe) throws -> Secret? {
        let isChanged =
            !echo
            && TerminalGuard.change(descriptor, isRaw: false) { attributes in
                attributes.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
                // The line's end is shown all the same.
                attributes.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
            } resumed: {
                self.show(prompt)
            }
        defer { if isChanged { TerminalGuard.restore(descriptor) } }
        // Only now: the change discards what was typed before, and an answer to the prompt must not be among that.
        show(prompt)
        return try withUnsafeTemporaryAllocation(byteCount: Self.longestAnswer, alignment: 1) { buffer in
            defer { Secrecy.wipe(buffer) }
            var count = 0
            while count < buffer.count {
                guard waitUntilReady(descriptor, Int32(POLLIN), unless: wake.readEnd) else {
                    show("\n")
                    throw CancellationError()
                }
                let got = readBytes(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if got < 0, errno == EINTR || errno == EAGAIN { continue }
                if got <= 0 {
                    show("\n")
                    return count > 0 ? Secret(bytes: buffer[..<count]) : nil
                }
                count += got
                if buffer[count - 1] == UInt8(ascii: "\n") { return Secret(bytes: buffer[..<(count - 1)]) }
            }
            return Secret(bytes: buffer[..<count])
        }
    }
}
