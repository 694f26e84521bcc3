/// Two connected stream sockets that no other program inherits.
enum SocketPair {
    /// - Returns: a descriptor that the caller closes, and one to pass on; nil if no descriptor is left.
    static func make() -> (ours: Int32, theirs: OwnedDescriptor)? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, LocalSocket.stream, 0, &ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], OwnedDescriptor(ends[1]))
    }
}

/// System calls for sockets with a path (unix(7)). Those that return false set errno(3).
enum LocalSocket {
    #if canImport(Darwin)
        static let (stream, datagrams) = (SOCK_STREAM, SOCK_DGRAM)
    #else
        static let (stream, datagrams) = (Int32(SOCK_STREAM.rawValue), Int32(SOCK_DGRAM.rawValue))
    #endif

    /// A socket that no other program inherits.
    static func newSocket(_ kind: Int32 = stream) -> Int32 {
        let descriptor = socket(AF_UNIX, kind, 0)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }

    static func connectSocket(_ descriptor: Int32, to path: String) -> Bool {
        withAddress(path) { connect(descriptor, $0, $1) }
    }

    static func bindSocket(_ descriptor: Int32, to path: String) -> Bool {
        withAddress(path) { bind(descriptor, $0, $1) }
    }

    /// Listens. From then on other processes see the calling process as their peer.
    static func listenSocket(_ descriptor: Int32) -> Bool { listen(descriptor, 128) == 0 }

    private static func withAddress(_ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { memory in
            guard path.utf8.count < memory.count else { return false }
            memory.copyBytes(from: path.utf8)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return false
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 }
        }
    }
}

/// A descriptor that is closed when its last reference is released.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
