/// The entries of a directory, as the server sends them; `.` and `..` are left out.
///
/// For one reader at a time. The directory is closed at its end, or with the client.
public struct SFTPListing: AsyncSequence, Sendable {
    /// One entry.
    public typealias Element = SFTPEntry
    let client: SFTPClient
    let path: String

    /// Reads a directory.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: SFTPClient
        let path: String
        private var handle: [UInt8]?
        private var waiting: ArraySlice<SFTPEntry> = []
        private var isAtEnd = false

        init(client: SFTPClient, path: String) { (self.client, self.path) = (client, path) }

        /// The next entry; nil at the end.
        ///
        /// - Throws: ``SSHError``, `ssh.sftp.unsafe-name` for a name that is empty, holds `/` or NUL, or is not UTF-8.
        public mutating func next() async throws -> SFTPEntry? {
            while waiting.isEmpty, !isAtEnd {
                let handle: [UInt8]
                if let open = self.handle { handle = open } else { handle = try await client.handle(.opendir(path)) }
                self.handle = handle
                let request = SFTPRequest.readdir(handle, path: path)
                let reply = try await client.send(request)
                switch reply {
                case .names(let names): waiting = try await client.entries(names, in: path)[...]
                case .status(SFTPStatus.endOfFile, _):
                    isAtEnd = true
                    try await client.done(.close(handle, path: path))
                default:
                    let failure = await client.failure(reply, request)
                    _ = try? await client.send([.close(handle, path: path)], isCleanup: true)
                    throw failure
                }
            }
            return waiting.popFirst()
        }
    }

    /// An iterator from the first entry on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, path: path) }
}

extension SFTPClient {
    /// The entries of a directory, as they come.
    public func list(_ path: String) -> SFTPListing { SFTPListing(client: self, path: path) }

    func entries(_ names: [SFTPName], in path: String) async throws -> [SFTPEntry] {
        var entries: [SFTPEntry] = []
        for name in names {
            switch EntryName(name.bytes) {
            case .itself: continue
            case .entry(let text): entries.append(SFTPEntry(name: text, attributes: name.attributes))
            case .unsafe(let why):
                let shown = ServerPath.join(path, String(decoding: name.bytes.prefix(300), as: UTF8.self))
                throw await error(FileProblem(.unsafeName, .remote, operation: "list", path: shown, detail: why))
            }
        }
        return entries
    }
}

/// A name as a listing has it, judged: it must be the name of something in that directory.
enum EntryName: Equatable {
    /// `.` or `..`, which listings hold by custom.
    case itself
    case entry(String)
    case unsafe(String)

    init(_ bytes: [UInt8]) {
        if bytes == [0x2E] || bytes == [0x2E, 0x2E] {
            self = .itself
        } else if bytes.isEmpty {
            self = .unsafe("it is empty")
        } else if bytes.contains(UInt8(ascii: "/")) {
            self = .unsafe("it holds a /")
        } else if bytes.contains(0) {
            self = .unsafe("it holds a NUL")
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = .entry(text)
        } else {
            self = .unsafe("it is not UTF-8")
        }
    }
}
