#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Runs the programs that print inventories and groups.
public enum LocalHostPrograms {
    /// How long a program may take.
    private static let timeLimit: Duration = .seconds(120)

    /// Runs a program in this process's environment, with its standard error on this process's, and waits for its end: 120 s at most,
    /// and for 256 MiB of output at most. After that it is killed, with its children: it has a process group of its own.
    ///
    /// - Throws: ``HostSetProblem`` if it cannot be started, is killed, does not end with status 0, or prints what is not UTF-8.
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
        local.defaultSignals = [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        local.hasOwnGroup = true
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

    /// Ends the programs that run, and their children, for a process that exits at once.
    package static func endAll() { StartedProgram.endAll() }

    private static func localProgram(_ program: HostProgram) -> LocalProgram {
        guard let directory = program.directory else {
            return LocalProgram(program.arguments[0], Array(program.arguments.dropFirst()))
        }
        return LocalProgram("/bin/sh", ["-c", "cd -- \"$1\" && shift && exec \"$@\"", "sh", directory] + program.arguments)
    }
}
