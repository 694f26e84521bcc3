internal import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Uploads a local directory with all its content.
///
/// Everything is opened below the top's descriptor and never through a symbolic link. A link that replaces a file or a
/// directory during the copy is not followed.
struct TreeUpload: Sendable {
    let client: SFTPClient
    let tally: CopyTally
    let budget: ByteBudget
    let local: String
    let remote: String

    /// The entries of the tree, each kind in the order of its depth.
    struct TreeContents: Sendable {
        /// The identity of the top, which is not kept open: there may be more trees than descriptors.
        let identity: LocalDirectory.Identity
        var directories: [TreeEntry] = []
        var files: [TreeEntry] = []
        var links: [TreeEntry] = []
        /// Neither files nor directories nor links.
        var unsupportedEntries: [String] = []
        var faults: [SSHFileProblem] = []
        var isTooMany = false
    }

    struct TreeEntry: Sendable {
        /// Below the top; empty for the top itself.
        var path: String
        var depth: Int
        var status: stat

        /// The directory that it is in, opened.
        func directory(below top: LocalDirectory) throws(LocalFault) -> LocalDirectory {
            do {
                return try top.directory(at: parent)
            } catch {
                throw error.ofReading
            }
        }

        /// The directory that contains it; empty at the top.
        var parent: Substring { path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? "" }
    }

    /// The outcomes of creating directories, by their paths below the top.
    private struct CreatedDirectories: Sendable {
        /// These directories are new, and so were empty.
        var new: Set<String> = []
        /// These directories, or one above them, could not be made.
        var failed: Set<String> = []

        /// Whether an item's directory is there.
        func hasDirectory(of item: TreeEntry) -> Bool { !failed.contains(String(item.parent)) }
        /// The items whose directories exist. Concurrent copies share the entries, so none needs its own list.
        func withDirectories(_ items: [TreeEntry]) -> [TreeEntry] { failed.isEmpty ? items : items.filter(hasDirectory(of:)) }
        func isNew(_ item: TreeEntry) -> Bool { new.contains(String(item.parent)) }
    }

    private var options: SFTPCopyOptions { tally.options }

    /// Examines a whole directory tree.
    ///
    /// - Throws: `LocalFault`, `UploadProblem`.
    static func look(at local: String, atMost most: Int) throws -> TreeContents {
        let top = try LocalDirectory(local)
        let found = try walk(top, top.identity(), atMost: most)
        guard !found.isTooMany else {
            throw UploadProblem(
                SSHFileProblem(.limitExceeded, .local, operation: "copy", path: local, detail: "more than \(most) entries"))
        }
        return found
    }

    /// Copies what was found.
    func copy(_ found: TreeContents) async throws {
        let top = try await client.onDisk { [local] in
            let top = try LocalDirectory(local)
            guard try top.identity() == found.identity else {
                throw LocalFault("read", local, detail: "it was replaced by something else")
            }
            return top
        }
        for entry in found.unsupportedEntries { tally.leftOut("\(entry) is left out: it is not a file, directory or link.") }
        for problem in found.faults {
            let error = await client.error(problem)
            try await tally.attempt { throw error }
        }
        let made = try await makeDirectories(found.directories)
        let (files, links) = (made.withDirectories(found.files), made.withDirectories(found.links))
        try await concurrently(files, atMost: options.concurrency) { item in
            try await tally.attempt {
                let isNew = made.isNew(item)
                var old: UInt32?
                var isInPlace = false
                if !isNew, !options.preservesAttributes || options.writesInPlace {
                    let there = try await client.found(.lstat(target(item)))
                    (old, isInPlace) = (there?.kind == .regular ? there?.permissions : nil, there?.kind == .regular)
                }
                try await FileCopy(
                    // A link is replaced: nothing is written through it.
                    tally: tally, budget: budget, isInPlace: options.writesInPlace && isInPlace,
                    from: LocalSourcePlace(
                        client: client, path: ServerPath.join(local, item.path),
                        directory: { try item.directory(below: top) }),
                    to: RemoteTargetPlace(client: client, path: target(item), oldMode: old)
                ).run()
            }
        }
        try await concurrently(links, atMost: options.concurrency) { item in
            try await tally.attempt { try await copyLink(item, below: top) }
        }
        guard options.preservesAttributes else { return }
        // New entries change a directory's time, so attributes are set last, the deepest directory first.
        for item in found.directories.reversed() where !made.failed.contains(item.path) {
            try await tally.attempt { try await setAttributes(item) }
        }
    }

