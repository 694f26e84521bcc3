/// Downloads a directory with all its content.
///
/// Whatever the server lists, nothing is written outside of `local`: names contain no `/`, and every entry is made by its name
/// in an open directory, which is never entered through a symbolic link. Memory is bounded too: directories are listed depth
/// first while files are copied, and ``ListingBudget`` limits how far ahead.
struct TreeDownload: TreeCopy {
    let client: SFTPClient
    let tally: CopyTally
    let budget: ByteBudget
    let remote: String
    let local: String
    /// Whether the user named `local`, so that it may be a link to a directory.
    let followsRootLink: Bool
    let listings: ListingBudget

    /// Directories that are listed at once: each may hold a packet of 256 KiB.
    private static let maximumListings = 16

    init(
        client: SFTPClient, tally: CopyTally, budget: ByteBudget, remote: String, local: String, followsRootLink: Bool
    ) {
        (self.client, self.tally, self.budget) = (client, tally, budget)
        (self.remote, self.local, self.followsRootLink) = (remote, local, followsRootLink)
        listings = ListingBudget(tally.options)
    }

    private enum StepResult: Sendable {
        case listed(TreeDirectory, TreeListing, number: Int)
        case postponed(TreeDirectory, number: Int)
        /// A directory that could not be made.
        case failed(number: Int)
        /// An entry, copied or failed.
        case entry
    }

    private var options: SFTPCopyOptions { tally.options }

    func copyAll() async throws {
        var queue = TreeQueue()
        var isListed = false
        defer { if !isListed { tally.totalIsKnown() } }
        queue.add(try await makeTopDirectory())
        let concurrency = max(1, options.concurrency)
        try await withThrowingTaskGroup(of: StepResult.self) { group in
            var (listing, copying, number) = (0, 0, 0)
            // With other listings running, a deferred listing would soon be deferred again.
            var isCrowded = false
            var parent: (directory: TreeDirectory, open: LocalDirectory)?
            while true {
                while listing < (isCrowded ? 1 : min(concurrency, Self.maximumListings)),
                    listings.isBelowSoftLimit || (listing == 0 && queue.nextParent == nil), let next = queue.nextDirectory()
                {
                    number += 1
                    listing += 1
                    listings.began(number)
                    group.addTask { [number] in try await list(next, number) }
                }
                while copying < concurrency, let directory = queue.nextParent {
                    if parent?.directory !== directory {
                        parent = try await open(directory).map { (directory, $0) }
                    }
                    guard let open = parent?.open else {
                        try await leaveOut(directory, &queue)
                        continue
                    }
                    guard let entry = queue.nextEntry() else { break }
                    listings.give(HeldEntries.cost(of: entry))
                    copying += 1
                    group.addTask {
                        try await tally.attempt { try await copy(entry, in: directory, open) }
                        try await finish(directory)
                        return .entry
                    }
                }
                guard let done = try await group.next() else { return }
                switch done {
                case .entry: copying -= 1
                case .failed(let number), .listed(_, _, let number), .postponed(_, let number):
                    listing -= 1
                    listings.ended(number)
                }
                if case .listed(let directory, let entries, _) = done { queue.add(entries, of: directory) }
                if case .postponed(let directory, _) = done {
                    queue.add(directory)
                    isCrowded = true
                }
                if listings.mayParallelize { isCrowded = false }
                if !isListed, listing == 0, !queue.hasDirectories {
                    isListed = true
                    tally.totalIsKnown()
                }
            }
        }
    }

    // MARK: Directories

    private func makeTopDirectory() async throws -> TreeDirectory {
        let attributes = try await client.attributes(of: remote)
        let top = try await client.onDisk { [local, followsRootLink] in
            let directory: LocalDirectory
            if followsRootLink, (try? LocalPath.status(local))?.kind == .directory {
                directory = try LocalDirectory(local)
            } else {
                directory = try LocalDirectory(ServerPath.parent(of: local))
                    .makeDirectory(ServerPath.name(of: local), permissions: attributes.permissions ?? 0o777)
            }
            return try TreeDirectory(top: directory, attributes)
        }
        tally.note { $0.directories += 1 }
        listings.hold(TreeDirectory.cost)
        return top
    }

    private func list(_ next: TreeQueue.Directory, _ number: Int) async throws -> StepResult {
        let directory: TreeDirectory
        switch next {
        case .made(let made): directory = made
        case .entry(let entry, let parent):
            listings.give(HeldEntries.cost(of: entry))
            guard let made = try await make(entry, in: parent) else {
                try await finish(parent)
                return .failed(number: number)
            }
            directory = made
        }
        let lister = TreeListing.DirectoryLister(client: client, tally: tally, budget: listings)
        guard let listing = try await lister.list(source(directory), number: number) else {
            return .postponed(directory, number: number)
        }
        tally.expect(files: listing.files, bytes: listing.bytes)
        directory.expect(listing.count)
        try await finish(directory)
        return .listed(directory, listing, number: number)
    }

    /// - Returns: nil if it could not be made.
    private func make(_ entry: SFTPEntry, in parent: TreeDirectory) async throws -> TreeDirectory? {
        try await client.checkDepth(parent.depth + 1, in: source(parent))
        var made: TreeDirectory?
        try await tally.attempt {
            made = try await client.onDisk { try TreeDirectory(making: entry, in: parent) }
        }
        guard let made else { return nil }
        tally.note { $0.directories += 1 }
        listings.hold(TreeDirectory.cost)
        return made
    }

