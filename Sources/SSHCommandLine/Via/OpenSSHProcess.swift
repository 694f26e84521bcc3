import BridgeSSH
import CProcessGuard
import Dispatch
import SSHRun
import Synchronization

/// A running ssh. Its log is read at once; its outputs are read on demand, and unread output stays in their pipes.
///
/// One thread waits for all of them, so that ssh's messages about its session are known before the output of the session's
/// command.
final class OpenSSHProcess: Sendable {
    enum Stream: Int {
        case output, errors
    }

    private struct State {
        /// The output that no reader has taken yet, for each stream.
        var pendingOutput: [[UInt8]?] = [nil, nil]
        var hasEnded = [false, false]
        var readers: [CheckedContinuation<[UInt8]?, Never>?] = [nil, nil]
        var input: ArraySlice<UInt8> = []
        /// Whether the pipe of the input is closed, or will be once the rest is written.
        var closesInput = false
        var isInputClosed = false
        var writer: CheckedContinuation<Bool, Never>?
        var isOver = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let child: ChildProcess
    private let place: OpenSSHDirectory
    /// Carries its standard input and output in place of pipes.
    private let terminal: OpenSSHTerminal?
    private let wake = WakePipe()
    private let state = Mutex(State())
    /// The questions of ssh's askpass.
    let questions: AsyncStream<OwnedDescriptor>
    private let asked: AsyncStream<OwnedDescriptor>.Continuation

    private static let pieceLength = 64 << 10
    /// How long ssh may take to end after SIGTERM. Deadlines must take effect within a second.
    private static let timeLimit = Duration.milliseconds(400)

    /// Starts ssh.
    ///
    /// - Parameters:
    ///   - socket: carries its standard input and output; nil for pipes.
    ///   - terminal: the same for a terminal session.
    ///   - takeLog: receives the log as it arrives, from one thread, with the part of standard error that arrived at the same
    ///     time; returns whether that part belongs to the command's output.
    init(
        _ program: LocalProgram, in place: OpenSSHDirectory, over socket: Int32? = nil, terminal: OpenSSHTerminal? = nil,
        takeLog: @escaping @Sendable ([UInt8], [UInt8]?) -> Bool
    ) throws(LocalProgram.StartFailure) {
        child = try ChildProcess.start(program, over: terminal?.peerEnd ?? socket)
        self.place = place
        self.terminal = terminal
        terminal?.closePeerEnd()
        (questions, asked) = AsyncStream.makeStream(of: OwnedDescriptor.self)
        for descriptor in [terminal?.ourEnd ?? child.input, terminal?.ourEnd ?? child.output, child.errors] {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        // On threads of their own: they wait as long as ssh runs.
        DispatchQueue(label: "ssh").async { [self] in
            follow(takeLog)
            finish()
        }
        DispatchQueue(label: "ssh-end").async { [self] in
            child.reap()
            wake.ring()
        }
    }

    var id: pid_t { child.id }
    private var input: Int32 { terminal?.ourEnd ?? child.input }
    private var output: Int32 { terminal?.ourEnd ?? child.output }
    /// The end of the process; nil while it runs.
    var end: (status: Int, signal: Int?)? { child.end }

    // MARK: Streams

    /// The next piece; nil at the end.
    func next(_ stream: Stream) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let (isDone, piece) = state.withLock { state -> (Bool, [UInt8]?) in
                if let piece = state.pendingOutput[stream.rawValue] {
                    state.pendingOutput[stream.rawValue] = nil
                    return (true, piece)
                }
                if state.hasEnded[stream.rawValue] || state.isOver { return (true, nil) }
                state.readers[stream.rawValue] = continuation
                return (false, nil)
            }
            wake.ring()
            if isDone { continuation.resume(returning: piece) }
        }
    }

