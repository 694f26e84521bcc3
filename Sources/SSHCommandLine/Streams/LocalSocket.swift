/// Two connected stream sockets that no other program inherits.
enum SocketPair {
    /// - Returns: a descriptor that the caller closes, and one to pass on; nil if no descriptor is left.
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

/// System calls for sockets with a path (unix(7)).
enum LocalSocket {
    static func newSocket() -> Int32 {
        #if canImport(Darwin)
            let descriptor = Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }

    static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { memory in
            guard path.utf8.count < memory.count else { return false }
            memory.copyBytes(from: path.utf8)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return -1
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    static func connectSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        #if canImport(Darwin)
            Darwin.connect(descriptor, address, length)
        #else
            Glibc.connect(descriptor, address, length)
        #endif
    }

    static func bindSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        bind(descriptor, address, length)
    }

    /// Listens. From then on other processes see the calling process as their peer.
    static func listenSocket(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.listen(descriptor, 128)
        #else
            Glibc.listen(descriptor, 128)
        #endif
    }
}

/// A descriptor that is closed when its last reference is released.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
