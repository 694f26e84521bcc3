import BridgeSSH
import CLocalSocket

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The files of one helper: its socket, and the lock that it holds for as long as others may be sent to it.
struct HelperFiles: FieldCoded, Equatable {
    var directory = ""
    var name = ""

    static var blank: HelperFiles { HelperFiles() }
    static let socketEnding = ".sock"
    /// Names of hosts and users are shorter.
    private static let longestRecord = 4096

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&directory)
        try coder.code(&name)
    }

    var socket: String { "\(directory)/\(name)\(Self.socketEnding)" }
    private var lockFile: String { "\(directory)/\(name).lock" }

    // MARK: Reaching the helper

    enum Reach {
        case socket(FrameSocket)
        /// No process listens there.
        case absent
        /// A process listens that is not to be trusted or does not accept this run.
        case unusable(String)
    }

    /// Connects to the helper.
    ///
    /// - Parameter seconds: how long to wait for one whose queue is full.
    func connect(within seconds: Int) -> Reach {
        let descriptor = LocalSocket.newSocket()
        guard descriptor >= 0 else { return .unusable(String(cString: strerror(errno))) }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let frames = FrameSocket(descriptor: descriptor)
        guard LocalSocket.withAddress(socket, { LocalSocket.connectSocket(descriptor, $0, $1) }) == 0 else {
            let number = errno
            if number == ENOENT || number == ECONNREFUSED { return .absent }
            return .unusable(number == EAGAIN ? "its queue is full" : String(cString: strerror(number)))
        }
        limit.tv_sec = 0
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard frames.peer?.user == geteuid() else { return .unusable("it belongs to another user") }
        return .socket(frames)
    }

    // MARK: Becoming the one who starts it

    /// There can be no lock.
    struct Problem: Error {
        /// strerror(3).
        let text: String

        fileprivate init() { text = String(cString: strerror(errno)) }
    }

    /// Takes the lock, and empties its file.
    ///
    /// - Returns: nil if another process holds it.
    /// - Throws: `Problem` if the file cannot be made, opened or locked.
    func lock() throws(Problem) -> OwnedDescriptor? {
        while true {
            let descriptor = open(lockFile, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw Problem() }
            let lock = OwnedDescriptor(descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw Problem() }
                return nil
            }
            // Its last holder may have removed the file between our two calls: then the lock is on a file without a name, and
            // worthless.
            var (held, named) = (stat(), stat())
            guard fstat(descriptor, &held) == 0 else { throw Problem() }
            guard lstat(lockFile, &named) == 0, named.st_ino == held.st_ino, named.st_dev == held.st_dev else { continue }
            // What a dead helper has left must not be taken for the next one's.
            guard ftruncate(descriptor, 0) == 0 else { throw Problem() }
            return lock
        }
    }

    /// What the lock file says of the helper; nil if it says nothing.
    func record() -> HelperRecord? {
        let descriptor = open(lockFile, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.longestRecord) { memory, count in
            count = max(0, read(descriptor, memory.baseAddress, memory.count))
        }
        return HelperRecord(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Listens at the socket's path, in place of whatever was there. Only under the lock.
    func listen() -> OwnedDescriptor? {
        let descriptor = LocalSocket.newSocket()
        guard descriptor >= 0 else { return nil }
        let listener = OwnedDescriptor(descriptor)
        // The socket must not be found by its name before it listens and only this user may connect.
        let new = "\(directory)/\(name).new"
        unlink(new)
        guard LocalSocket.withAddress(new, { LocalSocket.bindSocket(descriptor, $0, $1) }) == 0, chmod(new, 0o600) == 0,
            LocalSocket.listenSocket(descriptor) == 0, rename(new, socket) == 0
        else {
            unlink(new)
            return nil
        }
        return listener
    }

    /// Takes the helper's files away. Only under the lock, which ends with this.
    func remove() {
        unlink(socket)
        unlink(lockFile)
    }

    /// Takes the files of a dead helper away.
    ///
    /// - Returns: false if it is not dead.
    func removeIfAbandoned() -> Bool {
        guard let lock = try? lock() else { return false }
        return withExtendedLifetime(lock) {
            remove()
            return true
        }
    }
}
