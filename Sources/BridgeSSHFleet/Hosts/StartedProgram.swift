internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A program that runs until it ends, or is killed together with its descendants.
struct StartedProgram {
    enum End {
        /// The program ended by itself: its output, and its status from waitpid.
        case ended([UInt8], Int32)
        /// It was killed at the deadline.
        case late
        /// It was killed because it printed too much.
        case tooMuch
        /// It was killed because its output could not be read; `errno` says why.
        case unreadable(errno: Int32)
    }

    /// The supervisors of running programs, for a process that must exit at once.
    private static let running = Mutex<Set<pid_t>>([])

    let process: pid_t
    /// The read end of the pipe from the program's standard output.
    let output: Int32
    let deadline: ContinuousClock.Instant

    /// Starts a program under a supervisor. Holds the lock, so no program runs without being listed in `running`.
    static func start(_ program: LocalProgram) throws(LocalProgram.StartFailure) -> pid_t {
        let result = running.withLock { running in
            Result { () throws(LocalProgram.StartFailure) in
                let process = try program.start()
                running.insert(process)
                return process
            }
        }
        return try result.get()
    }

    /// Kills all running programs and their descendants. The supervisors go on with that when this process has exited.
    static func endAll() {
        running.withLock { running in
            for process in running { kill(process, SIGTERM) }
        }
    }

    /// - Parameter options: the options of waitpid.
    /// - Returns: the result of waitpid.
    private func reap(_ status: inout Int32, _ options: Int32) -> pid_t {
        // Under the lock, so a process ID is signalled only while it still belongs to the child.
        Self.running.withLock { running in
            let found = waitpid(process, &status, options)
            if found == process { running.remove(process) }
            return found
        }
    }

    private var millisecondsLeft: Int32 {
        let left = deadline - .now
        guard left > .zero else { return 0 }
        return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// Reads the output to its end, then waits for the program to end. The process is always reaped, even if it was killed.
    func wait(maximumOutput: Int) -> End {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var event = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let count = poll(&event, 1, millisecondsLeft)
            if count == 0 { return killed(.late) }
            if count < 0, errno == EINTR { continue }
            let length = count < 0 ? -1 : buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
            if length < 0 {
                if errno == EINTR { continue }
                return killed(.unreadable(errno: errno))
            }
            if length == 0 { break }
            bytes.append(contentsOf: buffer[..<length])
            if bytes.count > maximumOutput { return killed(.tooMuch) }
        }
        // The program may have closed its output and still be running.
        while true {
            var status: Int32 = 0
            let found = reap(&status, WNOHANG)
            if found == process { return .ended(bytes, status) }
            if found < 0, errno != EINTR { return .unreadable(errno: errno) }
            if deadline < .now { return killed(.late) }
            // Most programs end right after their output; the pause is for the others.
            usleep(2000)
        }
    }

    private func killed(_ end: End) -> End {
        kill(process, SIGTERM)
        var status: Int32 = 0
        while reap(&status, 0) < 0, errno == EINTR {}
        return end
    }
}

/// Runs the programs that print inventories and groups.
public enum LocalHostPrograms {
    /// The longest time that a program may run.
    private static let timeLimit: Duration = .seconds(120)

    /// Runs a program in this process's environment and waits for its end. Its standard error goes to this process's. If it takes
    /// more than 120 seconds or prints more than 256 MiB, it is killed with its descendants.
    ///
    /// - Throws: ``HostSetProblem`` if the program cannot be started, is killed, does not end with status 0, or prints bytes
    ///   that are not UTF-8.
    public static func run(_ program: HostProgram) throws -> String {
        try run(program, timeLimit: timeLimit, maximumOutput: 256 << 20)
    }

    static func run(_ program: HostProgram, timeLimit: Duration, maximumOutput: Int) throws -> String {
        guard let name = program.arguments.first else { return "" }
        func problem(_ text: String) -> HostSetProblem {
            HostSetProblem(.programFailed, "\(text)", location: .init(file: name))
        }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw problem("No pipe to the program: \(String(cString: strerror(errno))).") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var local = localProgram(program)
        local.output = ends[1]
        local.errors = nil
        local.defaultSignals = LocalProgram.writeSignals + [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        local.isSupervised = true
        let process: pid_t
        do throws(LocalProgram.StartFailure) {
            process = try StartedProgram.start(local)
        } catch {
            close(ends[0])
            close(ends[1])
            throw problem("The program cannot be started: \(error.text).")
        }
        close(ends[1])
        let output = StartedProgram(process: process, output: ends[0], deadline: .now + timeLimit)
        defer { close(ends[0]) }
        let (bytes, status): ([UInt8], Int32)
        switch output.wait(maximumOutput: maximumOutput) {
        case .ended(let its, let end): (bytes, status) = (its, end)
        case .late: throw problem("The program did not end within \(timeLimit.components.seconds) s, and was killed.")
        case .tooMuch: throw problem("The program printed more than \(maximumOutput) bytes, and was killed.")
        case .unreadable(let number): throw problem("The program's output cannot be read: \(String(cString: strerror(number))).")
        }
        guard status == 0 else {
            let end = status & 0x7F == 0 ? "status \((status >> 8) & 0xFF)" : "signal \(status & 0x7F)"
            throw problem("The program ended with \(end).")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problem("The program's output is not valid UTF-8.")
        }
        return text
    }

    /// Kills all running programs and their descendants, for a process that must exit at once.
    package static func endAll() { StartedProgram.endAll() }

    private static func localProgram(_ program: HostProgram) -> LocalProgram {
        guard let directory = program.directory else {
            return LocalProgram(program.arguments[0], Array(program.arguments.dropFirst()))
        }
        return LocalProgram("/bin/sh", ["-c", "cd -- \"$1\" && shift && exec \"$@\"", "sh", directory] + program.arguments)
    }
}
