#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The limit on this process's file descriptors.
package enum DescriptorLimit {
    /// Descriptors kept for other uses than connections: streams, event loops, files, agent, journal.
    private static let reserve = 64

    /// The current limit on this process's descriptors.
    package static var current: Int { Int(clamping: limits.rlim_cur) }

    /// The number of hosts that may be connected at the same time.
    package static var hostsAtOnce: Int { max(1, current - reserve) }

    /// The number of files that one connection may copy at the same time. Each needs two descriptors, with its directory's; the
    /// process itself has streams, an event loop, a socket and an agent.
    package static var copiesAtOnce: Int { max(1, (current - 14) / 2) }

    /// Raises the soft limit towards the hard limit, as far as it helps. Child processes started later inherit it.
    package static func raise() {
        var limits = limits
        limits.rlim_cur = min(limits.rlim_max, maximumLimit)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        #else
            setrlimit(RLIMIT_NOFILE, &limits)
        #endif
    }

    private static let maximumLimit: rlim_t = 65536

    private static var limits: rlimit {
        var limits = rlimit(rlim_cur: 1024, rlim_max: 1024)
        #if canImport(Glibc)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        #else
            getrlimit(RLIMIT_NOFILE, &limits)
        #endif
        return limits
    }
}
