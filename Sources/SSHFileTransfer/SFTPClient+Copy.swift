internal import ErrorCore

extension SFTPClient {
    /// Uploads files, and directories with ``SFTPCopyOptions/isRecursive``, to the server.
    ///
    /// Each file is written under a name of its own in the directory where it is going to be, and gets its right name, in one step
    /// and in place of an old file, when all of it is there. Sources may be symbolic links; below them none is followed, also where
    /// another user exchanges a file or a directory for one during the copy.
    ///
    /// - Parameters:
    ///   - sources: local paths.
    ///   - destination: a directory that the sources go into, or for one source its new path, as with cp(1). Empty stands for the
    ///     directory that the server starts in.
    /// - Throws: ``SSHError``; the first failure of a file, unless ``SFTPCopyOptions/continuesAfterFailure`` keeps it in the result.
    public func upload(
        _ sources: [String], to destination: String, options: SFTPCopyOptions = SFTPCopyOptions()
    ) async throws -> SFTPCopyResult {
        try await tallied(options) { try await uploadAll(sources, to: destination, $0) }
    }

    private func uploadAll(_ sources: [String], to destination: String, _ tally: CopyTally) async throws {
        let options = tally.options
        let budget = ByteBudget(options.window, upTo: options.largestWindow)
        let place = destination.isEmpty ? "." : destination
        let kind = try await kindOfRemote(place)
        try await requireDirectory(kind, for: sources, place, .remote)
        for source in sources {
            try await tally.attempt {
                let status = try await onDisk { try LocalPath.status(source) }
                let name = ServerPath.name(of: source.isEmpty ? source : await resolvedName(source))
                let target = kind == .directory ? ServerPath.join(place, name) : place
                if status.kind == .directory {
                    try await requireRecursive(source, .local, options)
                    try await TreeUpload(client: self, tally: tally, budget: budget, local: source, remote: target).run()
                } else {
                    tally.expect(files: 1, bytes: status.byteCount)
                    let old = try await replaced(target)
                    try await FileUpload(
                        client: self, tally: tally, budget: budget, local: source, remote: old.path, oldMode: old.mode,
                        isInPlace: old.isDevice
                    ).run()
                }
            }
        }
    }

    /// Downloads files, and directories with ``SFTPCopyOptions/isRecursive``, from the server.
    ///
    /// The set-id bits of files are dropped, and symbolic links that lead out of a copied directory are left out. Directories are
    /// copied while they are listed, so that memory is bounded however large they are. The following ends with
    /// `ssh.sftp.limit-exceeded`: a directory of more than 250,000 entries, a name of more than 1,024 bytes or a directory's path
    /// of more than 4,096 (that directory alone, with ``SFTPCopyOptions/continuesAfterFailure``); more than 256 levels, more than
    /// ``SFTPCopyOptions/maximumEntries``, and more than 12 MiB of names that wait to be copied (the whole copy).
    ///
    /// `destination` may be or lead through symbolic links. Below it nothing is written through one: everything is made in
    /// directories that are opened without following links, also where another user exchanges one during the copy.
    ///
    /// - Parameters:
    ///   - sources: paths at the server.
    ///   - destination: a directory that the sources go into, or for one source its new path, as with cp(1).
    /// - Throws: as ``upload(_:to:options:)``.
    public func download(
        _ sources: [String], to destination: String, options: SFTPCopyOptions = SFTPCopyOptions()
    ) async throws -> SFTPCopyResult {
        try await tallied(options) { try await downloadAll(sources, to: destination, $0) }
    }

    private func downloadAll(_ sources: [String], to destination: String, _ tally: CopyTally) async throws {
        let options = tally.options
        let budget = ByteBudget(options.window, upTo: options.largestWindow)
        let place = destination.isEmpty ? "." : destination
        let kind = try await onDisk { (try? LocalPath.status(place))?.kind }
        try await requireDirectory(kind, for: sources, place, .local)
        for source in sources {
            try await tally.attempt {
                let path = source.isEmpty ? "." : source
                let attributes = try await attributes(of: path)
                var name = ServerPath.name(of: path)
                if name.isEmpty { name = ServerPath.name(of: try await realPath(of: path)) }
                let target = kind == .directory ? ServerPath.join(place, name) : place
                if attributes.kind == .directory {
                    try await requireRecursive(path, .remote, options)
                    try await TreeDownload(
                        client: self, tally: tally, budget: budget, remote: path, local: target,
                        followsTop: target == place || name.isEmpty
                    ).run()
                } else {
                    tally.expect(files: 1, bytes: attributes.size ?? 0)
                    try await FileDownload(
                        client: self, tally: tally, budget: budget, remote: path, target: try await targetOfFile(at: target)
                    ).run()
                }
            }
        }
    }

