internal import NIOCore
package import NIOPosix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A system call on a local file that failed.
package struct LocalFault: Error {
    package let operation: String
    package let path: String
    package let number: Int32
    /// The problem, if no errno describes it.
    package var detail = ""

    init(_ operation: String, _ path: String, _ number: Int32 = errno) {
        (self.operation, self.path, self.number) = (operation, path, number)
    }

    package init(_ operation: String, _ path: String, detail: String) {
        (self.operation, self.path, number, self.detail) = (operation, path, 0, detail)
    }

    /// The same fault under another name: the target's name for a fault of its partial copy.
    package func named(_ path: String) -> LocalFault {
        var fault = LocalFault(operation, path, number)
        fault.detail = detail
        return fault
    }

    /// The same fault as a failure to read, such as a source directory that cannot be opened.
    package var ofReading: LocalFault {
        var fault = LocalFault("read", path, number)
        fault.detail = detail
        return fault
    }
}

/// Blocking work on files, away from the event loop.
package enum Disk {
    /// - Throws: what `body` throws; `CancellationError`.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}

/// An open local file, closed with its last reference.
package final class LocalFile: Sendable {
    let descriptor: Int32
    package let path: String

    /// Opens a path that the user has named: links in it are followed.
    package convenience init(_ path: String, _ flags: Int32) throws(LocalFault) {
        try self.init(AT_FDCWD, path, path, flags, mode: 0)
    }

    /// Opens or makes an entry of a directory; never through a symbolic link.
    convenience init(in directory: LocalDirectory, _ name: String, _ flags: Int32, mode: UInt32 = 0o600) throws(LocalFault) {
        let path = name == "." ? directory.path : ServerPath.join(directory.path, name)
        try self.init(directory.descriptor, name, path, flags | O_NOFOLLOW, mode: mode)
    }

    private init(_ parent: Int32, _ name: String, _ path: String, _ flags: Int32, mode: UInt32) throws(LocalFault) {
        self.path = path
        // The C library would end the path at the NUL.
        guard !name.utf8.contains(0) else { throw LocalFault(flags & O_CREAT == 0 ? "read" : "write", path, EINVAL) }
        // Don't block on a pipe without a writer.
        descriptor = PathText.withCString(name) { openat(parent, $0, flags | O_CLOEXEC | O_NONBLOCK, mode_t(mode)) }
        guard descriptor >= 0 else { throw LocalFault(flags & O_CREAT == 0 ? "read" : "write", path) }
    }

    deinit { close(descriptor) }

    /// `fstat(2)`.
    package func status() throws(LocalFault) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LocalFault("look at", path) }
        return status
    }

    /// The bytes of a range, or fewer if the file ends before.
    package func read(_ range: Range<UInt64>) throws(LocalFault) -> FileBytes {
        var bytes = FileBytes()
        bytes.buffer.reserveCapacity(range.count)
        var failed: Int32 = 0
        while bytes.count < range.count, failed == 0 {
            let offset = off_t(range.lowerBound) + off_t(bytes.count)
            let wanted = range.count - bytes.count
            let count = bytes.buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { target in
                var count = pread(descriptor, target.baseAddress, wanted, offset)
                while count < 0, errno == EINTR { count = pread(descriptor, target.baseAddress, wanted, offset) }
                if count < 0 { failed = errno }
                return max(0, count)
            }
            if count == 0 { break }
        }
        if failed != 0 { throw LocalFault("read", path, failed) }
        return bytes
    }

    /// `pwrite(2)`, all of it.
    package func write(_ bytes: FileBytes, at offset: UInt64) throws(LocalFault) {
        var failed: Int32 = 0
        bytes.buffer.withUnsafeReadableBytes { source in
            var done = 0
            while done < source.count, failed == 0 {
                let rest = UnsafeRawBufferPointer(rebasing: source[done...])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                if count > 0 { done += count } else if count == 0 { failed = EIO } else if errno != EINTR { failed = errno }
            }
        }
        if failed != 0 { throw LocalFault("write", path, failed) }
    }

    /// `close(2)` of a duplicate: this is where a network file system reports that written data is lost.
    package func confirm() throws(LocalFault) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, close(copy) == 0 else { throw LocalFault("write", path) }
    }

    /// `ftruncate(2)`.
    package func truncate(to size: UInt64) throws(LocalFault) {
        guard ftruncate(descriptor, off_t(clamping: size)) == 0 else { throw LocalFault("write", path) }
    }

    /// `fchmod(2)`.
    package func set(permissions: UInt32) throws(LocalFault) {
        guard fchmod(descriptor, mode_t(permissions & 0o7777)) == 0 else { throw LocalFault("set the mode of", path) }
    }

    /// `futimens(2)`.
    package func set(_ times: SFTPAttributes.Times) throws(LocalFault) {
        let both = [
            timespec(tv_sec: Int(times.access), tv_nsec: 0), timespec(tv_sec: Int(times.modification), tv_nsec: 0),
        ]
        guard futimens(descriptor, both) == 0 else { throw LocalFault("set the times of", path) }
    }
}

