#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A command of the user's configuration, run by the user's shell (`Match exec`).
enum ShellCommand {
    /// Waits for its end. It reads nothing, and what it writes to standard output is thrown away, as ssh(1) has it.
    ///
    /// - Returns: the exit status; nil if it could not be started or was killed.
    static func run(_ command: String, shell: String) -> Int? {
        guard let process = LocalProcess(shell, ["-c", command]).start() else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : nil
    }
}
