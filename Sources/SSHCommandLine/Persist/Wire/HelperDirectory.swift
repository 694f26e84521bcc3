import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The directory of the helpers' sockets. It is used only if it belongs to this user and no other user can enter it: another user in
/// there could use the connections, and another owner could put other sockets there.
enum HelperDirectory {
    /// A socket's path has room for 103 bytes where it has the least (unix(4) of macOS, sun_path).
    private static let longestPath = 60

    /// Why a directory is not used.
    struct Problem: Error, Equatable {
        let path: String
        let text: String
    }

    /// Where it may be, the preferred place first: in `$XDG_RUNTIME_DIR`, in `/tmp`, in the home directory. The second can be taken by
    /// any other user, the last is not local on every machine.
    static var candidates: [String] {
        let runtime = LaunchEnvironment.variable("XDG_RUNTIME_DIR").map { $0 + "/bridge-ssh" }
        let home = LaunchEnvironment.variable("HOME").map { $0 + "/.cache/bridge-ssh" }
        return [runtime, "/tmp/bridge-ssh-\(geteuid())", home].compactMap { $0 }.map(withoutDoubledSlashes).filter {
            $0.hasPrefix("/") && $0.utf8.count <= longestPath
        }
    }

    /// The first directory that can be used, made where it is not there.
    ///
    /// - Parameter passedOver: called for every place before it that cannot be used.
    /// - Returns: nil where no place can be used.
    static func prepare(_ candidates: [String] = candidates, passedOver: (Problem) -> Void) -> String? {
        for path in candidates {
            do throws(Problem) {
                try make(path)
                try check(path)
                return path
            } catch {
                passedOver(error)
            }
        }
        return nil
    }

    /// The directory that ``prepare(_:passedOver:)`` would find; nothing is made.
    ///
    /// - Returns: nil where it is not there, and so no helper either.
    static func existing(_ candidates: [String] = candidates) -> String? {
        for path in candidates {
            var status = stat()
            let isMissing = lstat(path, &status) != 0 && errno == ENOENT
            do throws(Problem) {
                try isMissing ? checkParent(of: path) : check(path)
                return isMissing ? nil : path
            } catch {
                // A run would pass it over.
            }
        }
        return nil
    }

    private static func make(_ path: String) throws(Problem) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        // A new user's ~/.cache need not be there yet.
        let above = parent(of: path)
        guard errno == ENOENT, above.hasSuffix("/.cache"), mkdir(above, 0o700) == 0, mkdir(path, 0o700) == 0 else {
            throw Problem(path: path, text: systemError)
        }
    }

    /// What is checked stays true: only its owner and root change a directory's mode, and in a parent that is checked too only they
    /// can give its name to another one.
    private static func check(_ path: String) throws(Problem) {
        try checkParent(of: path)
        let itself = try status(of: path, follows: false)
        guard itself.st_mode & S_IFMT == S_IFDIR else { throw Problem(path: path, text: "it is not a directory") }
        guard itself.st_uid == geteuid() else { throw Problem(path: path, text: "it belongs to another user") }
        guard itself.st_mode & 0o077 == 0 else { throw Problem(path: path, text: "others can enter it") }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw Problem(path: path, text: systemError) }
    }

    private static func checkParent(of path: String) throws(Problem) {
        let directory = parent(of: path)
        let above = try status(of: directory, follows: true)
        guard above.st_uid == geteuid() || above.st_uid == 0 else {
            throw Problem(path: path, text: "\(directory) belongs to another user")
        }
        guard above.st_mode & 0o022 == 0 || above.st_mode & S_ISVTX != 0 else {
            throw Problem(path: path, text: "others can write to \(directory)")
        }
    }

    private static func status(of path: String, follows: Bool) throws(Problem) -> stat {
        var found = stat()
        guard (follows ? stat(path, &found) : lstat(path, &found)) == 0 else { throw Problem(path: path, text: systemError) }
        return found
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// A slash at the end of a variable's value leads to the same place.
    private static func withoutDoubledSlashes(_ path: String) -> String {
        path.reduce(into: "") { result, character in
            if character != "/" || result.last != "/" { result.append(character) }
        }
    }

    private static var systemError: String { String(cString: strerror(errno)) }
}
