#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A command of the user's configuration, run by the user's shell (`Match exec`).
enum ShellCommand {
    /// Waits for its end. It reads nothing, and its standard output is discarded, as in ssh(1).
    ///
    /// - Returns: the exit status; nil if it could not be started or was killed.
    static func run(_ command: String, shell: String) -> Int? {
        guard let process = LocalProcess(shell, ["-c", command]).start() else { return nil }
        LocalProcess.wait(for: process)
        LastWord.stayIfTaken()
        guard let status = LocalProcess.reap(process) else { return nil }
        guard status & 0x7F == 0 else {
            // The terminal's ^C was for us as well, and our own signal is on its way: it says more than the command's end.
            usleep(50_000)
            LastWord.stayIfTaken()
            return nil
        }
        return Int(status >> 8 & 0xFF)
    }
}