/// Paths that the user has named.
package enum LocalPath {
    /// `stat(2)`.
    package static func status(_ path: String) throws(LocalFault) -> stat {
        guard !path.utf8.contains(0) else { throw LocalFault("look at", path, EINVAL) }
        var status = stat()
        guard PathText.withCString(path, { stat($0, &status) }) == 0 else { throw LocalFault("look at", path) }
        return status
    }

    /// `lstat(2)`.
    package static func linkStatus(_ path: String) throws(LocalFault) -> stat {
        guard !path.utf8.contains(0) else { throw LocalFault("look at", path, EINVAL) }
        var status = stat()
        guard PathText.withCString(path, { lstat($0, &status) }) == 0 else { throw LocalFault("look at", path) }
        return status
    }

    /// Makes a directory and its missing parents.
    package static func makeDirectories(_ path: String) throws(LocalFault) {
        func make() -> Bool { PathText.withCString(path) { mkdir($0, 0o777) } == 0 }
        if make() { return }
        let number = errno
        switch number {
        case EEXIST where (try? status(path))?.kind == .directory: return
        case ENOENT where ServerPath.parent(of: path) != path:
            try makeDirectories(ServerPath.parent(of: path))
            // Another process may have made it meanwhile.
            guard make() || errno == EEXIST else { throw LocalFault("make the directory", path) }
        default: throw LocalFault("make the directory", path, number)
        }
    }

    /// The descriptor that a path names, such as 1 for `/dev/stdout`; nil for any other path.
    ///
    /// It may refer to a regular file, which must be written at the descriptor's offset.
    package static func descriptor(namedBy path: String) -> Int32? {
        var path = path
        for _ in 0..<8 {
            if let number = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].firstIndex(of: path) { return Int32(number) }
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return Int32(path.dropFirst(folder.count))
            }
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = PathText.withCString(path) { readlink($0, &bytes, bytes.count) }
            guard count > 0 else { return nil }
            let goal = PathText.text(bytes[..<count].map(UInt8.init(bitPattern:)))
            path = goal.hasPrefix("/") ? goal : ServerPath.join(ServerPath.parent(of: path), goal)
        }
        return nil
    }

    /// The absolute path, whether it exists or not. Symbolic links in it stay.
    package static func absolute(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : ServerPath.join(resolved("."), path)
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// `realpath(3)`; the path itself if that fails.
    package static func resolved(_ path: String) -> String {
        guard let found = PathText.withCString(path, { realpath($0, nil) }) else { return path }
        defer { free(found) }
        return PathText.text(cString: found)
    }
}

extension stat {
    package var kind: SFTPFileKind { SFTPFileKind(mode: UInt32(st_mode)) }

    package var byteCount: UInt64 { UInt64(max(0, st_size)) }

    /// Whether it is a named pipe.
    package var isPipe: Bool { st_mode & S_IFMT == S_IFIFO }

    /// The times in SFTP's form.
    package var sftpTimes: SFTPAttributes.Times {
        #if canImport(Darwin)
            let (access, modification) = (st_atimespec, st_mtimespec)
        #else
            let (access, modification) = (st_atim, st_mtim)
        #endif
        return .init(access: UInt32(clamping: access.tv_sec), modification: UInt32(clamping: modification.tv_sec))
    }
}

/// An open file that is written in order and never replaced: standard output, a pipe, a terminal, a device.
package final class LocalStream: Sendable {
    private let descriptor: Int32
    package let path: String
    /// The most bytes of one call.
    private let part: Int

    /// - Throws: the failure, also for a named pipe without a reader (ENXIO).
    package init(_ path: String) throws(LocalFault) {
        self.path = path
        if let number = LocalPath.descriptor(namedBy: path) {
            // Duplicate the descriptor, so that a redirected file continues at the shell's offset.
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
            // A writable pipe takes this many bytes without blocking.
            part = Int(PIPE_BUF)
        } else {
            descriptor = PathText.withCString(path) { open($0, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            part = Int.max
        }
        guard descriptor >= 0 else { throw LocalFault("write", path) }
    }

    deinit { close(descriptor) }

    /// Writes some of `bytes`, from `start` on.
    ///
    /// - Returns: the number of bytes that were written: 0 if the reader was not ready within a tenth of a second.
    package func write(_ bytes: FileBytes, from start: Int) throws(LocalFault) -> Int {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 100) > 0 else { return 0 }
        let count = bytes.withUnsafeBytes { source in
            let rest = UnsafeRawBufferPointer(rebasing: source[start...].prefix(part))
            #if canImport(Darwin)
                return Darwin.write(descriptor, rest.baseAddress, rest.count)
            #else
                return Glibc.write(descriptor, rest.baseAddress, rest.count)
            #endif
        }
        if count < 0 {
            guard errno == EAGAIN || errno == EINTR else { throw LocalFault("write", path) }
            return 0
        }
        return count
    }
}

extension LocalFault {
    /// Whether the file is a named pipe without a reader.
    package var lacksReader: Bool { number == ENXIO }
    /// Whether the directory prevents this user from creating or renaming entries, even if the file is writable.
    package var isRefusal: Bool { [EACCES, EPERM, EROFS].contains(number) }
}