    /// Where a file goes: in place of the file that a symbolic link leads to, if the user has named one.
    private func targetOfFile(at path: String) async throws -> FileDownload.Target {
        let there = try await onDisk { (try? LocalPath.status(path))?.kind }
        if there == .directory { throw await error(FileProblem(.isDirectory, .local, operation: "replace", path: path)) }
        if there == .other { return .device(path) }
        return try await onDisk {
            let path = there == .regular ? LocalPath.resolved(path) : path
            return .entry(try LocalDirectory(ServerPath.parent(of: path)), ServerPath.name(of: path))
        }
    }

    /// Waiting for a thread or for one's turn ends with another error than a request does; both are reported alike.
    private func tallied(_ options: SFTPCopyOptions, _ work: (CopyTally) async throws -> Void) async throws -> SFTPCopyResult {
        if let problem = options.problem { throw await refusal(problem.field, problem.text) }
        let tally = CopyTally(options)
        do {
            try await work(tally)
            return tally.result
        } catch {
            let result = tally.result
            options.interrupted?(result)
            let cancelled = error is CancellationError
            let failure = cancelled ? await carrier.error(of: Fault(.cancelled(signal: nil), stage: .local), session: nil) : error
            // The failure of a single file describes that file well enough.
            guard let failure = failure as? SSHError, failure.category != .file else { throw failure }
            var evidence = failure.evidence
            evidence.copy = CopyEvidence(
                files: result.files, resumes: options.resumes, partialFiles: result.partialFiles)
            throw FailureClassifier.classify(evidence)
        }
    }

    // MARK: Places

    /// Nil where there is nothing.
    private func kindOfRemote(_ path: String) async throws -> SFTPFileKind? {
        try await found(.stat(path)).map { $0.kind ?? .regular }
    }

    /// Nil where there is nothing.
    func found(_ request: SFTPRequest) async throws -> SFTPAttributes? {
        do {
            return try await attributes(request)
        } catch SSHError.sftpNoSuchFile {
            return nil
        }
    }

    /// The path that a target is to be replaced at, a symbolic link being followed, with the mode of what is there, and whether
    /// it is a device.
    private func replaced(_ target: String) async throws -> (path: String, mode: UInt32?, isDevice: Bool) {
        let old = try await found(.stat(target))
        switch old.map({ $0.kind ?? .regular }) {
        case .directory: throw await error(FileProblem(.isDirectory, .remote, operation: "replace", path: target))
        case .other: return (target, nil, true)
        case .regular where try await linkAttributes(of: target).kind == .symbolicLink:
            return (try await realPath(of: target), old?.permissions, false)
        default: return (target, old?.permissions, false)
        }
    }

    /// `.` and `..` have names too.
    private func resolvedName(_ path: String) async -> String {
        ServerPath.name(of: path).isEmpty ? LocalPath.resolved(path) : path
    }

    private func requireRecursive(_ path: String, _ side: FileProblem.Side, _ options: SFTPCopyOptions) async throws {
        if options.isRecursive { return }
        throw await error(FileProblem(.isDirectory, side, operation: "copy", path: path))
    }

    /// Several sources need a directory to go to, and so does a destination that ends with a slash.
    private func requireDirectory(
        _ kind: SFTPFileKind?, for sources: [String], _ place: String, _ side: FileProblem.Side
    ) async throws {
        guard kind != .directory, sources.count > 1 || place.utf8.last == UInt8(ascii: "/") else { return }
        if kind == nil { throw await error(FileProblem(.noSuchFile, side, operation: "copy into", path: place)) }
        throw await error(
            FileProblem(.writeFailed, side, operation: "copy into", path: place, detail: "it is no directory"))
    }
}
