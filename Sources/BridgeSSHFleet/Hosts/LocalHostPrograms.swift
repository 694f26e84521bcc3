#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Runs the programs that print inventories and groups.
public enum LocalHostPrograms {
    /// The largest output that is taken: 256 MiB.
    private static let maximumOutput = 256 << 20

    /// Runs a program in this process's environment, with its standard error on this process's, and waits for its end.
    ///
    /// - Throws: ``HostSetProblem`` if it cannot be started, does not end with status 0, or prints what is not UTF-8.
    public static func run(_ program: HostProgram) throws -> String {
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
        let process: pid_t
        do throws(LocalProgram.StartFailure) {
            process = try local.start()
        } catch {
            close(ends[0])
            close(ends[1])
            throw problem("The program cannot be started: \(error.text).")
        }
        close(ends[1])
        let output = Result { try LocalFiles.read(ends[0], name) }
        close(ends[0])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let bytes = try output.get()
        guard status == 0 else {
            let end = status & 0x7F == 0 ? "status \((status >> 8) & 0xFF)" : "signal \(status & 0x7F)"
            throw problem("The program ended with \(end).")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problem("The program's output is not valid UTF-8.")
        }
        return text
    }

    private static func localProgram(_ program: HostProgram) -> LocalProgram {
        guard let directory = program.directory else {
            return LocalProgram(program.arguments[0], Array(program.arguments.dropFirst()))
        }
        return LocalProgram("/bin/sh", ["-c", "cd -- \"$1\" && shift && exec \"$@\"", "sh", directory] + program.arguments)
    }
}
