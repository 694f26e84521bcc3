import BridgeSSH
import CProcessGuard
import SSHRun

/// Sets the process up before anything else happens.
enum ProcessSetup {
    /// Signals that end a run in order. SIGQUIT is one of them because its default action would not restore the terminal.
    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The signals that are blocked in every thread, and that `SignalWatch` receives one by one. They end a run, stop and
    /// continue it, or report the terminal's new size.
    static var watchedSignals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in endingSignals + [SIGTSTP] where !isIgnored(number) { sigaddset(&set, number) }
        for number in [SIGCONT, SIGWINCH] { sigaddset(&set, number) }
        return set
    }

    /// Sets everything up. Must come before any thread starts, because threads inherit these settings.
    static func prepare() {
        bridge_use_one_arena()
        openStandardDescriptors()
        // A failed write returns an error instead of a signal: at a closed pipe, and beyond the limit on the size of a file
        // (ulimit -f).
        for number in LocalProgram.writeSignals { signal(number, SIG_IGN) }
        // If a parent made this process ignore SIGCHLD, the system would discard the exit statuses of its children.
        signal(SIGCHLD, SIG_DFL)
        forbidMemoryDumps()
        blockSignals()
    }

    /// Opens closed standard descriptors: otherwise the next file or socket would get the number, and the command's output.
    /// Writing to standard output still fails then, so output that is lost is not a success. Standard error may be missing.
    private static func openStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Forbids core files, which would contain passwords and keys.
    private static func forbidMemoryDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Darwin)
            setrlimit(RLIMIT_CORE, &none)
        #else
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #endif
        _ = bridge_forbid_memory_dumps()
    }

    /// Checks that the process may open the descriptors, and has the memory for the threads, that every run needs. The event loop
    /// ends the process if it gets no descriptor, and Dispatch waits forever for a thread that cannot be created.
    ///
    /// - Throws: `UsageProblem`.
    static func checkLimits(openFiles least: Int) throws {
        let limit = DescriptorLimit.current
        if limit < least {
            throw UsageProblem(
                field: "ulimit -n",
                problem: "this process may open \(limit) files, and needs \(least); raise the limit: `ulimit -n 1024`")
        }
        guard let memory = softLimit(ofMemory: true),
            !isFree(minimumThreads * min(softLimit(ofMemory: false) ?? 2 << 20, 1 << 30))
        else {
            return
        }
        throw UsageProblem(
            field: "ulimit -v",
            problem: "this process may use \(memory >> 10) kB of memory, too few for its threads; raise the limit: "
                + "`ulimit -v unlimited`")
    }

    private static let minimumThreads = 3

    /// The limit on the process's memory, or on a stack, in bytes; nil if there is none.
    private static func softLimit(ofMemory: Bool) -> Int? {
        var limits = rlimit()
        #if canImport(Darwin)
            getrlimit(ofMemory ? RLIMIT_AS : RLIMIT_STACK, &limits)
        #else
            getrlimit(__rlimit_resource_t((ofMemory ? RLIMIT_AS : RLIMIT_STACK).rawValue), &limits)
        #endif
        let limit = Int(clamping: limits.rlim_cur)
        return limit == .max ? nil : limit
    }

    /// Whether the process may use this much more memory.
    private static func isFree(_ count: Int) -> Bool {
        let memory = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
        // MAP_FAILED is -1.
        guard let memory, Int(bitPattern: memory) != -1 else { return false }
        munmap(memory, count)
        return true
    }

    private static func blockSignals() {
        var set = watchedSignals
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Whether a signal was already ignored when the process started, by nohup(1) or for a shell's background job. It stays
    /// ignored.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The name and version of this program.
enum Product {
    static let version = "0.2.0-dev"
}
