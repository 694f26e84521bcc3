import CProcessGuard

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Sets the process up before anything else happens.
enum ProcessSetup {
    /// Signals that end a run in order. SIGQUIT is one of them because its default would leave the terminal as we changed it.
    private static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// What is blocked in every thread and taken one by one by `SignalWatch`: what ends a run, what stops and continues it, and the
    /// news of the terminal's size.
    static var watchedSignals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in endingSignals + [SIGTSTP] where !isIgnored(number) { sigaddset(&set, number) }
        for number in [SIGCONT, SIGWINCH] { sigaddset(&set, number) }
        return set
    }

    /// Must come before any thread is started, which inherits what is set here.
    static func prepare() {
        bridge_use_one_arena()
        openStandardDescriptors()
        signal(SIGPIPE, SIG_IGN)
        // Where a parent had it ignored, the system would keep no exit status of the programs that we start.
        signal(SIGCHLD, SIG_DFL)
        forbidMemoryDumps()
        blockSignals()
    }

    /// A closed standard descriptor would be taken by the next file or socket, and the command's output go there.
    private static func openStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
        }
    }

    /// Passwords and keys in memory must not reach a core file.
    private static func forbidMemoryDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Darwin)
            setrlimit(RLIMIT_CORE, &none)
        #else
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #endif
        _ = bridge_forbid_memory_dumps()
    }

    private static func blockSignals() {
        var set = watchedSignals
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Signals that nohup(1) or a shell's background job had set to be ignored stay ignored.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
