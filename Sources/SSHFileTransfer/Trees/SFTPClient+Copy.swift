internal import ErrorCore

extension SFTPClient {
    /// Uploads files, and directories with ``SFTPCopyOptions/isRecursive``, to the server.
    ///
    /// Each file is written under a temporary name in its final directory. When it is complete it gets its final name in one
    /// step, and replaces an old file. Sources may be symbolic links. Below them no link is followed, even if another user
    /// replaces a file or a directory with one during the copy.
    ///
    /// - Parameters:
    ///   - sources: local paths.
    ///   - destination: a directory for the sources, or the new path of a single source, as with cp(1). Empty means the
    ///     server's start directory.
    /// - Throws: ``SSHError``; the first failure of a file, unless ``SFTPCopyOptions/continuesAfterFailure`` keeps it in the
    ///   result.
    public func upload(
        _ sources: [String], to destination: String, options: SFTPCopyOptions = SFTPCopyOptions()
    ) async throws -> SFTPCopyResult {
        try await tallied(options) { try await uploadAll(sources, to: destination, $0) }
    }

    /// Uploads sources that have been examined.
    package func upload(
        _ sources: [UploadSource], to destination: String, options: SFTPCopyOptions
    ) async throws -> SFTPCopyResult {
        try await tallied(options) { tally in
            let (place, kind) = try await prepared(destination, for: sources.map(\.path), options)
            try await upload(sources, to: place, kind, tally)
        }
    }

    private func uploadAll(_ sources: [String], to destination: String, _ tally: CopyTally) async throws {
        let options = tally.options
        let (place, kind) = try await prepared(destination, for: sources, options)
        // Examine all sources before copying the first, so that the total size is known.
        var found: [UploadSource] = []
        for source in sources {
            try await tally.attempt { found.append(try await onDisk { try UploadSource(source, options) }) }
        }
        try await upload(found, to: place, kind, tally)
    }

    /// - Parameter kind: the kind of the existing entry; nil if there is none.
    private func upload(
        _ sources: [UploadSource], to place: String, _ kind: SFTPFileKind?, _ tally: CopyTally
    ) async throws {
        let budget = ByteBudget(tally.options)
        let jobs = sources.map { source in
            tally.expect(files: source.files, bytes: source.bytes)
            let target = kind == .directory ? ServerPath.join(place, source.name) : place
            guard let found = source.tree else {
                let from = LocalSourcePlace(client: self, path: source.path)
                return CopyJob(target: target) { try await self.copy(from, toRemote: target, tally, budget) }
            }
            let tree = TreeUpload(client: self, tally: tally, budget: budget, local: source.path, remote: target)
            return CopyJob(target: target, isTree: true) { try await tree.copy(found) }
        }
        tally.totalIsKnown()
        try await tally.perform(jobs)
    }

    /// The path of a destination on the server, and the kind of its existing entry; nil if there is none.
    func prepared(
        _ destination: String, for sources: [String], _ options: SFTPCopyOptions
    ) async throws -> (String, SFTPFileKind?) {
        let place = try await serverPath(destination.isEmpty ? "." : destination)
        if options.createsParents {
            try await makeDirectory(Self.directory(for: sources, place), createParents: true)
        }
        let there = try await found(.stat(place)).map { $0.kind ?? .regular }
        let kind = options.finished.map { $0.destination(found: there) } ?? there
        try await requireDirectory(kind, for: sources, place, .remote)
        return (place, kind)
    }

    /// The directory that must exist: the destination itself for several sources, or if it ends with a slash.
    private static func directory(for sources: [String], _ place: String) -> String {
        sources.count > 1 || place.utf8.last == UInt8(ascii: "/") ? place : ServerPath.parent(of: place)
    }

    func copy(
        _ from: any SourcePlace, toRemote target: String, _ tally: CopyTally, _ budget: ByteBudget
    ) async throws {
        let old = try await found(.stat(target))
        switch old.map({ $0.kind ?? .regular }) {
        case .directory: throw await error(SSHFileProblem(.isDirectory, .remote, operation: "replace", path: target))
        case .other:
            try await StreamCopy(tally: tally, from: from, to: RemoteStreamPlace(client: self, path: target)).run()
        case .regular where try await linkAttributes(of: target).kind == .symbolicLink:
            let place = RemoteTargetPlace(client: self, path: try await realPath(of: target), oldMode: old?.permissions)
            try await FileCopy(tally: tally, budget: budget, from: from, to: place).run()
        default:
            let place = RemoteTargetPlace(client: self, path: target, oldMode: old?.permissions)
            try await FileCopy(tally: tally, budget: budget, from: from, to: place).run()
        }
    }

