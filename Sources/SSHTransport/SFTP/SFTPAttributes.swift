/// A file's attributes as a server reports them, or as they are to be set (filexfer-02 section 5). Nil means that an attribute is
/// not present.
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

    /// Makes attributes from the given ones only.
    public init(size: UInt64? = nil, owner: Owner? = nil, mode: UInt32? = nil, times: Times? = nil) {
        self.size = size
        self.owner = owner
        self.mode = mode
        self.times = times
    }

    /// The kind of file, by the type bits of the mode; nil if they were not sent.
    public var kind: SFTPFileKind? { mode.map { SFTPFileKind(mode: $0) } }
    /// The mode without its type bits; nil if it was not sent.
    public var permissions: UInt32? { mode.map { $0 & 0o7777 } }
}

/// ATTRS (filexfer-02 section 5).
extension SFTPAttributes {
    private enum Flag {
        static let size: UInt32 = 1
        static let owner: UInt32 = 2
        static let permissions: UInt32 = 4
        static let times: UInt32 = 8
        static let extended: UInt32 = 0x8000_0000
    }

    /// - Throws: `SSHWireError`, also for a size that no file can have.
    package init(from reader: inout SSHWireReader) throws {
        let flags = try reader.uint32()
        if flags & Flag.size != 0 {
            let value = try reader.uint64()
            guard value <= UInt64(Int64.max) else { throw SFTPProtocolViolation("a file of \(value) bytes") }
            size = value
        }
        if flags & Flag.owner != 0 { owner = Owner(user: try reader.uint32(), group: try reader.uint32()) }
        if flags & Flag.permissions != 0 { mode = try reader.uint32() }
        if flags & Flag.times != 0 { times = Times(access: try reader.uint32(), modification: try reader.uint32()) }
        guard flags & Flag.extended != 0 else { return }
        // Each pair uses bytes of the packet, so a false count fails at the packet's end.
        for _ in 0..<(try reader.uint32()) {
            _ = try reader.string()
            _ = try reader.string()
        }
    }

    package func write(to writer: inout SSHWireWriter) {
        var flags: UInt32 = 0
        if size != nil { flags |= Flag.size }
        if owner != nil { flags |= Flag.owner }
        if mode != nil { flags |= Flag.permissions }
        if times != nil { flags |= Flag.times }
        writer.uint32(flags)
        if let size { writer.uint64(size) }
        if let owner {
            writer.uint32(owner.user)
            writer.uint32(owner.group)
        }
        if let mode { writer.uint32(mode) }
        if let times {
            writer.uint32(times.access)
            writer.uint32(times.modification)
        }
    }
}

/// The type of a file.
public enum SFTPFileKind: Sendable, Hashable {
    /// S_IFREG.
    case regular
    /// S_IFDIR.
    case directory
    /// S_IFLNK.
    case symbolicLink
    /// A device, a socket, a pipe, or a type that the server does not report.
    case other

    init(mode: UInt32) {
        switch mode & 0o170000 {
        case 0o100000: self = .regular
        case 0o040000: self = .directory
        case 0o120000: self = .symbolicLink
        default: self = .other
        }
    }
}

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

/// An unchecked entry of a listing: the name may contain anything.
package struct SFTPName: Sendable, Equatable {
    package var bytes: [UInt8]
    package var attributes: SFTPAttributes

    package init(bytes: [UInt8], attributes: SFTPAttributes) {
        self.bytes = bytes
        self.attributes = attributes
    }
}

/// The entries of one NAME packet, each parsed only on request.
///
/// A packet of 256 KiB may hold 20,000 entries, which would take ten times as much memory as separate values.
package struct SFTPNames: Sendable {
    private var reader: SSHWireReader
    private var count: UInt32

    /// Takes the packet after the request's id, and checks all of it.
    ///
    /// - Throws: `SFTPProtocolViolation`, `SSHWireError`.
    init(_ reader: inout SSHWireReader) throws {
        count = try reader.uint32()
        guard count > 0 else { throw SFTPProtocolViolation("a listing of no names") }
        self.reader = reader
        for _ in 0..<count { _ = try Self.entry(&reader) }
    }

    /// The encoding that a server would send.
    package init(of names: [SFTPName]) {
        var writer = SSHWireWriter()
        for name in names {
            writer.string(name.bytes)
            writer.string([])
            name.attributes.write(to: &writer)
        }
        count = UInt32(names.count)
        reader = SSHWireReader(writer.bytes)
    }

    package mutating func popFirst() -> SFTPName? {
        guard count > 0, let (name, attributes) = try? Self.entry(&reader) else { return nil }
        count -= 1
        return SFTPName(bytes: Array(name), attributes: attributes)
    }

    private static func entry(_ reader: inout SSHWireReader) throws -> (ArraySlice<UInt8>, SFTPAttributes) {
        let name = try reader.string()
        // The long name, like a line of ls -l. Its format is not specified.
        _ = try reader.string()
        return (name, try SFTPAttributes(from: &reader))
    }
}

extension SFTPNames: Equatable {
    package static func == (one: SFTPNames, other: SFTPNames) -> Bool {
        one.count == other.count && one.reader.remaining == other.reader.remaining
    }
}
