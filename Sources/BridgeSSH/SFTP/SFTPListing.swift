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
        private var waiting: ArraySlice<ListedName> = []
        private var isAtEnd = false

        init(client: SFTPClient, path: String) { (self.client, self.path) = (client, path) }

        /// The next entry; nil at the end.
        ///
        /// - Throws: ``SSHError``, `ssh.sftp.unsafe-name` for a name that is empty, holds `/` or NUL, or is not UTF-8.
        public mutating func next() async throws -> SFTPEntry? {
            switch try await nextName() {
            case .entry(let entry): return entry
            case .foreign(let path): throw await end(by: client.unsafe(path, "it is not UTF-8"))
            case nil: return nil
            }
        }

        /// As ``next()``, but a name that is not UTF-8 is an entry too.
        mutating func nextName() async throws -> ListedName? {
            while waiting.isEmpty, !isAtEnd {
                let handle: [UInt8]
                if let open = self.handle { handle = open } else { handle = try await client.handle(.opendir(path)) }
                self.handle = handle
                let request = SFTPRequest.readdir(handle, path: path)
                let reply = try await client.send(request)
                switch reply {
                case .names(let names):
                    do {
                        waiting = try await client.entries(names, in: path)[...]
                    } catch {
                        throw await end(by: error)
                    }
                case .status(SFTPStatus.endOfFile, _):
                    isAtEnd = true
                    try await client.done(.close(handle, path: path))
                default: throw await end(by: await client.failure(reply, request))
                }
            }
            return waiting.popFirst()
        }

        private mutating func end(by error: any Error) async -> any Error {
            if let handle, !isAtEnd { _ = try? await client.send([.close(handle, path: path)], isCleanup: true) }
            isAtEnd = true
            waiting = []
            return error
        }
    }

    /// An iterator from the first entry on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, path: path) }
}

extension SFTPClient {
    /// The entries of a directory, as they come.
    public func list(_ path: String) -> SFTPListing { SFTPListing(client: self, path: path) }

    func entries(_ names: [SFTPName], in path: String) async throws -> [ListedName] {
        var entries: [ListedName] = []
        for name in names {
            switch EntryName(name.bytes) {
            case .itself: continue
            case .entry(let text): entries.append(.entry(SFTPEntry(name: text, attributes: name.attributes)))
            case .foreign: entries.append(.foreign(shown(name, in: path)))
            case .unsafe(let why): throw await unsafe(shown(name, in: path), why)
            }
        }
        return entries
    }

    private func shown(_ name: SFTPName, in path: String) -> String {
        ServerPath.join(path, String(decoding: name.bytes.prefix(300), as: UTF8.self))
    }

    func unsafe(_ shown: String, _ why: String) async -> SSHError {
        await error(FileProblem(.unsafeName, .remote, operation: "list", path: shown, detail: why))
    }
}

/// What a listing comes to, name by name.
enum ListedName: Sendable {
    case entry(SFTPEntry)
    /// One that is not UTF-8, as a path to be shown.
    case foreign(String)
}

/// A name as a listing has it, judged: it must be the name of something in that directory.
enum EntryName: Equatable {
    /// `.` or `..`, which listings hold by custom.
    case itself
    case entry(String)
    /// Harmless, but not UTF-8: no path of ours can carry it.
    case foreign
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
            self = .foreign
        }
    }
}
