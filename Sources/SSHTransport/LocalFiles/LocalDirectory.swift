#if canImport(Darwin)
    import Darwin
#else
    package import Glibc
#endif

/// An open local directory, closed with its last reference.
///
/// Every entry is reached by a single name from the directory's descriptor, never through a symbolic link. So a user who may
/// write to a directory above cannot redirect a copy by replacing a directory with a link.
package final class LocalDirectory: Sendable {
    let descriptor: Int32
    /// For messages only.
    package let path: String

    /// Distinguishes a directory from another that takes its name later.
    package struct Identity: Sendable, Equatable {
        let device: UInt64
        let inode: UInt64
    }

    /// Opens a path that the user has named: links in it are followed.
    package convenience init(_ path: String) throws(LocalFault) { try self.init(AT_FDCWD, path, path, follows: true) }

    private init(_ parent: Int32, _ name: String, _ path: String, follows: Bool) throws(LocalFault) {
        self.path = path
        let flags = O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
        descriptor = PathText.withCString(name) { name in
            let found = openat(parent, name, O_RDONLY | flags)
            // A directory that may not be listed may still be writable.
            return found < 0 && errno == EACCES ? openat(parent, name, Self.searching | flags) : found
        }
        let found = descriptor
        guard found < 0 else { return }
        let number = errno
        guard !follows, number == ENOTDIR || number == ELOOP else { throw LocalFault("open the directory", path, number) }
        throw LocalFault("open the directory", path, detail: "it was replaced by something else")
    }

    deinit { close(descriptor) }

    /// Opens a directory for searching only: POSIX's O_SEARCH. Linux has O_PATH for it (not in the headers that Swift reads).
    private static var searching: Int32 {
        #if canImport(Darwin)
            O_SEARCH
        #else
            0o10_000_000
        #endif
    }

    private func path(of name: String) -> String { ServerPath.join(path, name) }

    package func identity() throws(LocalFault) -> Identity {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LocalFault("look at", path) }
        return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    }

    // MARK: Entries

    /// `openat(2)` of a directory.
    func directory(_ name: String) throws(LocalFault) -> LocalDirectory {
        try LocalDirectory(descriptor, name, path(of: name), follows: false)
    }

    /// The directory at a path below, component by component; itself for an empty one.
    package func directory(at path: Substring) throws(LocalFault) -> LocalDirectory {
        var directory = self
        for name in path.utf8.split(separator: UInt8(ascii: "/")) { directory = try directory.directory(String(Substring(name))) }
        return directory
    }

    /// `faccessat(2)`.
    ///
    /// - Throws: `LocalFault` if no entry can be made in it.
    package func checkWritable() throws(LocalFault) {
        guard faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else { throw LocalFault("write to", path) }
    }

    /// Makes a directory, or opens an existing one.
    package func makeDirectory(_ name: String, permissions: UInt32) throws(LocalFault) -> LocalDirectory {
        if PathText.withCString(name, { mkdirat(descriptor, $0, mode_t(permissions & 0o777 | 0o700)) }) != 0 {
            let number = errno
            guard number == EEXIST, try status(of: name).kind == .directory else {
                throw LocalFault("make the directory", path(of: name), number)
            }
        }
        return try directory(name)
    }

    /// `openat(2)` of a file.
    package func file(_ name: String, _ flags: Int32, mode: UInt32 = 0o600) throws(LocalFault) -> LocalFile {
        try LocalFile(in: self, name, flags, mode: mode)
    }

    /// `fstatat(2)`, of a link itself.
    package func status(of name: String) throws(LocalFault) -> stat {
        var status = stat()
        guard PathText.withCString(name, { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
            throw LocalFault("look at", path(of: name))
        }
        return status
    }

    /// `renameat(2)`, within the directory.
    package func rename(_ name: String, to target: String) throws(LocalFault) {
        let result = PathText.withCString(name) { name in
            PathText.withCString(target) { renameat(descriptor, name, descriptor, $0) }
        }
        guard result == 0 else {
            throw LocalFault("rename a file to", path(of: target))
        }
    }

    /// Removes a partial copy. A failure is ignored.
    ///
    /// - Returns: whether the name no longer exists.
    package func discard(_ name: String) -> Bool {
        PathText.withCString(name) { unlinkat(descriptor, $0, 0) } == 0 || errno == ENOENT
    }

    /// `symlinkat(2)`; replaces an old link of that name.
    package func makeLink(_ name: String, to target: String) throws(LocalFault) {
        func make() -> Bool {
            PathText.withCString(name) { name in PathText.withCString(target) { symlinkat($0, descriptor, name) } } == 0
        }
        if make() { return }
        let number = errno
        guard number == EEXIST, try status(of: name).kind == .symbolicLink,
            PathText.withCString(name, { unlinkat(descriptor, $0, 0) }) == 0, make()
        else { throw LocalFault("make the symbolic link", path(of: name), number) }
    }

    /// `readlinkat(2)`.
    package func target(ofLink name: String) throws(LocalFault) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = PathText.withCString(name) { readlinkat(descriptor, $0, &bytes, bytes.count) }
        guard count >= 0 else { throw LocalFault("read the link", path(of: name)) }
        return PathText.text(bytes[..<count].map(UInt8.init(bitPattern:)))
    }

    /// The names except `.` and `..`, in no particular order.
    package func names() throws(LocalFault) -> [String] {
        // closedir(3) closes this descriptor, so it must be a separate one.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw LocalFault("list", path) }
        guard let stream = fdopendir(copy) else {
            let number = errno
            close(copy)
            throw LocalFault("list", path, number)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw LocalFault("list", path) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { PathText.text(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// `fchmod(2)` and `futimens(2)`, for the given values.
    package func set(permissions: UInt32?, _ times: SFTPAttributes.Times?) throws(LocalFault) {
        let file = try LocalFile(in: self, ".", O_RDONLY | O_DIRECTORY)
        if let permissions { try file.set(permissions: permissions) }
        if let times { try file.set(times) }
    }
}
