import BridgeSSH

/// `read(2)`, under a name that no method hides.
func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

/// `write(2)`, under a name that no method hides.
func writeBytes(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}

/// `accept(2)`, under a name that no method hides. No other program inherits the connection.
func acceptConnection(_ listener: Int32) -> Int32 {
    let descriptor = accept(listener, nil, nil)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
}

/// The ends of a pipe that no other program inherits; nil, with errno(3), if no descriptor is left.
func openPipe() -> (readEnd: Int32, writeEnd: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}

/// Waits without a time limit until a descriptor is ready, or `alarm` is. Returns true for the descriptor.
///
/// - Parameter alarm: a descriptor; -1 for none, which poll(2) passes over.
@discardableResult func waitUntilReady(_ descriptor: Int32, _ events: Int32, unless alarm: Int32 = -1) -> Bool {
    var watched = [
        pollfd(fd: descriptor, events: Int16(events), revents: 0), pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
    ]
    while true {
        let ready = poll(&watched, nfds_t(watched.count), -1)
        if ready < 0, errno == EINTR { continue }
        return watched[1].revents == 0
    }
}

/// Calls `body` with the arguments in the form for execve(2).
func withArgumentVector<Result>(_ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = arguments.map { PathText.withCString($0) { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}

/// Compares the standard descriptors.
package enum StandardDescriptors {
    /// Whether standard output and standard error go to the same terminal, pipe or file.
    package static var areOne: Bool {
        var (output, error) = (stat(), stat())
        guard fstat(1, &output) == 0, fstat(2, &error) == 0 else { return false }
        return output.st_dev == error.st_dev && output.st_ino == error.st_ino
    }
}

/// Memory that held a secret.
enum SecretMemory {
    /// Overwrites the memory in a way that the compiler does not optimise away.
    static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        guard let base = memory.baseAddress, memory.count > 0 else { return }
        explicit_bzero(base, memory.count)
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
