import BridgeSSH
import Dispatch
import SSHRun
import Synchronization

/// Reads a descriptor on a thread of its own, one piece per request, and reads nothing more after a cancellation.
final class InputReader: Sendable {
    /// Reading failed with this errno.
    struct Failure: Error, CustomStringConvertible {
        let number: Int32
        var description: String { String(cString: strerror(number)) }
    }

    private static let pieceLength = 32 << 10

    private let descriptor: Int32
    /// Nil for a borrowed descriptor.
    let owner: OwnedDescriptor?
    private let queue = DispatchQueue(label: "input")
    private let wake = WakePipe()

    init(descriptor: OwnedDescriptor) {
        self.descriptor = descriptor.number
        owner = descriptor
    }

    /// Leaves the descriptor open.
    init(borrowing descriptor: Int32) {
        self.descriptor = descriptor
        owner = nil
    }

    /// The next bytes; nil at the end or after a cancellation.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in continuation.resume(with: Result { try readPiece() }) }
            }
        } onCancel: {
            wake.ring()
        }
    }

    /// ``next()`` for a command's input: a read error is a failure of the local standard input.
    var pieces: @Sendable () async throws -> [UInt8]? {
        {
            do {
                return try await self.next()
            } catch let failure as Failure {
                throw Fault(.usage(field: "standard input", problem: "it cannot be read: \(failure)"), stage: .local)
            }
        }
    }

    private func readPiece() throws -> [UInt8]? {
        while true {
            guard waitUntilReady(descriptor, Int32(POLLIN), unless: wake.readEnd) else { return nil }
            var number: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, count in
                let got = readBytes(descriptor, buffer.baseAddress, buffer.count)
                if got < 0 { number = errno }
                count = max(0, got)
            }
            switch number {
            case 0: return piece.isEmpty ? nil : piece
            case EINTR, EAGAIN: continue
            case EIO where waitForForeground(): continue
            // The terminal has hung up.
            case EIO: return nil
            default: throw Failure(number: number)
            }
        }
    }

    /// Stops the process until it has the terminal again, if another program has it. The system would do that, but Dispatch
    /// blocks the signal in its threads, and the read fails.
    ///
    /// - Returns: whether the descriptor may be read again.
    private func waitForForeground() -> Bool {
        let continued = WakePipe()
        let hasWaited = SignalWatch.wakingAfterStop(continued) {
            TerminalForeground.underJobControl {
                TerminalForeground(terminal: descriptor, wake: wake, continued: continued).wait()
            }
        }
        // The process may be in the foreground again since the read.
        return hasWaited || tcgetpgrp(descriptor) == getpgrp()
    }
}

/// The open source of the command's standard input.
struct OpenedInput: Sendable {
    /// Nil if there is nothing to read.
    let descriptor: Int32?
    /// Nil for this process's standard input, which stays open.
    let owner: OwnedDescriptor?
    /// Whether it can be read a second time.
    let isRepeatable: Bool
    let isTerminal: Bool

    /// - Throws: `UsageProblem` if the file, or a pipe, cannot be opened.
    init(_ source: InputSource) throws {
        switch source {
        case .none:
            (descriptor, owner) = (nil, nil)
            isRepeatable = false
            isTerminal = false
        case .inherited:
            (descriptor, owner) = (0, nil)
            isRepeatable = false
            isTerminal = isatty(0) == 1
        case .text(let text):
            let number = try Self.pipe(with: text)
            (descriptor, owner) = (number.number, number)
            isRepeatable = false
            isTerminal = false
        case .file(let path):
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else {
                throw UsageProblem(field: "--stdin", problem: "\(path) cannot be opened: \(String(cString: strerror(errno)))")
            }
            (descriptor, owner) = (number, OwnedDescriptor(number))
            isRepeatable = Self.isRegularFile(number)
            isTerminal = false
        }
    }

    /// Reads the input in this process, piece by piece; nil if there is nothing to read.
    var pieces: (@Sendable () async throws -> [UInt8]?)? {
        let reader = owner.map { InputReader(descriptor: $0) } ?? descriptor.map { InputReader(borrowing: $0) }
        return reader?.pieces
    }

