import CProcessGuard
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The pipe into which ssh writes its log.
///
/// ssh closes every descriptor above 2 before anything else, and opens the file of `-E` by its path (ssh.c: main; log.c:
/// log_redirect_stderr_to). On Linux a process's descriptors have paths; elsewhere the pipe gets one in a directory of our own for
/// as long as ssh runs. Writing to a pipe that nobody reads any more fails, and ssh, which ignores SIGPIPE from the start, does
/// not mind: a connection that is kept in the background loses nothing when we are gone.
struct LogPipe {
    let reader: Int32
    let writer: Int32
    let path: String
    private let folder: String?

    /// The name of one that has a name.
    static let name = "bridge-ssh-log"

    /// - Returns: nil where the system has no descriptor or directory left.
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
        var folder = Array("\(LaunchEnvironment.variable("TMPDIR") ?? "/tmp")/bridge-ssh-XXXXXX".utf8CString)
        guard mkdtemp(&folder) != nil else { return nil }
        let place = folder.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        guard let pipe = make(in: place, folder: place) else {
            rmdir(place)
            return nil
        }
        return pipe
    }

    /// Makes one with a name in a directory that is the caller's.
    ///
    /// - Parameter folder: the directory where it is to be removed with the pipe.
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

    /// Above the numbers of the streams, which may be closed.
    private static func above(_ descriptor: Int32) -> Int32? {
        guard descriptor <= 2 else { return descriptor }
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        close(descriptor)
        return moved < 0 ? nil : moved
    }

    /// Removes what has a name.
    func remove() {
        guard let folder else { return }
        unlink(path)
        rmdir(folder)
    }

    /// The log of the ssh for which this process carries a connection (ProxyJump, ProxyCommand): the one that our parent writes
    /// into one of ours.
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

/// `open(2)` under a name that no static function hides.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
