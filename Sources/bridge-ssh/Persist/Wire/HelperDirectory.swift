#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The directory of the helpers' sockets: nobody else may look into it.
enum HelperDirectory {
    /// A socket's path has room for 103 bytes where it has the least (unix(4) of macOS, sun_path).
    private static let longestPath = 60

    /// `$XDG_RUNTIME_DIR/bridge-ssh`, or one of the user's own in `/tmp` where there is none, its name is too long, or it is
    /// another user's, as after su(1).
    static var path: String {
        var status = stat()
        if let runtime = Surroundings.variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
            runtime.utf8.count <= longestPath - 11, stat(runtime, &status) == 0, status.st_uid == geteuid()
        {
            return runtime + (runtime.hasSuffix("/") ? "" : "/") + "bridge-ssh"
        }
        return "/tmp/bridge-ssh-\(geteuid())"
    }

    /// Makes the directory unless it is there.
    ///
    /// - Throws: `UsageProblem` if it cannot be made, or is not ours alone.
    static func prepare() throws -> String {
        let path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw problem("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        try check(path)
        return path
    }

    /// The directory if it is there.
    ///
    /// - Throws: `UsageProblem` if it is not ours alone.
    static func existing() throws -> String? {
        let path = path
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return nil }
        try check(path)
        return path
    }

    /// Whoever can enter it could use our connections; whoever owns it could put sockets of their own there.
    private static func check(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw problem("\(path) cannot be examined: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw problem("\(path) is no directory; remove it") }
        guard status.st_uid == geteuid() else {
            throw problem("\(path) belongs to another user; set XDG_RUNTIME_DIR to a directory of your own")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw problem("\(path) can be entered by others; make it yours alone: chmod 700 \(path)")
        }
    }

    private static func problem(_ text: String) -> UsageProblem { UsageProblem(field: "--persist", problem: text) }
}
