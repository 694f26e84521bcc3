internal import CProcessGuard
internal import Synchronization

#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// A child process with pipes at its standard streams. It is signalled only while it exists, and reaped exactly once.
package final class ChildProcess: Sendable {
    /// This process's end of its standard input, output and error.
    package let input: Int32
    package let output: Int32
    package let errors: Int32
    package let id: pid_t
    private let hasOwnGroup: Bool
    private let state = Mutex<State>(.running)

    private enum State {
        case running
        case reaped(status: Int32?)
    }

    /// The signals that ask a child to end, in this order: ssh(1) sends a proxy command SIGHUP.
    static let endingSignals = [SIGHUP, SIGTERM]
    /// The running children, for a process that exits at once.
    private static let running = Mutex<[pid_t: ChildProcess]>([:])

    /// Held while pipes are made: a pipe that is not close-on-exec at once could be inherited by another child.
    private static let starting = Mutex(())

    private init(id: pid_t, hasOwnGroup: Bool, input: Int32, output: Int32, errors: Int32) {
        self.id = id
        self.hasOwnGroup = hasOwnGroup
        self.input = input
        self.output = output
        self.errors = errors
    }

    /// Runs `shell -c script`.
    static func start(
        shell: String, script: String, environment: [String]
    ) throws(LocalProgram.StartFailure) -> ChildProcess {
        try start(shell, ["-c", script], environment: environment)
    }

    /// Runs the program at a path.
    static func start(
        _ path: String, _ arguments: [String], environment: [String]
    ) throws(LocalProgram.StartFailure) -> ChildProcess {
        var program = LocalProgram(path, arguments)
        program.environment = .variables(environment)
        return try start(program)
    }

    /// Runs a program. A process with its own group is signalled together with that group.
    ///
    /// - Parameter socket: carries its standard input and output in place of two pipes; the caller closes it.
    package static func start(
        _ program: LocalProgram, over socket: Int32? = nil
    ) throws(LocalProgram.StartFailure) -> ChildProcess {
        let result = starting.withLock { _ in
            Result { () throws(LocalProgram.StartFailure) in try spawn(program, socket) }
        }
        let child = try result.get()
        running.withLock { $0[child.id] = child }
        return child
    }

    private static func spawn(_ program: LocalProgram, _ socket: Int32?) throws(LocalProgram.StartFailure) -> ChildProcess {
        var pipes: [[Int32]] = []
        var isStarted = false
        defer { if !isStarted { for end in pipes.joined() { close(end) } } }
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            let number = bridge_open_pipe(&ends)
            guard number == 0 else { throw LocalProgram.StartFailure(errno: number) }
            pipes.append(ends)
        }
        var program = program
        (program.input, program.output, program.errors) = (socket ?? pipes[0][0], socket ?? pipes[1][1], pipes[2][1])
        // This process handles ^C: it ends the remote command in order, and then the child. The child need not ignore the
        // signals that this process ignores.
        program.blockedSignals = [SIGINT]
        program.defaultSignals = LocalProgram.writeSignals
        let process = try program.start()
        isStarted = true
        for end in [pipes[0][0], pipes[1][1], pipes[2][1]] { close(end) }
        return ChildProcess(
            id: process, hasOwnGroup: program.hasOwnGroup, input: pipes[0][1], output: pipes[1][0], errors: pipes[2][0])
    }

    // MARK: Its end

    /// Waits for the end and takes the status. Blocks the thread, once in the life of a child.
    package func reap() {
        var information = siginfo_t()
        // It stays a zombie, so that its number is not reused, until the lock is held.
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        state.withLock { state in
            var status: Int32 = 0
            let isOurs = waitpid(id, &status, WNOHANG) == id
            state = .reaped(status: isOurs ? status : nil)
        }
        Self.running.withLock { $0[id] = nil }
    }

    package var hasEnded: Bool { state.withLock { if case .reaped = $0 { true } else { false } } }

    /// The next bytes of its standard error, without waiting; empty at the end, nil if there are none now.
    func readErrors() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(errors, $0) }
            if count >= 0 { return Array(buffer[..<count]) }
            guard errno == EINTR else { return nil }
        }
    }

    /// The status, 128 + n where signal n ended it; nil while it runs.
    package var exitStatus: Int? { end.map { $0.signal.map { 128 + $0 } ?? $0.status } }

    /// Its end: a status or a signal; nil while it runs.
    package var end: (status: Int, signal: Int?)? {
        state.withLock { state in
            guard case .reaped(let status?) = state else { return nil }
            return (Int(status >> 8 & 0xFF), status & 0x7F == 0 ? nil : Int(status & 0x7F))
        }
    }

    package func send(_ number: Int32) {
        state.withLock { state in
            if case .running = state { Self.signal(hasOwnGroup ? -id : id, number) }
        }
    }

    package func kill() { send(SIGKILL) }

    /// Ends every child before this process exits: first by request, and a moment later by force.
    package static func hangUpAll() {
        let children = running.withLock { Array($0.values) }
        guard !children.isEmpty else { return }
        for child in children { child.send(SIGHUP) }
        for _ in 0..<10 where !children.allSatisfy(\.hasEnded) { usleep(5000) }
        for child in children { child.kill() }
    }

    private static func signal(_ id: pid_t, _ number: Int32) { systemKill(id, number) }
}

private func systemKill(_ id: pid_t, _ number: Int32) { _ = kill(id, number) }

private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, memory.baseAddress, memory.count)
}
