package import BridgeSSH
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

/// A helper's question to the person at the run's terminal.
struct PersonQuestion: FieldCoded {
    enum Kind: String {
        case hostKey
        case passphrase
        case password
        case prompts
    }
    var kind = Kind.password
    /// The hop that the question is about: 0 is the destination, 1 the nearest jump host.
    var hop = 0
    var user = ""
    var host = ""
    // A host key.
    var hostKey: SSHHostKeyQuestion?
    // A passphrase.
    var path = ""
    // A passphrase or a password.
    var isRetry = false
    // Prompts.
    var request = SSHPromptRequest(name: "", instruction: "", prompts: [])

    static var blank: PersonQuestion { PersonQuestion() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(name: &kind)
        try coder.code(&hop)
        try coder.code(&user)
        try coder.code(&host)
        try coder.code(&hostKey)
        try coder.code(&path)
        try coder.code(&isRetry)
        try coder.code(&request.name)
        try coder.code(&request.instruction)
        try coder.code(&request.prompts)
        try coder.code(&request.isRetry)
    }
}

/// The person's answer. The secrets follow, one frame each.
struct PersonAnswer: FieldCoded {
    /// The answer about a host key.
    var accepts: Bool?
    /// How many secrets follow; nil without an answer.
    var secrets: Int?
    /// Whether the prompt was cancelled or failed, so that no answer comes.
    var isCancelled = false

    /// The maximum number of secrets. Servers ask one to three questions at once; libssh2 accepts at most 100.
    private static let maximumSecrets = 100

    static var blank: PersonAnswer { PersonAnswer() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&accepts)
        try coder.code(&secrets)
        guard secrets ?? 0 <= Self.maximumSecrets else { throw .outOfRange }
        try coder.code(&isCancelled)
    }
}

extension SSHConnectionConfiguration {
    /// The interaction of a hop, numbered as in ``PersonQuestion/hop``; nil if it has none.
    func interaction(atHop hop: Int) -> (any SSHInteraction)? {
        if hop == 0 { return interaction }
        return jumpHosts.indices.contains(hop - 1) ? jumpHosts[hop - 1].configuration.interaction : nil
    }
}

extension SSHPromptRequest.Prompt: FieldCoded {
    package static var blank: Self { Self(text: "", echo: false) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&text)
        try coder.code(&echo)
    }
}

extension SSHHostKeyQuestion: FieldCoded {
    package static var blank: Self { Self(host: "", port: 0, keyType: "", fingerprint: "") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (host, port, keyType, fingerprint) = (host, port, keyType, fingerprint)
        var (otherNames, authority, skipped) = (otherNames, certificateAuthority, skippedLines)
        try coder.code(&host)
        try coder.code(&port, in: 0...65535)
        try coder.code(&keyType)
        try coder.code(&fingerprint)
        try coder.code(&otherNames)
        try coder.code(&authority)
        try coder.code(&skipped)
        self = SSHHostKeyQuestion(
            host: host, port: port, keyType: keyType, fingerprint: fingerprint, otherNames: otherNames,
            certificateAuthority: authority, skippedLines: skipped)
    }
}

extension SSHKnownHostsLocation: FieldCoded {
    package static var blank: Self { Self(file: "", line: 0) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (file, line) = (file, line)
        try coder.code(&file)
        try coder.code(&line)
        self = Self(file: file, line: line)
    }
}
