import CProcessGuard

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
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
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
        return withArguments([shell, "-c", command]) { arguments in
            var process: pid_t = 0
            guard posix_spawn(&process, shell, &actions, &attributes, arguments, bridge_environment()) == 0 else { return nil }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 {
                guard errno == EINTR else { return nil }
            }
            return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : nil
        }
    }

    private static func withArguments<Result>(
        _ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = arguments.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
