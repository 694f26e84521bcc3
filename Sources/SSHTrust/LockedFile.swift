#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file held by an exclusive `flock`, whose content can be replaced whole.
///
/// ssh(1) appends without a lock. Lines that it adds before the last check are noticed. In the microseconds between that check
/// and the renaming a line would be lost, as with `ssh-keygen -R`.
struct LockedFile {
    /// Writers hold the lock for milliseconds; a process that holds it for this long will not release it.
    private static let timeLimit = Duration.seconds(10)
    private static let pause: UInt32 = 2_000  // microseconds
    private static let newFileMode: mode_t = 0o600

    let path: String
    let descriptor: Int32
    private let status: stat
    private let wasCreated: Bool

    /// Opens the file, or creates it empty with mode 0600, and waits for its lock.
    ///
    /// No link is followed in the last component.
    init(path: String) throws(SSHKnownHostsProblem) {
        let deadline = ContinuousClock.now + Self.timeLimit
        while true {
            let (descriptor, wasCreated) = try Self.open(path)
            do {
                if let status = try Self.lock(descriptor, path: path, until: deadline) {
                    (self.path, self.descriptor, self.status, self.wasCreated) = (path, descriptor, status, wasCreated)
                    return
                }
            } catch {
                closeDescriptor(descriptor)
                throw error
            }
            closeDescriptor(descriptor)
        }
    }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

    /// Releases the lock.
    func close() { closeDescriptor(descriptor) }

    /// Removes a created file that stayed empty.
    func removeIfCreated() {
        guard wasCreated, (try? isUnchanged()) == true else { return }
        unlink(path)
    }

    /// Replaces the file by a new one with this content, and the old owner and mode.
    ///
    /// - Parameter keepingBackup: whether the old file is kept as `path.old`.
    /// - Returns: false, with nothing done, if the old content changed since it was locked.
    func replace(with contents: [UInt8], keepingBackup: Bool = false) throws(SSHKnownHostsProblem) -> Bool {
        let (temporary, new) = try createTemporary()
        var isInPlace = false
        defer {
            closeDescriptor(new)
            if !isInPlace { unlink(temporary) }
        }
        let created = try KnownHostsIO.status(of: new, path: path)
        if created.st_uid != status.st_uid || created.st_gid != status.st_gid {
            try KnownHostsIO.call(.unwritable, "fchown", path) { fchown(new, status.st_uid, status.st_gid) }
        }
        // After fchown, which clears bits of the mode.
        let mode = wasCreated ? Self.newFileMode : status.st_mode & 0o7777
        try KnownHostsIO.call(.unwritable, "fchmod", path) { fchmod(new, mode) }
        try KnownHostsIO.write(contents, to: new, path: path)
        try KnownHostsIO.call(.unwritable, "fsync", path) { fsync(new) }
        guard try isUnchanged() else { return false }
        if keepingBackup, !wasCreated {
            unlink(path + ".old")
            try KnownHostsIO.call(.unwritable, "link", path) { link(path, path + ".old") }
        }
        try KnownHostsIO.call(.unwritable, "rename", path) { rename(temporary, path) }
        isInPlace = true
        syncDirectory()
        return true
    }

    private func isUnchanged() throws(SSHKnownHostsProblem) -> Bool {
        let now = try KnownHostsIO.status(of: descriptor, path: path)
        return now.st_size == status.st_size && now.modified == status.modified && Self.isStill(path, status)
    }

    private func createTemporary() throws(SSHKnownHostsProblem) -> (String, Int32) {
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(SymbolicLink.directory(of: path)).known_hosts.\(suffix)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let new = try KnownHostsIO.call(.unwritable, "open", path) {
            openDescriptor(temporary, flags, Self.newFileMode)
        }
        return (temporary, new)
    }

    /// The rename has happened; that it also survives a power cut is worth a try and no failure.
    private func syncDirectory() {
        let directory = SymbolicLink.directory(of: path)
        let handle = openDescriptor(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard handle >= 0 else { return }
        fsync(handle)
        closeDescriptor(handle)
    }

    private static func open(_ path: String) throws(SSHKnownHostsProblem) -> (Int32, wasCreated: Bool) {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
        while true {
            do {
                let existing = try KnownHostsIO.call(.unwritable, "open", path) { openDescriptor(path, flags, 0) }
                return (existing, false)
            } catch let problem where problem.errno == ENOENT {
                // To be created.
            }
            do {
                let new = try KnownHostsIO.call(.unwritable, "open", path) {
                    openDescriptor(path, flags | O_CREAT | O_EXCL, newFileMode)
                }
                return (new, true)
            } catch let problem where problem.errno == EEXIST {
                // Another writer was first: open its file.
            }
        }
    }

    /// The locked file's status, or nil if meanwhile another file has taken its place.
    private static func lock(
        _ descriptor: Int32, path: String, until deadline: ContinuousClock.Instant
    ) throws(SSHKnownHostsProblem) -> stat? {
        let kind = try KnownHostsIO.status(of: descriptor, path: path).st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFCHR else {
            throw SSHKnownHostsProblem(code: .unwritable, path: path, operation: "open", errno: kind == S_IFDIR ? EISDIR : EINVAL)
        }
        while kind == S_IFREG {
            do {
                try KnownHostsIO.call(.unwritable, "flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
                break
            } catch {
                guard error.errno == EWOULDBLOCK, ContinuousClock.now < deadline else { throw error }
                usleep(pause)
            }
        }
        let status = try KnownHostsIO.status(of: descriptor, path: path)
        return isStill(path, status) ? status : nil
    }

    private static func isStill(_ path: String, _ status: stat) -> Bool {
        var now = stat()
        return lstat(path, &now) == 0 && now.st_ino == status.st_ino && now.st_dev == status.st_dev
    }
}

extension stat {
    /// Seconds and nanoseconds of the last change of the content.
    fileprivate var modified: [Int] {
        #if canImport(Darwin)
            [st_mtimespec.tv_sec, st_mtimespec.tv_nsec]
        #else
            [st_mtim.tv_sec, st_mtim.tv_nsec]
        #endif
    }
}

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

private func openDescriptor(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

/// Follows symbolic links, also to a file that does not exist yet, which realpath(3) cannot.
enum SymbolicLink {
    /// Linux's own limit (path_resolution(7)).
    private static let maximumLinks = 40

    /// The path after following the links that `path` itself is; the system follows links in its directories.
    static func target(of path: String) throws(SSHKnownHostsProblem) -> String {
        var current = path
        for _ in 0..<maximumLinks {
            guard let next = destination(of: current) else { return current }
            current = next.hasPrefix("/") ? next : directory(of: current) + next
        }
        throw SSHKnownHostsProblem(code: .unwritable, path: path, operation: "readlink", errno: ELOOP)
    }

    /// The directory part, with its slash; empty for a bare name.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return String(path[...slash])
    }

    private static func destination(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { $0.withMemoryRebound(to: CChar.self) { link(path, into: $0) } }
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    private static func link(_ path: String, into buffer: UnsafeMutableBufferPointer<CChar>) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        return readlink(path, start, buffer.count)
    }
}