    /// Downloads files, and directories with ``SFTPCopyOptions/isRecursive``, from the server.
    ///
    /// The set-id bits of files are dropped, and symbolic links that lead out of a copied directory are left out. Directories
    /// are copied while they are listed, so that memory is bounded however large they are. The following ends with
    /// `ssh.sftp.limit-exceeded`: a directory of more than 250,000 entries, a name of more than 1,024 bytes or a directory's
    /// path of more than 4,096 (that directory alone, with ``SFTPCopyOptions/continuesAfterFailure``); more than 256 levels,
    /// more than ``SFTPCopyOptions/maximumEntries``, and more than 12 MiB of names that wait to be copied (the whole copy).
    ///
    /// `destination` may be a symbolic link or lead through some. Below `destination` no link is followed: every entry is made in
    /// a directory that was opened without following links, even if another user exchanges one during the copy.
    ///
    /// - Parameters:
    ///   - sources: paths at the server.
    ///   - destination: a directory for the sources, or the new path of a single source, as with cp(1).
    /// - Throws: as ``upload(_:to:options:)``.
    public func download(
        _ sources: [String], to destination: String, options: SFTPCopyOptions = SFTPCopyOptions()
    ) async throws -> SFTPCopyResult {
        try await tallied(options) { try await downloadAll(sources, to: destination, $0) }
    }

    private func downloadAll(_ sources: [String], to destination: String, _ tally: CopyTally) async throws {
        let options = tally.options
        let budget = ByteBudget(options)
        let place = destination.isEmpty ? "." : destination
        let sources = try await expanded(sources, tally)
        if options.createsParents {
            let directory = Self.directory(for: sources, place)
            try await onDisk { try LocalPath.makeDirectories(directory) }
        }
        let there = try await onDisk { (try? LocalPath.status(place))?.kind }
        let kind = options.finished.map { $0.destination(found: there) } ?? there
        try await requireDirectory(kind, for: sources, place, .local)
        var jobs: [CopyJob] = []
        for (source, found) in zip(sources, try await kinds(at: sources, options)) {
            try await tally.attempt {
                let path = source.isEmpty ? "." : source
                let attributes = try found.get()
                var name = ServerPath.name(of: path)
                if name.isEmpty { name = ServerPath.name(of: try await realPath(of: path)) }
                let target = kind == .directory ? ServerPath.join(place, name) : place
                guard attributes.kind == .directory else {
                    try await requireFile(attributes, at: path)
                    tally.expect(files: 1, bytes: attributes.size ?? 0)
                    let from = RemoteSourcePlace(client: self, path: path)
                    return jobs.append(CopyJob(target: target) { try await self.copy(from, toLocal: target, tally, budget) })
                }
                try await requireRecursive(path, .remote, options)
                tally.totalIsUnknown()
                let tree = TreeDownload(
                    client: self, tally: tally, budget: budget, remote: path, local: target,
                    followsRootLink: target == place || name.isEmpty)
                jobs.append(CopyJob(target: target, isTree: true) { try await tree.run() })
            }
        }
        tally.totalIsKnown()
        try await tally.perform(jobs)
    }

    /// The kind of each source.
    func kinds(at sources: [String], _ options: SFTPCopyOptions) async throws -> [Result<SFTPAttributes, any Error>] {
        try await results(of: sources, atMost: options.concurrency) { try await self.attributes(of: $0.isEmpty ? "." : $0) }
    }

    /// The sources with patterns replaced by their matches.
    func expanded(_ sources: [String], _ tally: CopyTally) async throws -> [String] {
        var paths: [String] = []
        for source in sources {
            try await tally.attempt {
                let path = try await serverPath(source)
                paths += tally.options.expandsWildcards ? try await self.paths(matching: path) : [path]
            }
        }
        return paths
    }

    /// The path as the server has it: a Windows server takes `C:\dir` and `C:/dir` as such, but lists and joins them as `/C:/dir`.
    private func serverPath(_ path: String) async throws -> String {
        guard let form = ServerPath.driveForm(of: path), ServerPath.beginsWithDrive(try await realPath(of: ".")) else {
            return path
        }
        return form
    }

