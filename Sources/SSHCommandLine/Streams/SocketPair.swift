#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Two stream sockets that are connected to each other, and that no other program inherits.
enum SocketPair {
    /// Nil without descriptors left.
    ///
    /// - Returns: one that the caller closes, and one to be passed on.
    static func make() -> (ours: Int32, theirs: OwnedDescriptor)? {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], OwnedDescriptor(ends[1]))
    }
}
