internal import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Copies one file from the server: under a temporary name, which becomes the final one when the copy is complete.
struct FileDownload: Sendable {
    let client: SFTPClient
    let tally: CopyTally
    let budget: ByteBudget
    let remote: String
    let target: Target
    /// The listing's attributes; without them the open file is queried.
    var known: SFTPAttributes?

    /// The target of a file.
    enum Target: Sendable {
        /// A name in an open directory.
        case entry(LocalDirectory, String)
        /// A device that the user has named: it is written to as it is.
        case device(String)
    }

    private var options: SFTPCopyOptions { tally.options }
    private var isInPlace: Bool { if case .device = target { true } else { false } }

    func run() async throws {
        tally.began(remote)
        let open = SFTPRequest.open(remote, .read)
        let handle = try await client.handle(open)
        let attributes: SFTPAttributes
        let file: LocalFile
        do {
            if let known { attributes = known } else { attributes = try await client.attributes(.fstat(handle, path: remote)) }
            guard attributes.kind != .directory else {
                throw await client.error(FileProblem(.isDirectory, .remote, operation: "copy", path: remote))
            }
            file = try await create(attributes)
            if !isInPlace { tally.madePartial(file.path) }
        } catch {
            _ = try? await client.send([.close(handle, path: remote)], isCleanup: true)
            throw error
        }
        do {
            try await fill(file, handle, attributes)
            if options.verifiesChecksums, !isInPlace {
                _ = try await client.verify(local: file, remote: remote, named: remote, tally)
            }
            try await publish(file, attributes)
        } catch {
            if !options.resumes, discard(file) { tally.endedPartial(file.path) }
            throw error
        }
        tally.endedPartial(file.path)
        tally.completed()
    }

    private func temporaryName(for name: String, _ attributes: SFTPAttributes) -> String {
        guard options.resumes else { return PartialName.unique(for: name) }
        return PartialName.resumable(
            for: name, size: attributes.size ?? 0, modification: attributes.times?.modification ?? 0, window: options.window)
    }

    /// The set-id bits of a server's file are not copied.
    private func create(_ attributes: SFTPAttributes) async throws -> LocalFile {
        guard case .entry(let directory, let name) = target else {
            return try await client.onDisk { [path = localPath] in try LocalFile(path, O_WRONLY) }
        }
        let flags = O_RDWR | O_CREAT | (options.resumes ? 0 : O_EXCL)
        let temporary = temporaryName(for: name, attributes)
        let (file, isOwn) = try await client.onDisk { [options] in
            // Without preserved modes, a copy must not grant access that the file it replaces denied.
            let old = options.preservesAttributes ? nil : (try? directory.status(of: name))
            let mode = old.flatMap { $0.kind == .regular ? UInt32($0.st_mode) : nil } ?? attributes.permissions ?? 0o666
            let file = try directory.file(temporary, flags, mode: mode & 0o777 | (options.resumes ? 0o600 : 0))
            return (file, try !options.resumes || Self.isOwn(file))
        }
        guard isOwn else {
            throw await client.error(
                FileProblem(
                    .writeFailed, .local, operation: "go on with", path: file.path,
                    detail: "it is not a regular file of your own with no other name"))
        }
        return file
    }

    private var localPath: String {
        switch target {
        case .entry(let directory, let name): ServerPath.join(directory.path, name)
        case .device(let path): path
        }
    }

    /// - Returns: whether nothing is left of a partial copy.
    private func discard(_ file: LocalFile) -> Bool {
        guard case .entry(let directory, _) = target else { return false }
        return directory.discard(ServerPath.name(of: file.path))
    }

    /// A file that another user put in the place of a partial copy is neither written to nor trusted.
    private static func isOwn(_ file: LocalFile) throws(LocalFault) -> Bool {
        let status = try file.status()
        return status.kind == .regular && status.st_uid == geteuid() && status.st_nlink == 1
    }

    // MARK: Content

    private func fill(_ file: LocalFile, _ handle: [UInt8], _ attributes: SFTPAttributes) async throws {
        let size = attributes.kind == .regular || attributes.kind == nil ? attributes.size ?? 0 : 0
        if size > 0, size <= UInt64(client.limits.read), !options.resumes { return try await fillAtOnce(file, handle, size) }
        do {
            if size == 0 {
                try await fillToEnd(file, handle)
            } else {
                try await fillInParts(file, handle, size)
            }
        } catch {
            _ = try? await client.send([.close(handle, path: remote)], isCleanup: true)
            throw error
        }
        try await client.done(.close(handle, path: remote))
    }