    /// The target of a download, which follows a symbolic link that the user has named.
    private func copy(
        _ from: any SourcePlace, toLocal target: String, _ tally: CopyTally, _ budget: ByteBudget
    ) async throws {
        let follows = tally.options.followsTarget
        let there = try await onDisk { (try? follows ? LocalPath.status(target) : LocalPath.linkStatus(target))?.kind }
        if there == .directory { throw await error(SSHFileProblem(.isDirectory, .local, operation: "replace", path: target)) }
        // A redirected descriptor of any kind is written at its offset.
        if there == .other || follows && LocalPath.descriptor(namedBy: target) != nil {
            return try await StreamCopy(tally: tally, from: from, to: LocalStreamPlace(client: self, path: target)).run()
        }
        let place = try await onDisk {
            let path = there == .regular ? LocalPath.resolved(target) : target
            return LocalTargetPlace(
                client: self, directory: try LocalDirectory(ServerPath.parent(of: path)), name: ServerPath.name(of: path))
        }
        try await FileCopy(tally: tally, budget: budget, from: from, to: place).run()
    }

    /// A cancelled wait for a thread or a turn ends with another error than a cancelled request. Both are reported alike.
    func tallied(_ options: SFTPCopyOptions, _ work: (CopyTally) async throws -> Void) async throws -> SFTPCopyResult {
        if let problem = options.problem { throw await refusal(problem.field, problem.text) }
        let tally = CopyTally(options)
        do {
            try await work(tally)
            return tally.result
        } catch {
            let result = tally.result
            options.interrupted?(result)
            let cancelled = error is CancellationError
            let failure = cancelled ? await transport.error(of: Fault(.cancelled(signal: nil), stage: .local)) : error
            // The failure of a single file describes that file well enough.
            guard let failure = failure as? SSHError, failure.category != .file else { throw failure }
            var evidence = failure.evidence
            evidence.copy = SSHCopyEvidence(
                files: result.files, resumes: options.resumes, partialFiles: result.partialFiles.map(PathText.shown))
            throw SSHFailureClassifier.classify(evidence)
        }
    }

    // MARK: Places

    /// Nil if there is nothing.
    func found(_ request: SFTPRequest) async throws -> SFTPAttributes? {
        let reply = try await send(request)
        switch reply {
        case .attributes(let attributes): return attributes
        // wolfSSH's server answers with the same code if a file does not exist. An existing entry that cannot be examined fails
        // later.
        case .status(SFTPStatus.noSuchFile, _), .status(SFTPStatus.failure, _): return nil
        default: throw await failure(reply, request)
        }
    }

    func requireRecursive(_ path: String, _ side: SSHFileProblem.Side, _ options: SFTPCopyOptions) async throws {
        if options.isRecursive { return }
        throw await error(SSHFileProblem(.isDirectory, side, operation: "copy", path: path))
    }

    /// A pipe would make the server wait for a writer, and a device need not end.
    func requireFile(_ attributes: SFTPAttributes, at path: String) async throws {
        guard attributes.kind == .other else { return }
        throw await error(
            SSHFileProblem(.readFailed, .remote, operation: "copy", path: path, detail: "it is not a regular file"))
    }

    /// Whether a file has the name of a missing directory: with a trailing slash such a name is not found.
    private func isTaken(_ place: String, _ side: SSHFileProblem.Side) async throws -> Bool {
        let name = place.utf8.last == UInt8(ascii: "/") ? ServerPath.parent(of: place) : place
        guard side == .local else { return try await found(.stat(name)) != nil }
        return try await onDisk { (try? LocalPath.status(name)) != nil }
    }

    /// Several sources need a directory to go to, and so does a destination that ends with a slash.
    private func requireDirectory(
        _ kind: SFTPFileKind?, for sources: [String], _ place: String, _ side: SSHFileProblem.Side
    ) async throws {
        guard kind != .directory, sources.count > 1 || place.utf8.last == UInt8(ascii: "/") else { return }
        if kind == nil, try await !isTaken(place, side) {
            throw await error(SSHFileProblem(.noSuchFile, side, operation: "copy into", path: place))
        }
        throw await error(
            SSHFileProblem(.writeFailed, side, operation: "copy into", path: place, detail: "it is not a directory"))
    }
}
