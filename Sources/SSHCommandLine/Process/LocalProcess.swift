import BridgeSSH
import Synchronization

/// A local program that reads nothing. It starts with the signal dispositions that this process had at its own start.
struct LocalProcess {
    /// The running programs, which ``endAll()`` ends.
    private static let running = Mutex<Set<pid_t>>([])

    private var program: LocalProgram
    /// Whether to search PATH for a name without a slash.
    var searchesPath: Bool {
        get { program.searchesPath }
        set { program.searchesPath = newValue }
    }
    /// The descriptor for its standard output; nil discards it.
    var output: Int32? {
        get { program.output }
        set { program.output = newValue }
    }

    init(_ path: String, _ arguments: [String]) {
        program = LocalProgram(path, arguments)
        // The program gets the default handling of these signals, except for signals that nohup(1) made this process ignore.
        program.defaultSignals =
            LocalProgram.writeSignals + [SIGINT, SIGTERM, SIGHUP, SIGWINCH].filter { !ProcessSetup.isIgnored($0) }
    }

    /// Removes a variable from the program's environment.
    mutating func drop(variable: String) { program.environment = .inherited(without: variable) }

    /// Starts the program. The caller waits for its end with ``reap(_:)``.
    ///
    /// - Returns: nil, with the reason in errno, if the program cannot be started.
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

    /// The status from waitpid(2) of a program that has ended.
    ///
    /// - Returns: nil while the program runs; the status of a killed program if there is no such child.
    static func reap(_ process: pid_t) -> Int32? {
        // Under the lock: a process number may be signalled only while it belongs to the child.
        running.withLock { running in
            var status: Int32 = 0
            let result = waitpid(process, &status, WNOHANG)
            if result == 0 || (result < 0 && errno == EINTR) { return nil }
            running.remove(process)
            return result == process ? status : SIGKILL
        }
    }

    /// Blocks until the program has ended. Does not reap it.
    static func wait(for process: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Ends the running programs and their descendants when this process exits at once: by SIGTERM, and a moment later by
    /// SIGKILL.
    static func endAll() { running.withLock { running in end(all: running) } }

    /// Ends one of them in the same way. Does nothing if it has been reaped. Blocks briefly.
    ///
    /// - Parameter steps: how many times 5 ms the program may take to end after SIGTERM.
    static func end(_ process: pid_t, steps: Int = 10) {
        running.withLock { running in end(all: running.intersection([process]), steps: steps) }
    }

    private static func end(all programs: Set<pid_t>, steps: Int = 10) {
        guard !programs.isEmpty else { return }
        let descendants = ProcessFamily.descendants(of: programs)
        // The shell first: otherwise it would start its next command when it sees the current one end.
        for process in programs { kill(process, SIGTERM) }
        for _ in 0..<steps where !programs.allSatisfy(hasEnded) { usleep(5000) }
        for process in programs { kill(process, SIGKILL) }
        for process in descendants where getsid(process) == getsid(0) { kill(process, SIGTERM) }
        for _ in 0..<10 where descendants.contains(where: { getsid($0) == getsid(0) }) { usleep(2000) }
        for process in descendants where getsid(process) == getsid(0) { kill(process, SIGKILL) }
    }

    /// Whether a child has ended. It stays a zombie until it is reaped, so its number is not reused.
    static func hasEnded(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | WNOHANG) != 0 || information.si_signo != 0
    }
}

/// Runs a command from the user's configuration with the user's shell (`Match exec`).
enum ShellCommand {
    /// Runs the command to its end. It reads nothing, and its standard output is discarded, as in ssh(1).
    ///
    /// - Returns: the exit status; nil if it could not be started or was killed.
    static func run(_ command: String, shell: String) -> Int? {
        guard let process = LocalProcess(shell, ["-c", command]).start() else { return nil }
        LocalProcess.wait(for: process)
        FinalReportClaim.stayIfTaken()
        guard let status = LocalProcess.reap(process) else { return nil }
        guard status & 0x7F == 0 else {
            // The terminal's ^C also signals this process. Wait for that signal, because it says more than the command's end.
            usleep(50_000)
            FinalReportClaim.stayIfTaken()
            return nil
        }
        return Int(status >> 8 & 0xFF)
    }
}

/// Finds the descendants of processes. A process group would identify them too, but it could not use the terminal.
enum ProcessFamily {
    /// - Returns: all descendants of `ancestors` that the system lists, without the ancestors.
    static func descendants(of ancestors: Set<pid_t>) -> Set<pid_t> {
        var family = ancestors
        let parents = parents()
        // A child may have a smaller number than its parent.
        var isGrowing = true
        while isGrowing {
            let children = parents.filter { family.contains($0.value) && !family.contains($0.key) }.keys
            isGrowing = !children.isEmpty
            family.formUnion(children)
        }
        return family.subtracting(ancestors)
    }

    /// The parent of every process; empty without proc(5).
    private static func parents() -> [pid_t: pid_t] {
        guard let stream = opendir("/proc") else { return [:] }
        defer { closedir(stream) }
        var parents: [pid_t: pid_t] = [:]
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let process = pid_t(name), let parent = parent(of: process) { parents[process] = parent }
        }
        return parents
    }

    /// The fourth field of proc_pid_stat(5). The second, in parentheses, may contain any characters.
    private static func parent(of process: pid_t) -> pid_t? {
        let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { memory, count in
            count = max(0, read(descriptor, memory.baseAddress, memory.count))
        }
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = String(decoding: bytes[bytes.index(after: end)...], as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? pid_t(fields[1]) : nil
    }
}
