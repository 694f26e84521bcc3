/// How configuration files are found and read.
public struct SSHConfigFiles: Sendable {
    /// The result of reading a file.
    public enum Content: Sendable {
        /// Its bytes.
        case bytes([UInt8])
        /// Another user could have written it.
        case unsafe
        /// It cannot be read, for this errno; ENOENT if it is not there.
        case unreadable(errno: Int32)
    }

    /// Reads a file; `checkingOwner` refuses one that others could have written.
    public var read: @Sendable (_ path: String, _ checkingOwner: Bool) -> Content
    /// The paths that a `glob(7)` pattern fits, sorted.
    public var matching: @Sendable (_ pattern: String) -> [String]

    /// Where the files stay parsed, if they do not change while many hosts are resolved.
    package var parsed: ParsedConfigurationFiles?

    /// Files as given.
    public init(
        read: @escaping @Sendable (_ path: String, _ checkingOwner: Bool) -> Content,
        matching: @escaping @Sendable (_ pattern: String) -> [String]
    ) {
        self.read = read
        self.matching = matching
    }
}

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension SSHConfigFiles {
    /// The local file system. A file is safe if it belongs to the user or to root and neither its group nor others may write it
    /// (ssh_config(5), FILES).
    public static let system = SSHConfigFiles(read: { read($0, checkingOwner: $1) }, matching: { matching($0) })

    private static func read(_ path: String, checkingOwner: Bool) -> Content {
        do throws(WholeFile.Failure) {
            let (descriptor, status) = try WholeFile.opened(path)
            defer { close(descriptor) }
            if checkingOwner, (status.st_uid != 0 && status.st_uid != getuid()) || status.st_mode & 0o022 != 0 { return .unsafe }
            return .bytes(try WholeFile.read(descriptor))
        } catch {
            return .unreadable(errno: error.errno)
        }
    }

    private static func matching(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
    }
}