    private func target(_ item: TreeEntry) -> String { item.path.isEmpty ? remote : ServerPath.join(remote, item.path) }

    // MARK: Local

    /// Every entry by `lstat`; symbolic links are not followed.
    private static func walk(
        _ top: LocalDirectory, _ identity: LocalDirectory.Identity, atMost most: Int
    ) throws -> TreeContents {
        var found = TreeContents(identity: identity)
        var level = [TreeEntry(path: "", depth: 0, status: try top.status(of: "."))]
        var count = 0
        while !level.isEmpty {
            found.directories += level
            var next: [TreeEntry] = []
            for directory in level {
                let place = directory.path.isEmpty ? top.path : ServerPath.join(top.path, directory.path)
                do throws(LocalFault) {
                    let open = try top.directory(at: directory.path[...])
                    for name in try open.names() {
                        count += 1
                        guard count <= most else {
                            found.isTooMany = true
                            return found
                        }
                        let path = directory.path.isEmpty ? name : directory.path + "/" + name
                        let status: stat
                        do throws(LocalFault) {
                            status = try open.status(of: name)
                        } catch {
                            found.faults.append(SSHFileProblem(error))
                            continue
                        }
                        let item = TreeEntry(path: path, depth: directory.depth + 1, status: status)
                        switch status.kind {
                        case .directory: next.append(item)
                        case .regular: found.files.append(item)
                        case .symbolicLink: found.links.append(item)
                        case .other: found.unsupportedEntries.append("\(place)/\(name)")
                        }
                    }
                } catch {
                    found.faults.append(SSHFileProblem(error))
                }
            }
            level = next
        }
        return found
    }

    // MARK: Remote

    /// Makes the directories level by level, those of a level at once. Directories below a failed one are left out.
    private func makeDirectories(_ directories: [TreeEntry]) async throws -> CreatedDirectories {
        let made = Mutex(CreatedDirectories())
        var rest = directories[...]
        while let depth = rest.first?.depth {
            let level = Array(rest.prefix { $0.depth == depth })
            rest = rest.dropFirst(level.count)
            try await concurrently(level, atMost: options.concurrency) { item in
                var isMade = made.withLock { item.path.isEmpty || $0.hasDirectory(of: item) }
                if isMade {
                    isMade = try await tally.attempt {
                        let isNew = try await client.ensureDirectory(target(item), mode: UInt32(item.status.st_mode))
                        if isNew { made.withLock { _ = $0.new.insert(item.path) } }
                        tally.note { $0.directories += 1 }
                    }
                }
                if !isMade { made.withLock { _ = $0.failed.insert(item.path) } }
            }
        }
        return made.withLock { $0 }
    }

    private func copyLink(_ item: TreeEntry, below top: LocalDirectory) async throws {
        let goal = try await client.onDisk {
            try item.directory(below: top).target(ofLink: ServerPath.name(of: item.path))
        }
        try await client.replaceLink(target(item), to: goal)
        tally.note { $0.symbolicLinks += 1 }
    }

    private func setAttributes(_ item: TreeEntry) async throws {
        var attributes = SFTPAttributes()
        attributes.mode = UInt32(item.status.st_mode) & 0o7777
        attributes.times = item.status.sftpTimes
        try await client.set(attributes, of: target(item))
    }
}