    /// The read end of a pipe. A thread of its own writes the text, which may be longer than a pipe holds.
    private static func pipe(with text: String) throws -> OwnedDescriptor {
        guard let ends = openPipe() else { throw UsageProblem(field: "pipe", problem: String(cString: strerror(errno))) }
        let writeEnd = OwnedDescriptor(ends.writeEnd)
        DispatchQueue(label: "text").async {
            _ = PathText.bytes(of: text).withUnsafeBytes { OutputWriter.writeAll($0, to: writeEnd.number) }
        }
        return OwnedDescriptor(ends.readEnd)
    }

    private static func isRegularFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// The source of the command's standard input.
enum InputSource: Equatable {
    /// This process's standard input.
    case inherited
    /// An empty input.
    case none
    case text(String)
    /// A file at this path.
    case file(String)
}

/// Job control for input from a terminal: a background process must not show a prompt, because another program would read the
/// answer, and must not conclude that its own input has ended.
struct TerminalForeground {
    let terminal: Int32
    /// Rung to end the wait.
    let wake: WakePipe
    /// Rung whenever the process continues.
    let continued: WakePipe

    /// Unblocks the signals that ``wait()`` stops the process with, for this thread; Dispatch blocks all signals in its
    /// threads.
    ///
    /// SIGTTIN stays blocked, so a read in the background fails with EIO. Otherwise a read would stop the process, and
    /// would continue to wait when the process is in the foreground again, without a prompt and with echo on.
    static func underJobControl<Result>(_ body: () throws -> Result) rethrows -> Result {
        var stopping = sigset_t()
        var previous = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, SIGTTOU)
        pthread_sigmask(SIG_UNBLOCK, &stopping, &previous)
        var reading = sigset_t()
        sigemptyset(&reading)
        sigaddset(&reading, SIGTTIN)
        pthread_sigmask(SIG_BLOCK, &reading, nil)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return try body()
    }

    /// Stops the process until it is in the terminal's foreground, as the terminal driver would.
    ///
    /// Changing the modes in the background would stop it too. But the system repeats that call when the process continues, and
    /// so stops the process again before a signal that came with SIGCONT, such as that of the shell's `kill`, could end it.
    ///
    /// - Returns: whether it was in the background.
    @discardableResult func wait() -> Bool {
        // Without job control nothing stops the process.
        guard !ProcessSetup.isIgnored(SIGTTOU) else { return false }
        var hasWaited = false
        while isInBackground {
            hasWaited = true
            // A signal that ends the run came with SIGCONT, and rings `wake` a moment later. Wait for that: if the process
            // stopped first, the shell's `kill` would not end it.
            if SignalWatch.isEnding, ring(of: [wake], within: Self.wakeInterval) { break }
            pthread_kill(pthread_self(), SIGTTOU)
            if ring(of: [wake, continued], within: -1) { break }
            continued.reset()
        }
        return hasWaited
    }

    /// Milliseconds in which a run, even on a busy machine, rings `wake`.
    private static let wakeInterval: Int32 = 5000

    /// Waits for one of the pipes.
    ///
    /// - Returns: whether the first was rung.
    private func ring(of pipes: [WakePipe], within milliseconds: Int32) -> Bool {
        var watched = pipes.map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
        while poll(&watched, nfds_t(watched.count), milliseconds) < 0, errno == EINTR {}
        return watched[0].revents != 0
    }

    /// Whether the terminal would stop this process. False in an orphaned group, which nothing could continue.
    private var isInBackground: Bool {
        let group = tcgetpgrp(terminal)
        guard group >= 0, group != getpgrp() else { return false }
        var interrupting = sigaction()
        #if canImport(Darwin)
            interrupting.__sigaction_u.__sa_handler = { _ in }
        #else
            interrupting.__sigaction_handler.sa_handler = { _ in }
        #endif
        var previous = sigaction()
        sigaction(SIGTTOU, &interrupting, &previous)
        defer { sigaction(SIGTTOU, &previous, nil) }
        // tcdrain succeeds in the foreground, fails with EINTR in the background, and with EIO in an orphaned group.
        return tcdrain(terminal) != 0 && errno == EINTR
    }
}
