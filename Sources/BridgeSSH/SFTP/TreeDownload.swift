internal import Synchronization

/// A directory of the server's, with all that is in it, on its way here.
///
/// Whatever the server lists, nothing is written outside of `local`: names hold no `/`, directories are never entered through a
/// symbolic link, and links are made when everything else is there, and only those that stay inside.
struct TreeDownload: Sendable {
    let client: SFTPClient
    let tally: CopyTally
    let budget: ByteBudget
    let remote: String
    let local: String
    /// Whether the user named `local` himself, so that it may be a link to a directory.
    let followsTop: Bool

    /// Deeper than any path that a system takes.
    static let deepest = 256

    private struct Item: Sendable {
        /// Below the top; empty for the top itself.
        var path: String
        var attributes: SFTPAttributes
    }

    private var options: SFTPCopyOptions { tally.options }

    func run() async throws {
        let top = Item(path: "", attributes: try await client.attributes(of: remote))
        let found = Mutex(Found())
        var directories: [Item] = []
        var level = [top]
        var depth = 0
        while !level.isEmpty {
            guard depth <= Self.deepest else { throw await tooMany(level[0].path, "more than \(Self.deepest) levels") }
            level = try await makeDirectories(level)
            directories += level
            let next = Mutex<[Item]>([])
            try await concurrently(level, atMost: options.concurrency) { directory in
                try await tally.attempt {
                    let entries = try await list(directory, found)
                    next.withLock { $0 += entries }
                }
            }
            level = next.withLock { $0 }
            depth += 1
        }
        let (files, links) = found.withLock { ($0.files, $0.links) }
        tally.expect(files: files.count, bytes: files.reduce(0) { $0 &+ ($1.attributes.size ?? 0) })
        try await concurrently(files, atMost: options.concurrency) { item in
            try await tally.attempt {
                try await FileDownload(
                    client: client, tally: tally, budget: budget, remote: source(item), local: target(item),
                    known: item.attributes.size == nil ? nil : item.attributes
                ).run()
            }
        }
        try await concurrently(links, atMost: options.concurrency) { item in
            try await tally.attempt { try await copyLink(item) }
        }
        guard options.preservesAttributes else { return }
        for item in directories.reversed() {
            try await tally.attempt {
                try await client.onDisk {
                    try LocalPath.set(
                        target(item), permissions: item.attributes.permissions.map { $0 & 0o777 }, item.attributes.times)
                }
            }
        }
    }

    private func source(_ item: Item) -> String { item.path.isEmpty ? remote : ServerPath.join(remote, item.path) }
    private func target(_ item: Item) -> String { item.path.isEmpty ? local : ServerPath.join(local, item.path) }

    // MARK: Listing

    private struct Found {
        var files: [Item] = []
        var links: [Item] = []
        var count = 0
    }

    /// The directories in a directory; what else is in it is added to `found`.
    private func list(_ directory: Item, _ found: borrowing Mutex<Found>) async throws -> [Item] {
        var directories: [Item] = []
        var entries = client.list(source(directory)).makeAsyncIterator()
        while let name = try await entries.nextName() {
            guard case .entry(let entry) = name else {
                if case .foreign(let path) = name { try await leaveOut(foreign: path, in: directory, found) }
                continue
            }
            let path = directory.path.isEmpty ? entry.name : directory.path + "/" + entry.name
            var item = Item(path: path, attributes: entry.attributes)
            // A listing need not tell what an entry is.
            if item.attributes.kind == nil { item.attributes = try await client.linkAttributes(of: source(item)) }
            let count = found.withLock { found in
                found.count += 1
                switch item.attributes.kind {
                case .regular: found.files.append(item)
                case .symbolicLink: found.links.append(item)
                default: break
                }
                return found.count
            }
            guard count <= options.maximumEntries else {
                throw await tooMany(directory.path, "more than \(options.maximumEntries) entries")
            }
            switch item.attributes.kind {
            case .directory: directories.append(item)
            case .other, nil:
                let left = source(item)
                tally.note { $0.notices.append("\(left) is left out: it is no file, directory or link.") }
            case .regular, .symbolicLink: break
            }
        }
        return directories
    }

    /// A name that no path of ours can carry is a failure of that file alone.
    private func leaveOut(foreign path: String, in directory: Item, _ found: borrowing Mutex<Found>) async throws {
        let count = found.withLock { found in
            found.count += 1
            return found.count
        }
        guard count <= options.maximumEntries else {
            throw await tooMany(directory.path, "more than \(options.maximumEntries) entries")
        }
        let error = await client.error(
            FileProblem(.readFailed, .remote, operation: "copy", path: path, detail: "its name is not UTF-8"))
        try await tally.attempt { throw error }
    }

    /// A listing without end is no failure of one file, which others could be copied in spite of.
    private func tooMany(_ path: String, _ detail: String) async -> SSHError {
        await client.error(
            FileProblem(.limitExceeded, .remote, operation: "list", path: ServerPath.join(remote, path), detail: detail))
    }

    // MARK: Here

    /// Those that are there now; what is in the others is left out.
    private func makeDirectories(_ directories: [Item]) async throws -> [Item] {
        var made: [Item] = []
        for item in directories {
            let path = target(item)
            let isMade = try await tally.attempt {
                try await client.onDisk {
                    if followsTop, item.path.isEmpty, (try? LocalPath.status(path, follows: true).kind) == .directory { return }
                    _ = try LocalPath.makeDirectory(path, permissions: item.attributes.permissions ?? 0o777)
                }
            }
            if isMade { made.append(item) }
        }
        tally.note { [made] in $0.directories += made.count }
        return made
    }

    private func copyLink(_ item: Item) async throws {
        let goal = try await client.target(ofLink: source(item))
        guard Self.staysInside(goal, from: item.path) else {
            let name = source(item)
            tally.note { $0.notices.append("\(name) is left out: it is a link that leads outside of what is copied (\(goal)).") }
            return
        }
        try await client.onDisk { try LocalPath.makeLink(target(item), to: goal) }
        tally.note { $0.symbolicLinks += 1 }
    }

    /// Whether a link's target, by its text, is in the tree: relative, and with no more `..` than there are levels above it.
    ///
    /// `..` behind another component is refused: it leads up from where that one leads to, which may be a link too.
    static func staysInside(_ goal: String, from path: String) -> Bool {
        guard !goal.isEmpty, goal.utf8.first != UInt8(ascii: "/") else { return false }
        var level = path.utf8.split(separator: UInt8(ascii: "/")).count - 1
        var hasDescended = false
        for part in goal.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            guard part.elementsEqual("..".utf8) else {
                hasDescended = true
                continue
            }
            level -= 1
            if hasDescended || level < 0 { return false }
        }
        return true
    }
}
