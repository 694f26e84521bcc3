import BridgeSSH
import Dispatch
import SSHRun

/// One prompt at a terminal and its answer. Blocks its thread.
///
/// It handles job control as ssh does: in the background it stops the process, and when the process continues in the foreground
/// it prompts again, with echo off for a secret.
struct TerminalPrompt {
    let text: String
    let echo: Bool
    /// A non-blocking descriptor, so that the thread waits only in poll, with the other events.
    let descriptor: Int32
    /// Rung to cancel the prompt.
    let wake: WakePipe
    /// Rung when the process continues after a stop.
    private let continued = WakePipe()

    /// The maximum length of an answer in bytes. Linux's line discipline accepts at most 4095.
    private static let maximumAnswerLength = 4096

    private enum Event {
        case typed
        case cancelled
        case continued
        case hungUp
    }

    init(text: String, echo: Bool, descriptor: Int32, wake: WakePipe) {
        self.text = text
        self.echo = echo
        self.descriptor = descriptor
        self.wake = wake
    }

    /// - Returns: the line without its end; nil at the end of input (^D).
    /// - Throws: `CancellationError`, also if the terminal has hung up.
    func answer() throws -> SSHSecret? {
        try SignalWatch.wakingAfterStop(continued) {
            try TerminalForeground.underJobControl {
                // Before recording the modes: in the background they are another program's.
                foreground.wait()
                let isChanged = hideAnswer()
                defer { if isChanged { TerminalGuard.restore(descriptor) } }
                // Show the prompt only now: changing the modes discards earlier input, which must not include an answer.
                show(text)
                return try withUnsafeTemporaryAllocation(byteCount: Self.maximumAnswerLength, alignment: 1) { buffer in
                    defer { SecretMemory.wipe(buffer) }
                    return try line(in: buffer).map { SSHSecret(bytes: buffer[..<$0]) }
                }
            }
        }
    }

    private func hideAnswer() -> Bool {
        TerminalGuard.change(descriptor, for: .prompt) { attributes in
            if echo { return }
            attributes.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
            // Still echo the line end.
            attributes.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        }
    }

    private var foreground: TerminalForeground { TerminalForeground(terminal: descriptor, wake: wake, continued: continued) }

    /// - Returns: the length of the line; nil at the end of input.
    private func line(in buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        var count = 0
        while count < buffer.count {
            switch next() {
            case .cancelled:
                show("\n")
                throw CancellationError()
            case .hungUp: throw hangup()
            case .continued:
                continued.reset()
                foreground.wait()
                if showAgain() { count = 0 }
                continue
            // Before `continued` rings, the process may be in the background, or a shell may have restored its own modes.
            case .typed where foreground.wait() || !TerminalGuard.isModified(descriptor):
                if showAgain() { count = 0 }
                continue
            case .typed: break
            }
            let got = readBytes(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            if got < 0, errno == EIO, foreground.wait() { continue }
            // A terminal that has hung up has no foreground group; one that this process may not read has.
            if got < 0, tcgetpgrp(descriptor) < 0 { throw hangup() }
            if got <= 0 {
                show("\n")
                return count > 0 ? count : nil
            }
            count += got
            if buffer[count - 1] == UInt8(ascii: "\n") { return count - 1 }
        }
        return count
    }

    /// Shows the prompt again after a stop, which has discarded the line typed so far.
    ///
    /// - Returns: false if the first prompt is still valid.
    private func showAgain() -> Bool {
        guard TerminalGuard.renew(descriptor) else { return false }
        show("\r" + text)
        return true
    }

    private func next() -> Event {
        var watched = [descriptor, wake.readEnd, continued.readEnd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&watched, nfds_t(watched.count), -1) < 0, errno == EINTR {}
        if watched[1].revents != 0 { return .cancelled }
        if watched[0].revents & Int16(POLLHUP | POLLERR) != 0 { return .hungUp }
        return watched[2].revents != 0 ? .continued : .typed
    }

    /// Ends the run as SIGHUP would, which may come late or never.
    private func hangup() -> CancellationError {
        SignalWatch.terminalHungUp()
        return CancellationError()
    }

    private func show(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) }
    }
}

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
