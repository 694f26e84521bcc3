import BridgeSSH
import Dispatch
import SSHRun

/// The person's terminal (/dev/tty), for prompts and answers, independent of the standard descriptors.
final class ControllingTerminal: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "terminal")

    static var isAvailable: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    /// Nil if there is none, as under cron.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func show(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) }
    }

    /// Shows a prompt and reads a line.
    ///
    /// - Returns: the line without its end; nil at the end of input (^D).
    /// - Throws: `CancellationError`, for instance after ^C. The terminal's modes are restored in any case.
    func ask(_ prompt: String, echo: Bool) async throws -> SSHSecret? {
        try Task.checkCancellation()
        // One pipe for each prompt: cancelling one prompt must not cancel the next.
        let wake = WakePipe()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    let prompt = TerminalPrompt(text: prompt, echo: echo, descriptor: descriptor, wake: wake)
                    continuation.resume(with: Result { try prompt.answer() })
                }
            }
        } onCancel: {
            wake.ring()
        }
    }
}
