/// A file's attributes as a server reports them, or as they are to be set (filexfer-02 section 5). Nil stands for an attribute
/// that is not present.
public struct SFTPAttributes: Sendable, Hashable {
    /// Bytes.
    public var size: UInt64?
    /// Owner and group by number.
    public var owner: Owner?
    /// The mode of stat(2), type bits included.
    public var mode: UInt32?
    /// Last access and last change of the content.
    public var times: Times?

    /// Owner and group, which the protocol carries together.
    public struct Owner: Sendable, Hashable {
        /// User id.
        public var user: UInt32
        /// Group id.
        public var group: UInt32

        /// An owner.
        public init(user: UInt32, group: UInt32) { (self.user, self.group) = (user, group) }
    }

    /// Seconds since 1970, which the protocol carries together and without fractions, up to the year 2106.
    public struct Times: Sendable, Hashable {
        /// Last access.
        public var access: UInt32
        /// Last change of the content.
        public var modification: UInt32

        /// Both times.
        public init(access: UInt32, modification: UInt32) { (self.access, self.modification) = (access, modification) }
    }

    /// No attributes.
    public init() {}

    /// The kind of file, by the type bits of the mode; nil where they were not sent.
    public var kind: SFTPFileKind? { mode.map { SFTPFileKind(mode: $0) } }
    /// The mode without its type bits; nil where it was not sent.
    public var permissions: UInt32? { mode.map { $0 & 0o7777 } }
}
