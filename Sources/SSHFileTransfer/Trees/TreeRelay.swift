/// Copies a directory with all its content from one server to another.
///
/// Memory is bounded as for a download: directories are listed depth first, each after the earlier listings are copied.
struct TreeRelay: TreeCopy {
    let source: SFTPClient
    let target: SFTPClient
    let tally: CopyTally
    let budget: ByteBudget
    let from: String
    let to: String

    private struct RelayedDirectory: Sendable {
        /// Below the top; empty for the top itself.
        var path: String
        var depth: Int
        var attributes: SFTPAttributes
        var directories = HeldEntries()
    }

    private static let batch = 1000

    func copyAll() async throws {
        defer { tally.totalIsKnown() }
        let budget = ListingBudget(tally.options)
        let top = RelayedDirectory(path: "", depth: 0, attributes: try await source.attributes(of: from))
        guard let first = try await enter(top, budget, 0) else { return }
        var open = [first]
        var number = 0
        while let last = open.indices.last {
            guard let entry = open[last].directories.popFirst() else {
                try await leave(open.removeLast())
                continue
            }
            budget.give(HeldEntries.cost(of: entry))
            number += 1
            let folder = RelayedDirectory(
                path: open[last].path.isEmpty ? entry.name : open[last].path + "/" + entry.name, depth: open[last].depth + 1,
                attributes: entry.attributes)
            try await source.checkDepth(folder.depth, in: place(open[last].path, in: from))
            if let entered = try await enter(folder, budget, number) { open.append(entered) }
        }
    }

    private func place(_ path: String, in top: String) -> String { path.isEmpty ? top : ServerPath.join(top, path) }

    /// Lists a directory, makes it at the other server and copies the files in it.
    ///
    /// It is listed completely before anything is created: both may be the same server, with the target inside the source.
    ///
    /// - Returns: nil if it could not be made.
    private func enter(_ folder: RelayedDirectory, _ budget: ListingBudget, _ number: Int) async throws -> RelayedDirectory? {
        budget.began(number)
        defer { budget.ended(number) }
        let lister = TreeListing.DirectoryLister(client: source, tally: tally, budget: budget)
        guard let listing = try await lister.list(place(folder.path, in: from), number: number) else { return nil }
        var isNew = false
        let isMade = try await tally.attempt {
            isNew = try await target.ensureDirectory(
                place(folder.path, in: to), mode: folder.attributes.permissions ?? 0o777)
        }
        guard isMade else {
            budget.give(listing.held)
            return nil
        }
        tally.note { $0.directories += 1 }
        tally.expect(files: listing.files, bytes: listing.bytes)
        var folder = folder
        folder.directories = listing.directories
        var others = listing.others
        while others.count > 0 {
            var batch: [SFTPEntry] = []
            while batch.count < Self.batch, let entry = others.popFirst() {
                budget.give(HeldEntries.cost(of: entry))
                batch.append(entry)
            }
            try await concurrently(batch, atMost: tally.options.concurrency) { [folder, isNew] entry in
                try await tally.attempt { try await copy(entry, in: folder, isNew: isNew) }
            }
        }
        return folder
    }

    private func copy(_ entry: SFTPEntry, in folder: RelayedDirectory, isNew: Bool) async throws {
        let path = folder.path.isEmpty ? entry.name : folder.path + "/" + entry.name
        let (there, here) = (place(path, in: from), place(path, in: to))
        guard entry.attributes.kind == .regular else {
            guard let goal = try await source.target(ofLink: there, inTree: path, tally) else { return }
            try await target.replaceLink(here, to: goal)
            return tally.note { $0.symbolicLinks += 1 }
        }
        let old = isNew ? nil : try await target.found(.lstat(here))
        let oldMode = old?.kind == .regular ? old?.permissions : nil
        try await FileCopy(
            // A link is replaced: nothing is written through it.
            tally: tally, budget: budget, isInPlace: tally.options.writesInPlace && oldMode != nil,
            from: RemoteSourcePlace(
                client: source, path: there, known: entry.attributes.size == nil ? nil : entry.attributes),
            to: RemoteTargetPlace(client: target, path: here, oldMode: oldMode)
        ).run()
    }

    /// New entries change a directory's time, so its attributes are set last.
    private func leave(_ folder: RelayedDirectory) async throws {
        guard tally.options.preservesAttributes else { return }
        var attributes = SFTPAttributes()
        attributes.mode = folder.attributes.permissions.map { $0 & 0o777 }
        attributes.times = folder.attributes.times
        try await tally.attempt { try await target.set(attributes, of: place(folder.path, in: to)) }
    }
}

extension SFTPClient {
    /// Copies files, and directories with ``SFTPCopyOptions/isRecursive``, from another server to this one, through this
    /// process.
    ///
    /// As ``download(_:to:options:)`` and ``upload(_:to:options:)`` do; the other server is trusted no more than in a download.
    ///
    /// - Parameters:
    ///   - sources: paths at the other server.
    ///   - other: the client of the other server.
    ///   - destination: a directory here that the sources go into, or for one source its new path, as with cp(1).
    /// - Throws: as ``upload(_:to:options:)``.
    public func copy(
        _ sources: [String], from other: SFTPClient, to destination: String, options: SFTPCopyOptions = SFTPCopyOptions()
    ) async throws -> SFTPCopyResult {
        try await tallied(options) { try await copyAll(sources, from: other, to: destination, $0) }
    }

    private func copyAll(
        _ sources: [String], from other: SFTPClient, to destination: String, _ tally: CopyTally
    ) async throws {
        let options = tally.options
        let budget = ByteBudget(options)
        let sources = try await other.expanded(sources, tally)
        let (place, kind) = try await prepared(destination, for: sources, options)
        var jobs: [CopyJob] = []
        for (source, found) in zip(sources, try await other.kinds(at: sources, options)) {
            try await tally.attempt {
                let path = source.isEmpty ? "." : source
                let attributes = try found.get()
                var name = ServerPath.name(of: path)
                if name.isEmpty { name = ServerPath.name(of: try await other.realPath(of: path)) }
                let target = kind == .directory ? ServerPath.join(place, name) : place
                guard attributes.kind == .directory else {
                    try await other.requireFile(attributes, at: path)
                    tally.expect(files: 1, bytes: attributes.size ?? 0)
                    let from = RemoteSourcePlace(client: other, path: path)
                    return jobs.append(
                        CopyJob(target: target) { try await self.copy(from, toRemote: target, tally, budget) })
                }
                try await other.requireRecursive(path, .remote, options)
                tally.totalIsUnknown()
                let tree = TreeRelay(source: other, target: self, tally: tally, budget: budget, from: path, to: target)
                jobs.append(CopyJob(target: target, isTree: true) { try await tree.run() })
            }
        }
        tally.totalIsKnown()
        try await tally.perform(jobs)
    }
}
