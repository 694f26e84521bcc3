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
        private var waiting: SFTPNames?
        private var isAtEnd = false

        init(client: SFTPClient, path: String) { (self.client, self.path) = (client, path) }

        /// The next entry; nil at the end.
        ///
        /// - Throws: ``SSHError``: `ssh.sftp.unsafe-name` for a name that is empty or contains `/` or NUL,
        ///   `ssh.sftp.limit-exceeded` for one of more than 1,024 bytes.
        public mutating func next() async throws -> SFTPEntry? {
            while let name = try await nextName() {
                if case .entry(let entry) = name { return entry }
            }
            return nil
        }

        /// As ``next()``, but `.` and `..` are entries too.
        mutating func nextName() async throws -> ListedName? {
            while true {
                if let name = waiting?.popFirst() {
                    do {
                        return try await client.checkedName(name, in: path)
                    } catch {
                        throw await end(by: error)
                    }
                }
                if isAtEnd { return nil }
                let handle: [UInt8]
                if let open = self.handle { handle = open } else { handle = try await client.handle(.opendir(path)) }
                self.handle = handle
                let request = SFTPRequest.readdir(handle, path: path)
                let reply = try await client.send(request)
                switch reply {
                case .names(let names): waiting = names
                case .status(SFTPStatus.endOfFile, _):
                    isAtEnd = true
                    try await client.done(.close(handle, path: path))
                default: throw await end(by: await client.failure(reply, request))
                }
            }
        }

        private mutating func end(by error: any Error) async -> any Error {
            await end()
            return error
        }

        /// Closes the directory before its end.
        mutating func end() async {
            if let handle, !isAtEnd { _ = try? await client.send([.close(handle, path: path)], isCleanup: true) }
            isAtEnd = true
            waiting = nil
        }
    }

    /// An iterator from the first entry on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client, path: path) }
}

extension SFTPClient {
    /// The entries of a directory, in the server's order.
    public func list(_ path: String) -> SFTPListing { SFTPListing(client: self, path: path) }

    fileprivate func checkedName(_ name: SFTPName, in path: String) async throws -> ListedName {
        switch EntryName(name.bytes) {
        case .itself: return .itself
        case .entry(let text): return .entry(SFTPEntry(name: text, attributes: name.attributes))
        case .unsafe(let why): throw await unsafe(ServerPath.join(path, shown(name)), why)
        case .tooLong:
            throw await limitExceeded(in: path, "a name of \(name.bytes.count) bytes; the limit is \(EntryName.maximumLength)")
        }
    }

    /// The error for a directory that exceeds a limit on listings.
    func limitExceeded(in path: String, _ detail: String) async -> SSHError {
        await error(SSHFileProblem(.limitExceeded, .remote, operation: "list", path: path, detail: detail))
    }

    private func shown(_ name: SFTPName) -> String { PathText.text(Array(name.bytes.prefix(300))) }

    private func unsafe(_ shown: String, _ why: String) async -> SSHError {
        await error(SSHFileProblem(.unsafeName, .remote, operation: "list", path: shown, detail: why))
    }
}

/// The entry for each name of a listing.
enum ListedName: Sendable {
    /// `.` or `..`, which most listings contain.
    case itself
    case entry(SFTPEntry)
}

/// A checked name from a listing: it must name an entry of that directory.
enum EntryName: Equatable {
    /// `.` or `..`, which most listings contain.
    case itself
    case entry(String)
    case unsafe(String)
    /// Longer than ``maximumLength``.
    case tooLong

    /// In bytes. NAME_MAX is 255 nearly everywhere, but 255 characters of NTFS are up to 765 bytes.
    static let maximumLength = 1024

    init(_ bytes: [UInt8]) {
        if bytes == [0x2E] || bytes == [0x2E, 0x2E] {
            self = .itself
        } else if bytes.isEmpty {
            self = .unsafe("it is empty")
        } else if bytes.contains(UInt8(ascii: "/")) {
            self = .unsafe("it holds a /")
        } else if bytes.contains(0) {
            self = .unsafe("it holds a NUL")
        } else if bytes.count > Self.maximumLength {
            self = .tooLong
        } else {
            self = .entry(PathText.text(bytes))
        }
    }
}
