import BridgeSSH
import CLocalSocket

/// The host and the settings for a new helper's connection. The password and the passphrase follow in one secret frame each,
/// empty for none.
struct OpenRequest: FieldCoded {
    var named = ""
    var endpoint = SSHEndpoint.blank
    var configuration = SSHConnectionConfiguration.blank
    /// Whether the helper may ask the person about the destination, and about each jump host.
    var mayAsk = false
    var mayAskAbout: [Bool] = []
    var keepFor = 0.0
    var files = HelperFiles.blank

    static var blank: OpenRequest { OpenRequest() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&named)
        try coder.code(&endpoint)
        try coder.code(&configuration)
        try coder.code(&mayAsk)
        try coder.code(&mayAskAbout)
        try coder.code(&keepFor)
        try coder.code(&files)
    }
}

/// The files of one helper: its socket, and the lock that it holds while it takes runs.
struct HelperFiles: FieldCoded, Equatable {
    var directory = ""
    var name = ""

    static var blank: HelperFiles { HelperFiles() }
    static let socketEnding = ".sock"
    /// The maximum length of a record in bytes; names of hosts and users are shorter.
    private static let maximumRecordLength = 4096

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&directory)
        try coder.code(&name)
    }

    var socket: String { "\(directory)/\(name)\(Self.socketEnding)" }
    private var lockFile: String { "\(directory)/\(name).lock" }

    // MARK: Reaching the helper

    enum ConnectResult {
        case socket(FrameSocket)
        /// No process listens.
        case absent
        /// The process that listens is not trusted, or does not accept this run.
        case unusable(String)
    }

    /// Connects to the helper.
    ///
    /// - Parameter seconds: how long to wait for a helper whose queue is full.
    func connect(within seconds: Int) -> ConnectResult {
        let descriptor = LocalSocket.newSocket()
        guard descriptor >= 0 else { return .unusable(String(cString: strerror(errno))) }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let frames = FrameSocket(descriptor: descriptor)
        guard LocalSocket.connectSocket(descriptor, to: socket) else {
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

    /// The lock cannot be made.
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
            // The last holder may have removed the file between open and lock: then the lock is on a file without a name, and
            // useless.
            var (held, named) = (stat(), stat())
            guard fstat(descriptor, &held) == 0 else { throw Problem() }
            guard lstat(lockFile, &named) == 0, named.st_ino == held.st_ino, named.st_dev == held.st_dev else { continue }
            // The record of a dead helper must not count as the next one's.
            guard ftruncate(descriptor, 0) == 0 else { throw Problem() }
            return lock
        }
    }

    /// The helper's record in the lock file; nil if the file is empty.
    func record() -> HelperRecord? {
        let descriptor = open(lockFile, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.maximumRecordLength) { memory, count in
            count = max(0, read(descriptor, memory.baseAddress, memory.count))
        }
        return HelperRecord(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Listens at the socket's path, and replaces any file there. Needs the lock.
    func listen() -> OwnedDescriptor? {
        let descriptor = LocalSocket.newSocket()
        guard descriptor >= 0 else { return nil }
        let listener = OwnedDescriptor(descriptor)
        // The socket gets its name only when it listens and only this user may connect.
        let new = "\(directory)/\(name).new"
        unlink(new)
        guard LocalSocket.bindSocket(descriptor, to: new), chmod(new, 0o600) == 0, LocalSocket.listenSocket(descriptor),
            rename(new, socket) == 0
        else {
            unlink(new)
            return nil
        }
        return listener
    }

    /// Removes the helper's files. Needs the lock, and ends it.
    func remove() {
        unlink(socket)
        unlink(lockFile)
    }

    /// Removes the files of a dead helper.
    ///
    /// - Returns: false if the helper is alive.
    func removeIfAbandoned() -> Bool {
        guard let lock = try? lock() else { return false }
        return withExtendedLifetime(lock) {
            remove()
            return true
        }
    }
}