    /// Writes to its standard input.
    ///
    /// - Returns: false if ssh reads nothing more.
    func write(_ bytes: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                guard !state.isInputClosed, !state.isOver else { return true }
                state.input = bytes[...]
                state.writer = continuation
                return false
            }
            if isClosed { return continuation.resume(returning: false) }
            wake.ring()
        }
    }

    func closeInput() {
        state.withLock { $0.closesInput = true }
        wake.ring()
    }

    /// Waits until ssh has ended and all its output has been read.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiters.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Ends ssh and all its descendants: by SIGTERM, and a moment later by SIGKILL.
    func kill() async {
        child.send(SIGTERM)
        let clock = ContinuousClock()
        let end = clock.now + Self.timeLimit
        // In a task of its own, because the caller's task may be cancelled.
        await Task {
            while !child.hasEnded, clock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
        }.value
        child.kill()
        // The reader of the output may have stalled.
        state.withLock { $0.pendingOutput = [nil, nil] }
        wake.ring()
    }

    /// Passes on the new size of the terminal.
    func resize(columns: Int, rows: Int) {
        guard let terminal else { return }
        terminal.resize(columns: columns, rows: rows)
        // It is not ssh's controlling terminal, so the system does not send the signal.
        child.send(SIGWINCH)
    }

    // MARK: The thread

    private func follow(_ takeLog: ([UInt8], [UInt8]?) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: Self.pieceLength)
        while true {
            let hadEnded = child.hasEnded
            var watched = watched()
            if poll(&watched, nfds_t(watched.count), hadEnded ? 0 : -1) < 0, errno != EINTR { return }
            if watched[0].revents != 0 { wake.reset() }
            let errors = watched[3].revents != 0 ? piece(child.errors, &buffer) : nil
            var log: [UInt8] = []
            while let count = read(place.log.reader, &buffer) { log += buffer[..<count] }
            let isCommands = takeLog(log, errors.flatMap { $0 })
            if watched[5].revents != 0 { accept() }
            var isBusy = feed(watched[4].revents != 0)
            if let errors {
                if isCommands || errors == nil { give(errors, of: .errors) }
                isBusy = true
            }
            if watched[2].revents != 0, let output = piece(output, &buffer) {
                give(output, of: .output)
                isBusy = true
            }
            let waits = state.withLock { $0.pendingOutput.contains { $0 != nil } }
            // A grandchild may hold the pipes open.
            if hadEnded, !isBusy, !waits { return }
            if hadEnded, waits {
                var alarm = pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0)
                poll(&alarm, 1, -1)
            }
        }
    }

    private func watched() -> [pollfd] {
        let (wants, writes) = state.withLock { state in
            ((0..<2).map { state.pendingOutput[$0] == nil && !state.hasEnded[$0] }, !state.isInputClosed && !state.input.isEmpty)
        }
        let outputs = [output, child.errors]
        let reading = [wake.readEnd, place.log.reader] + (0..<2).map { wants[$0] ? outputs[$0] : -1 }
        return reading.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } + [
            pollfd(fd: writes ? input : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: place.questions?.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// - Returns: nil if nothing is available now, or at the end.
    private func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int? {
        let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? count : nil
    }

    /// - Returns: nil if nothing is available now; a nested nil at the end.
    private func piece(_ descriptor: Int32, _ buffer: inout [UInt8]) -> [UInt8]?? {
        let count = buffer.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        return .some(count > 0 ? Array(buffer[..<count]) : nil)
    }

    private func give(_ piece: [UInt8]?, of stream: Stream) {
        let reader = state.withLock { state in
            if piece == nil { state.hasEnded[stream.rawValue] = true }
            guard let reader = state.readers[stream.rawValue] else {
                state.pendingOutput[stream.rawValue] = piece
                return CheckedContinuation<[UInt8]?, Never>?.none
            }
            state.readers[stream.rawValue] = nil
            return reader
        }
        reader?.resume(returning: piece)
    }

    /// Writes pending input, and closes the pipe after the last of it.
    private func feed(_ isReady: Bool) -> Bool {
        let rest = state.withLock { $0.isInputClosed ? [] : $0.input }
        var isClosed = false
        var written = 0
        if isReady, !rest.isEmpty {
            written = rest.withUnsafeBytes { writeBytes(input, $0.baseAddress, $0.count) }
            if written < 0 {
                isClosed = errno != EAGAIN && errno != EINTR
                written = 0
            }
        }
        let (writer, closes) = state.withLock { state -> (CheckedContinuation<Bool, Never>?, Bool) in
            state.input = state.input.dropFirst(written)
            let closes = !state.isInputClosed && (isClosed || state.closesInput && state.input.isEmpty)
            if closes { state.isInputClosed = true }
            guard isClosed || state.input.isEmpty else { return (nil, closes) }
            defer { state.writer = nil }
            return (state.writer, closes)
        }
        if closes { close(child.input) }
        writer?.resume(returning: !isClosed)
        return written > 0
    }

    private func accept() {
        guard let listener = place.questions?.number else { return }
        let socket = acceptConnection(listener)
        if socket >= 0 { asked.yield(OwnedDescriptor(socket)) }
    }

    private func finish() {
        asked.finish()
        let (state, isInputClosed) = state.withLock { state in
            state.isOver = true
            defer { (state.readers, state.writer, state.waiters) = ([nil, nil], nil, []) }
            return (state, state.isInputClosed)
        }
        if !isInputClosed { close(child.input) }
        close(child.output)
        close(child.errors)
        for reader in state.readers { reader?.resume(returning: nil) }
        state.writer?.resume(returning: false)
        for waiter in state.waiters { waiter.resume() }
    }
}

/// A local pseudo-terminal between bridge-ssh and ssh. ssh takes the modes and the size of the remote terminal from it, and
/// makes it raw, so that all bytes pass unaltered (sshtty.c: enter_raw_mode).
final class OpenSSHTerminal: Sendable {
    private let owned: OwnedDescriptor
    private let other: Mutex<OwnedDescriptor?>
    /// ptsname(3) has one buffer for all threads.
    private static let opening = Mutex(())

    /// This process's end.
    var ourEnd: Int32 { owned.number }
    /// The end for ssh; nil once it was closed here.
    var peerEnd: Int32? { other.withLock { $0?.number } }

    /// - Throws: `UsageProblem` if the system has no free pseudo-terminal.
    init(_ options: SSHPTYOptions) throws {
        var (ourEnd, peerEnd): (Int32, Int32) = (-1, -1)
        let problem = Self.opening.withLock { _ in bridge_open_terminal(&ourEnd, &peerEnd) }
        guard problem == 0 else {
            throw UsageProblem(
                field: "--tty", problem: "no local terminal can be made for ssh: \(String(cString: strerror(problem)))")
        }
        owned = OwnedDescriptor(ourEnd)
        other = Mutex(OwnedDescriptor(peerEnd))
        var modes = termios()
        if tcgetattr(0, &modes) == 0 { _ = tcsetattr(peerEnd, TCSANOW, &modes) }
        resize(columns: options.columns, rows: options.rows)
    }

    /// Closes the end for ssh, which has its own copy: then the terminal ends when ssh ends.
    func closePeerEnd() { other.withLock { $0 = nil } }

    func resize(columns: Int, rows: Int) {
        var size = winsize()
        (size.ws_col, size.ws_row) = (UInt16(clamping: columns), UInt16(clamping: rows))
        _ = ioctl(ourEnd, UInt(TIOCSWINSZ), &size)
    }
}