    /// Reads the content and closes the file together, where the server sends the content in one answer.
    ///
    /// A handle whose close was sent is never closed again, whatever the answer: the server may have given its number to another
    /// file.
    private func fillAtOnce(_ file: LocalFile, _ handle: [UInt8], _ size: UInt64) async throws {
        var isCloseSent = false
        let count: UInt64
        do {
            count = try await budget.lending(Int(size)) {
                let requests: [SFTPRequest] = [.read(handle, 0..<size, path: remote), .close(handle, path: remote)]
                isCloseSent = true
                let replies = try await client.send(requests)
                if Self.isPage(size), case .status(SFTPStatus.endOfFile, _) = replies[0] { return 0 }
                guard let bytes = replies[0].fileBytes else { throw await readFailure(replies[0], requests[0]) }
                try await client.check(replies[1], requests[1])
                try await store(bytes, in: file, at: 0)
                return UInt64(bytes.count)
            }
        } catch {
            if !isCloseSent { _ = try? await client.send([.close(handle, path: remote)], isCleanup: true) }
            throw error
        }
        // A server may give less than was asked for (filexfer-02 section 6.4), and by now the file is closed.
        guard count < size else { return }
        let handle = try await client.handle(.open(remote, .read))
        do {
            if try await !isMereClaim(size, handle, end: count) { try await fillParts(file, handle, count..<size, of: size) }
        } catch {
            _ = try? await client.send([.close(handle, path: remote)], isCleanup: true)
            throw error
        }
        try await client.done(.close(handle, path: remote))
    }

    /// Files of /sys say that they hold a page, whatever they hold.
    private static func isPage(_ size: UInt64) -> Bool { [4096, 16384, 65536].contains(size) }

    /// Whether a file ends before its size and goes on to claim that: then it did not become shorter.
    private func isMereClaim(_ size: UInt64, _ handle: [UInt8], end: UInt64) async throws -> Bool {
        guard Self.isPage(size),
            case .status(SFTPStatus.endOfFile, _) = try await client.send(.read(handle, end..<size, path: remote))
        else { return false }
        return try await client.attributes(.fstat(handle, path: remote)).size == size
    }

    private func fillInParts(_ file: LocalFile, _ handle: [UInt8], _ size: UInt64) async throws {
        var start: UInt64 = 0
        if options.resumes, !isInPlace {
            let found = try await client.onDisk { try file.status() }.byteCount
            start = PartialName.resumption(found: found, size: size, window: options.window, part: client.limits.read)
            if found > size { try await client.onDisk { try file.truncate(to: 0) } }
            if start > 0 { tally.resumed(start) }
        }
        try await fillParts(file, handle, start..<size, of: size)
    }

    private func fillParts(_ file: LocalFile, _ handle: [UInt8], _ range: Range<UInt64>, of size: UInt64) async throws {
        let end = Mutex(size)
        var window = TransferWindow(range, part: client.limits.read, limit: options.window)
        try await window.run(reach: { options.reach(budget) }) { range in
            try await budget.lending(range.count) {
                let request = SFTPRequest.read(handle, range, path: remote)
                let reply = try await client.send(request)
                if case .status(SFTPStatus.endOfFile, _) = reply, try await isMereClaim(size, handle, end: range.lowerBound) {
                    end.withLock { $0 = min($0, range.lowerBound) }
                    return range.count
                }
                guard let bytes = reply.fileBytes else { throw await readFailure(reply, request) }
                try await store(bytes, in: file, at: range.lowerBound)
                return bytes.count
            }
        }
        // Truncate the remains of an earlier copy beyond the end.
        let last = end.withLock { $0 }
        if last < size, !isInPlace { try await client.onDisk { try file.truncate(to: last) } }
    }

    /// A file with a reported size of 0 may have content all the same: those of /proc do.
    private func fillToEnd(_ file: LocalFile, _ handle: [UInt8]) async throws {
        // Whether an earlier partial copy has the same content is unknown.
        if options.resumes, !isInPlace { try await client.onDisk { try file.truncate(to: 0) } }
        var offset: UInt64 = 0
        while true {
            let request = SFTPRequest.read(handle, offset..<offset + UInt64(client.limits.read), path: remote)
            let reply = try await client.send(request)
            if case .status(SFTPStatus.endOfFile, _) = reply { return }
            guard let bytes = reply.fileBytes else { throw await client.failure(reply, request) }
            try await store(bytes, in: file, at: offset)
            offset += UInt64(bytes.count)
        }
    }

    private func store(_ bytes: FileBytes, in file: LocalFile, at offset: UInt64) async throws {
        try await client.onDisk { try file.write(bytes, at: offset) }
        tally.moved(bytes.count)
    }

    private func readFailure(_ reply: SFTPReply, _ request: SFTPRequest) async -> SSHError {
        if case .status(SFTPStatus.endOfFile, _) = reply { return await shortened() }
        return await client.failure(reply, request)
    }

    private func shortened() async -> SSHError {
        await client.error(
            FileProblem(.readFailed, .remote, operation: "read", path: remote, detail: "it became shorter while it was copied"))
    }

    private func publish(_ file: LocalFile, _ attributes: SFTPAttributes) async throws {
        guard case .entry(let directory, let name) = target else { return }
        let (permissions, times) = options.preservesAttributes ? (attributes.permissions, attributes.times) : (nil, nil)
        try await client.onDisk {
            if let permissions { try file.set(permissions: permissions & 0o777) }
            if let times { try file.set(times) }
            try file.confirm()
            try directory.rename(ServerPath.name(of: file.path), to: name)
        }
    }
}
