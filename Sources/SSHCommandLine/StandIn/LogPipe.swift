import CProcessGuard
import SSHRun

/// The pipe into which ssh writes its log.
///
/// ssh closes every descriptor above 2 before anything else, and opens the file of `-E` by its path (ssh.c: main; log.c:
/// log_redirect_stderr_to). On Linux a process's descriptors have paths; elsewhere the pipe gets one in a directory of our own
/// for as long as ssh runs. When this process has ended, writes to the pipe fail. ssh ignores SIGPIPE from the start, so a
/// connection in the background loses nothing.
struct LogPipe {
    let reader: Int32
    let writer: Int32
    let path: String
    private let folder: String?

    /// The file name of a named pipe.
    static let name = "bridge-ssh-log"

    /// - Returns: nil if no descriptor or directory is available.
    static func open() -> LogPipe? {
        var ends: [Int32] = [-1, -1]
        guard bridge_open_pipe(&ends) == 0, let reader = above(ends[0]), let writer = above(ends[1]) else { return nil }
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        let path = "/proc/\(getpid())/fd/\(reader)"
        if access(path, F_OK) == 0 { return LogPipe(reader: reader, writer: writer, path: path, folder: nil) }
        close(reader)
        close(writer)
        return named()
    }

    private static func named() -> LogPipe? {
        guard let place = directory() else { return nil }
        guard let pipe = make(in: place, folder: place) else {
            rmdir(place)
            return nil
        }
        return pipe
    }

    /// Makes a private directory with a short path: the address of a socket in it has at most 107 bytes.
    static func directory() -> String? {
        let places = [LaunchEnvironment.variable("TMPDIR"), "/tmp"].compactMap { $0 }.filter { $0.utf8.count < 60 }
        for place in places {
            var name = Array("\(place)/bridge-ssh-XXXXXX".utf8CString)
            if mkdtemp(&name) != nil { return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } }
        }
        return nil
    }

    /// Makes a named pipe in a directory of the caller.
    ///
    /// - Parameter folder: the directory, if ``remove()`` has to remove it too.
    static func make(in place: String, folder: String? = nil) -> LogPipe? {
        let path = place + "/" + name
        guard mkfifo(path, 0o600) == 0 else { return nil }
        let reader = openFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let writer = openFile(path, O_WRONLY | O_CLOEXEC)
        guard reader > 2, writer > 2 else {
            unlink(path)
            return nil
        }
        return LogPipe(reader: reader, writer: writer, path: path, folder: folder)
    }

    /// Moves a descriptor above the numbers of the standard streams, which may be closed.
    private static func above(_ descriptor: Int32) -> Int32? {
        guard descriptor <= 2 else { return descriptor }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        close(descriptor)
        return moved < 0 ? nil : moved
    }

    /// Removes a named pipe and its directory.
    func remove() {
        guard let folder else { return }
        unlink(path)
        rmdir(folder)
    }

    /// The log of the ssh for which this process carries a connection (ProxyJump, ProxyCommand), if that log goes to a pipe of
    /// bridge-ssh.
    static func ofCarriedSSH() -> Int32? {
        #if canImport(Darwin)
            return nil
        #else
            let words = Self.words(of: getppid())
            guard let option = words.firstIndex(of: "-E"), option + 1 < words.count else { return nil }
            let parts = words[option + 1].split(separator: "/")
            if parts.last?.elementsEqual(name) != true {
                guard parts.count == 4, parts[0] == "proc", parts[2] == "fd", let owner = pid_t(String(parts[1])),
                    owner != getpid()
                else { return nil }
            }
            var file = stat()
            guard stat(words[option + 1], &file) == 0, file.st_mode & S_IFMT == S_IFIFO else { return nil }
            let descriptor = openFile(words[option + 1], O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return descriptor < 0 ? nil : above(descriptor)
        #endif
    }

    private static func words(of process: pid_t) -> [String] {
        let descriptor = openFile("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = bytes.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress, $0.count) }
        return bytes[..<max(0, count)].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// `open(2)`, under a name that the static function does not hide.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
