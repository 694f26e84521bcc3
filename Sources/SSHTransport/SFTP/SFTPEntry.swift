/// One entry of a directory.
public struct SFTPEntry: Sendable, Hashable {
    /// Its name, never empty, `.` or `..`, and without `/` and NUL.
    public var name: String
    /// The attributes that the server reports for it, not following symbolic links.
    public var attributes: SFTPAttributes

    /// An entry.
    public init(name: String, attributes: SFTPAttributes) {
        self.name = name
        self.attributes = attributes
    }
}
