/// Entries of a directory that wait to be copied, in the form of the protocol: far less than values of their own take.
struct HeldEntries: Sendable {
    private static let chunkSize = 1 << 15
    private var chunks: [[UInt8]] = []
    private var last = SSHWireWriter()
    private var reader = SSHWireReader([])
    private(set) var count = 0

    /// About how many bytes of memory an entry takes.
    static func cost(of entry: SFTPEntry) -> Int { entry.name.utf8.count + 32 }

    mutating func append(_ entry: SFTPEntry) {
        last.string(entry.name)
        entry.attributes.write(to: &last)
        count += 1
        guard last.bytes.count >= Self.chunkSize else { return }
        chunks.append(last.bytes)
        last = SSHWireWriter()
    }

    mutating func popFirst() -> SFTPEntry? {
        if reader.isAtEnd {
            if chunks.isEmpty {
                reader = SSHWireReader(last.bytes)
                last = SSHWireWriter()
            } else {
                reader = SSHWireReader(chunks.removeFirst())
            }
        }
        guard let name = try? reader.text(), let attributes = try? SFTPAttributes(from: &reader) else { return nil }
        count -= 1
        return SFTPEntry(name: name, attributes: attributes)
    }
}
