import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Takes signals one by one on a thread of its own, where everything may be done that a handler may not.
enum SignalWatch {
    /// Starts it, for the rest of the process's life.
    static func start(_ handle: @escaping @Sendable (Int32) -> Void) {
        DispatchQueue(label: "signals").async {
            var set = sigset_t()
            sigemptyset(&set)
            for number in ProcessSetup.endingSignals where !ProcessSetup.isIgnored(number) { sigaddset(&set, number) }
            sigaddset(&set, SIGWINCH)
            while true {
                var number: Int32 = 0
                if sigwait(&set, &number) == 0 { handle(number) }
            }
        }
    }

    /// The name without SIG, as SSH has it (RFC 4254 section 6.10).
    static func name(of number: Int32) -> String {
        switch number {
        case SIGTERM: "TERM"
        case SIGHUP: "HUP"
        default: "INT"
        }
    }
}
