import BridgeSSH
import SSHRun

/// The directory of the helpers' sockets. It must belong to this user, and no other user may enter it: another user inside
/// could use the connections, and another owner could put other sockets there.
enum HelperDirectory {
    /// The maximum length of the directory's path. A socket's path has at most 103 bytes on macOS (unix(4), sun_path).
    private static let maximumPathLength = 60

    /// The reason against a directory.
    struct Problem: Error, Equatable {
        let path: String
        let text: String
    }

    /// The possible directories, the preferred one first: in `$XDG_RUNTIME_DIR`, in `/tmp`, in the home directory. Any other
    /// user can occupy the second, and the last is not local on every machine.
    static var candidates: [String] {
        let runtime = LaunchEnvironment.variable("XDG_RUNTIME_DIR").map { $0 + "/bridge-ssh" }
        let home = LaunchEnvironment.variable("HOME").map { $0 + "/.cache/bridge-ssh" }
        return [runtime, "/tmp/bridge-ssh-\(geteuid())", home].compactMap { $0 }.map(withoutDoubledSlashes).filter {
            $0.hasPrefix("/") && $0.utf8.count <= maximumPathLength
        }
    }

    /// The first usable directory. It is created if it does not exist.
    ///
    /// - Parameter passedOver: called for each unusable directory before it.
    /// - Returns: nil if no directory is usable.
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

    /// The directory that ``prepare(_:passedOver:)`` would return. Creates nothing.
    ///
    /// - Returns: nil if it does not exist: then there is no helper either.
    static func existing(_ candidates: [String] = candidates) -> String? {
        for path in candidates {
            var status = stat()
            let isMissing = lstat(path, &status) != 0 && errno == ENOENT
            do throws(Problem) {
                try isMissing ? checkParent(of: path) : check(path)
                return isMissing ? nil : path
            } catch {
                // A run would skip it too.
            }
        }
        return nil
    }

    private static func make(_ path: String) throws(Problem) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        // A new user may have no ~/.cache yet.
        let above = parent(of: path)
        guard errno == ENOENT, above.hasSuffix("/.cache"), mkdir(above, 0o700) == 0, mkdir(path, 0o700) == 0 else {
            throw Problem(path: path, text: systemError)
        }
    }

    /// Checks owner and mode. The result stays true: only the owner and root can change a directory's mode, and because the
    /// parent is checked too, only they can replace the directory.
    private static func check(_ path: String) throws(Problem) {
        try checkParent(of: path)
        let itself = try status(of: path, follows: false)
        guard itself.st_mode & S_IFMT == S_IFDIR else { throw Problem(path: path, text: "it is not a directory") }
        guard itself.st_uid == geteuid() else { throw Problem(path: path, text: "it belongs to another user") }
        guard itself.st_mode & 0o077 == 0 else { throw Problem(path: path, text: "other users can access it") }
        guard access(path, R_OK | W_OK | X_OK) == 0 else { throw Problem(path: path, text: systemError) }
    }

    private static func checkParent(of path: String) throws(Problem) {
        let directory = parent(of: path)
        let above = try status(of: directory, follows: true)
        guard above.st_uid == geteuid() || above.st_uid == 0 else {
            throw Problem(path: path, text: "\(directory) belongs to another user")
        }
        guard above.st_mode & 0o022 == 0 || above.st_mode & S_ISVTX != 0 else {
            throw Problem(path: path, text: "other users can write to \(directory)")
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

    /// Removes double slashes, so that a slash at the end of a variable's value does not change the path.
    private static func withoutDoubledSlashes(_ path: String) -> String {
        path.reduce(into: "") { result, character in
            if character != "/" || result.last != "/" { result.append(character) }
        }
    }

    private static var systemError: String { String(cString: strerror(errno)) }
}

/// A helper's lock file: read when the helper does not answer, or answers in another version's protocol.
struct HelperRecord: Equatable {
    /// The host's name as typed when the helper was started.
    var named: String
    var endpoint: SSHEndpoint
    /// Nil until the helper has written it; see ``note(process:in:)``.
    var process: Int?

    /// Whether a host's name from a person matches this helper.
    func isMeant(by name: String) -> Bool {
        [named, endpoint.host, "\(endpoint.user)@\(endpoint.host)", endpoint.description].contains(name)
            || named.hasSuffix("@" + name)
    }

    // MARK: As text, one value per line

    private var text: String { [named, endpoint.user, endpoint.host, "\(endpoint.port)"].map { $0 + "\n" }.joined() }

    /// Nil if the text is not a record, or is incomplete.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 5 || lines.count == 6, lines.last == "", let port = UInt16(lines[3]) else { return nil }
        named = lines[0]
        endpoint = SSHEndpoint(unchecked: lines[2], port: Int(port), user: lines[1])
        process = lines.count == 6 ? pid_t(lines[4]).map { Int($0) } : nil
    }

    init(named: String, endpoint: SSHEndpoint) {
        self.named = named
        self.endpoint = endpoint
    }

    /// Writes everything except the process to an empty file.
    ///
    /// - Returns: whether that succeeded.
    func write(to lock: OwnedDescriptor) -> Bool { Self.write(text, to: lock.number) }

    /// Adds the helper's process number after the record that the run wrote through the same open file.
    static func note(process: pid_t, in lock: Int32) { _ = write("\(process)\n", to: lock) }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        Array(text.utf8).withUnsafeBytes { OutputWriter.writeAll($0, to: descriptor) } == nil
    }
}
