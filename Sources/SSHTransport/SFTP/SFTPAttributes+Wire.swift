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
            guard value <= UInt64(Int64.max) else { throw SFTPBreach("a file of \(value) bytes") }
            size = value
        }
        if flags & Flag.owner != 0 { owner = Owner(user: try reader.uint32(), group: try reader.uint32()) }
        if flags & Flag.permissions != 0 { mode = try reader.uint32() }
        if flags & Flag.times != 0 { times = Times(access: try reader.uint32(), modification: try reader.uint32()) }
        guard flags & Flag.extended != 0 else { return }
        // Each pair takes its own bytes, so that a count that is a lie ends with the packet.
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
