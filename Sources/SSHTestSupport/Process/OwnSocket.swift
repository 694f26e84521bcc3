import Foundation
import Glibc

/// A TCP socket that a descriptor of this process refers to.
public struct OwnSocket: Sendable {
    /// The socket's inode, which no later socket gets soon.
    public let inode: UInt
    /// The port that the socket is bound to.
    public let port: Int
    /// The port that the socket is connected to; nil if it is not connected.
    public let peerPort: Int?
    /// Whether the socket accepts connections.
    public let listens: Bool

    /// All of them, from /proc/self/fd. A reader of /proc/net/tcp misses sockets while others are opened and closed.
    public static func all() throws -> [OwnSocket] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0).flatMap(OwnSocket.init) }
    }

    private init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let port = Self.port(of: descriptor, getsockname) else { return nil }
        inode = status.st_ino
        self.port = port
        peerPort = Self.port(of: descriptor, getpeername)
        var accepts: Int32 = 0
        var size = socklen_t(MemoryLayout.size(ofValue: accepts))
        listens = getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) == 0 && accepts != 0
    }

    private static func port(
        of descriptor: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> Int? {
        // The port of an IPv6 address is at the same place (sockaddr_in6).
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout.size(ofValue: address))
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &size) }
        }
        guard result == 0, [AF_INET, AF_INET6].contains(Int32(address.sin6_family)) else { return nil }
        return Int(UInt16(bigEndian: address.sin6_port))
    }
}
