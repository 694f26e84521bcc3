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
