import CProcessGuard

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A program of this machine that reads nothing, and whose signals are as if we had never changed ours.
struct LocalProcess {
    private let program: String
    private let arguments: [String]
    /// Whether a name without a slash is looked for in PATH.
    var searchesPath = false
    /// Where its standard output goes; nil throws it away.
    var output: Int32?
    /// A variable of our environment that it does not get.
    var dropsVariable: String?

    init(_ program: String, _ arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Starts it; whoever does waits for its end.
    ///
    /// - Returns: nil, with the reason in errno, if it cannot be started.
    func start() -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        // What this process blocks and ignores is no business of the command.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigemptyset(&all)
        for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGWINCH] where number == SIGPIPE || !ProcessSetup.isIgnored(number) {
            sigaddset(&all, number)
        }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let number = withArgumentVector([program] + arguments) { words in
            withEnvironment { environment in
                searchesPath
                    ? posix_spawnp(&process, program, &actions, &attributes, words, environment)
                    : posix_spawn(&process, program, &actions, &attributes, words, environment)
            }
        }
        guard number == 0 else {
            errno = number
            return nil
        }
        return process
    }

    private func withEnvironment<Result>(
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        guard let dropsVariable, var next = bridge_environment() else { return body(bridge_environment()) }
        var kept: [UnsafeMutablePointer<CChar>?] = []
        while let entry = next.pointee {
            if strncmp(entry, dropsVariable + "=", dropsVariable.utf8.count + 1) != 0 { kept.append(entry) }
            next += 1
        }
        kept.append(nil)
        return kept.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