    /// - Returns: nil if it can no longer be opened, which is recorded.
    private func open(_ directory: TreeDirectory) async throws -> LocalDirectory? {
        var open: LocalDirectory?
        try await tally.attempt { open = try await client.onDisk { try directory.open() } }
        return open
    }

    private func leaveOut(_ directory: TreeDirectory, _ queue: inout TreeQueue) async throws {
        while queue.nextParent === directory, let entry = queue.nextEntry() {
            listings.give(HeldEntries.cost(of: entry))
            try await finish(directory)
        }
    }

    /// An entry of a directory is done. After the last one the directory gets its attributes, and is done in its parent.
    private func finish(_ directory: TreeDirectory) async throws {
        var directory: TreeDirectory? = directory
        while let finished = directory, finished.finished() {
            listings.give(TreeDirectory.cost)
            if options.preservesAttributes {
                let attributes = finished.entry.attributes
                try await tally.attempt {
                    try await client.onDisk {
                        try finished.open().set(permissions: attributes.permissions.map { $0 & 0o777 }, attributes.times)
                    }
                }
            }
            directory = finished.parent
        }
    }

    private func source(_ directory: TreeDirectory) -> String {
        let path = directory.path
        return path.isEmpty ? remote : ServerPath.join(remote, path)
    }

    // MARK: Entries

    private func copy(_ entry: SFTPEntry, in directory: TreeDirectory, _ open: LocalDirectory) async throws {
        let source = ServerPath.join(source(directory), entry.name)
        guard entry.attributes.kind == .regular else { return try await copyLink(source, entry.name, directory, open) }
        try await FileCopy(
            tally: tally, budget: budget, isInPlace: options.writesInPlace,
            from: RemoteSourcePlace(
                client: client, path: source, known: entry.attributes.size == nil ? nil : entry.attributes),
            to: LocalTargetPlace(client: client, directory: open, name: entry.name)
        ).run()
    }

    private func copyLink(_ source: String, _ name: String, _ directory: TreeDirectory, _ open: LocalDirectory) async throws {
        let path = directory.path.isEmpty ? name : directory.path + "/" + name
        guard let goal = try await client.target(ofLink: source, inTree: path, tally) else { return }
        try await client.onDisk { try open.makeLink(name, to: goal) }
        tally.note { $0.symbolicLinks += 1 }
    }
}

/// A copy of a directory with all its content from a server.
protocol TreeCopy: Sendable {
    /// - Throws: also `TreeLimit`.
    func copyAll() async throws
}

extension TreeCopy {
    func run() async throws {
        do {
            try await copyAll()
        } catch let limit as TreeLimit {
            throw limit.error
        }
    }
}

/// Rules for every tree on a server.
enum RemoteTree {
    /// Levels of directories below the top: deeper than any path that a system takes.
    static let maximumDepth = 256

    /// Whether a link's target, by its text, is in the tree: relative, and with no more `..` than there are levels above it.
    ///
    /// `..` after another component is refused: that component may be a link, and `..` would start from the link's target.
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

extension SFTPClient {
    /// - Parameters:
    ///   - depth: that of a directory in a tree; 0 for the top.
    ///   - path: the directory above it.
    func checkDepth(_ depth: Int, in path: String) async throws {
        guard depth > RemoteTree.maximumDepth else { return }
        throw TreeLimit(error: await limitExceeded(in: path, "more than \(RemoteTree.maximumDepth) levels of directories"))
    }

    /// The target of a symbolic link in a tree; nil if it leads out of the tree, which is reported.
    ///
    /// - Parameter place: the link's path below the top.
    func target(ofLink path: String, inTree place: String, _ tally: CopyTally) async throws -> String? {
        let goal = try await target(ofLink: path)
        if RemoteTree.staysInside(goal, from: place) { return goal }
        tally.leftOut("\(path) is left out: it is a link that leads out of the copied directory (\(goal)).")
        return nil
    }

    /// Makes a directory of a tree, or uses an existing one. For an existing one the server reports only a failure.
    ///
    /// - Returns: whether it is new.
    func ensureDirectory(_ path: String, mode: UInt32) async throws -> Bool {
        var attributes = SFTPAttributes()
        // Whatever the source's mode, this copy must be able to write into the directory.
        attributes.mode = mode & 0o777 | 0o700
        let request = SFTPRequest.mkdir(path, attributes)
        let reply = try await send(request)
        if case .status(SFTPStatus.ok, _) = reply { return true }
        guard try await found(.stat(path))?.kind == .directory else { throw await failure(reply, request) }
        return false
    }

    /// Makes a symbolic link of a tree; replaces an old link of that name.
    func replaceLink(_ path: String, to goal: String) async throws {
        do {
            try await makeSymbolicLink(path, to: goal)
        } catch let error as SSHError where error.code == .sftpAlreadyExists {
            guard try await linkAttributes(of: path).kind == .symbolicLink else { throw error }
            try await remove(path)
            try await makeSymbolicLink(path, to: goal)
        }
    }
}
