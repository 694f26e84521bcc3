import BridgeSSH
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A local program that reads nothing, and whose signal dispositions are as if this process had never changed its own.
struct LocalProcess {
    /// The running programs, for a process that exits at once.
    private static let running = Mutex<Set<pid_t>>([])

    private var program: LocalProgram
    /// Whether a name without a slash is looked for in PATH.
    var searchesPath: Bool {
        get { program.searchesPath }
        set { program.searchesPath = newValue }
    }
    /// Where its standard output goes; nil discards it.
    var output: Int32? {
        get { program.output }
        set { program.output = newValue }
    }

    init(_ path: String, _ arguments: [String]) {
        program = LocalProgram(path, arguments)
        // Signals whose handling the program does not inherit. What nohup(1) has ignored stays ignored.
        program.defaultSignals = [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGWINCH].filter {
            $0 == SIGPIPE || !ProcessSetup.isIgnored($0)
        }
    }

    /// The program does not inherit this variable of our environment.
    mutating func drop(variable: String) { program.environment = .inherited(without: variable) }

    /// Starts it; the caller waits for its end, with ``reap(_:)``.
    ///
    /// - Returns: nil, with the reason in errno, if it cannot be started.
    func start() -> pid_t? {
        Self.running.withLock { running in
            do throws(LocalProgram.StartFailure) {
                let process = try program.start()
                running.insert(process)
                return process
            } catch {
                errno = error.errno
                return nil
            }
        }
    }

    // MARK: Its end

    /// The status as waitpid(2) gives it, once it has ended.
    ///
    /// - Returns: nil while it runs; as if it had been killed where there is no such child.
    static func reap(_ process: pid_t) -> Int32? {
        // Under the lock, so that a number is signalled only while it is the child's.
        running.withLock { running in
            var status: Int32 = 0
            let result = waitpid(process, &status, WNOHANG)
            if result == 0 || (result < 0 && errno == EINTR) { return nil }
            running.remove(process)
            return result == process ? status : SIGKILL
        }
    }

    /// Blocks until it has ended; it is not reaped by that.
    static func wait(for process: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Ends the running programs and their descendants, for a process that exits at once: by request, and a moment later by
    /// force.
    static func endAll() { running.withLock { running in end(all: running) } }

    /// Ends one of them in the same way; nothing where it has been reaped. Blocks for a moment.
    ///
    /// - Parameter steps: how many times 5 ms it may take to end by itself.
    static func end(_ process: pid_t, steps: Int = 10) {
        running.withLock { running in end(all: running.intersection([process]), steps: steps) }
    }

    private static func end(all programs: Set<pid_t>, steps: Int = 10) {
        guard !programs.isEmpty else { return }
        let descendants = ProcessFamily.descendants(of: programs)
        // A shell that sees its command end would go on with its next one, so that it comes first.
        for process in programs { kill(process, SIGTERM) }
        for _ in 0..<steps where !programs.allSatisfy(hasEnded) { usleep(5000) }
        for process in programs { kill(process, SIGKILL) }
        for process in descendants where getsid(process) == getsid(0) { kill(process, SIGTERM) }
        for _ in 0..<10 where descendants.contains(where: { getsid($0) == getsid(0) }) { usleep(2000) }
        for process in descendants where getsid(process) == getsid(0) { kill(process, SIGKILL) }
    }

    /// A child that has ended stays a zombie until it is reaped, so that its number is not reused.
    static func hasEnded(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG) != 0 || information.si_signo != 0
    }
}
