import BridgeSSH

/// Two connected stream sockets that no other program inherits.
enum SocketPair {
    /// - Returns: a descriptor that the caller closes, and one to pass on; nil if no descriptor is left.
    static func make() -> (ourEnd: Int32, peerEnd: OwnedDescriptor)? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, LocalSocket.stream, 0, &ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], OwnedDescriptor(ends[1]))
    }
}

/// A descriptor that is closed when its last reference is released.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}
