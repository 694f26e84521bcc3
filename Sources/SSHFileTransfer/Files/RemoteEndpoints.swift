internal import ErrorCore
internal import Synchronization

/// A file at a server to be copied.
struct RemoteSourcePlace: SourcePlace {
    let client: SFTPClient
    let path: String
    /// The listing's attributes; without them the open file is queried.
    var known: SFTPAttributes?

    func open() async throws -> any FileSource {
        let handle = RemoteHandle(client, try await client.handle(.open(path, .read)), path: path)
        do {
            let attributes: SFTPAttributes
            if let known {
                attributes = known
            } else {
                attributes = try await client.attributes(.fstat(handle.bytes, path: path))
            }
            guard attributes.kind != .directory else {
                throw await client.error(SSHFileProblem(.isDirectory, .remote, operation: "copy", path: path))
            }
            return RemoteSource(handle, attributes)
        } catch {
            await handle.abandon()
            throw error
        }
    }
}

/// An open file at a server that is being read.
final class RemoteSource: FileSource {
    let client: SFTPClient
    let path: String
    let attributes: SFTPAttributes
    private let handle: Mutex<RemoteHandle>

    init(_ handle: RemoteHandle, _ attributes: SFTPAttributes) {
        (client, path, self.attributes) = (handle.client, handle.path, attributes)
        self.handle = Mutex(handle)
    }

    private var open: RemoteHandle { handle.withLock { $0 } }

    var side: SSHFileProblem.Side { .remote }
    var identity: String { path }
    var part: Int { client.limits.read }
    var isUnsized: Bool { size == 0 }

    func read(_ range: Range<UInt64>) async throws -> FileBytes {
        let request = open.request(.read(open.bytes, range, path: path))
        return try await content(try await client.send(request), request)
    }

    /// The server may return less than was requested (filexfer-02 section 6.4), and then the file is closed already.
    func readWhole(_ size: UInt64) async throws -> FileBytes {
        let request = SFTPRequest.read(open.bytes, 0..<size, path: path)
        guard let close = open.takeClose() else { return FileBytes() }
        let replies = try await client.send([request, close])
        let bytes = try await content(replies[0], request)
        try await client.check(replies[1], close)
        return bytes
    }

    private func content(_ reply: SFTPReply, _ request: SFTPRequest) async throws -> FileBytes {
        if case .status(SFTPStatus.endOfFile, _) = reply { return FileBytes() }
        guard let bytes = reply.fileBytes else { throw await client.failure(reply, request) }
        return bytes
    }

    func reopen() async throws {
        if open.isOpen { return }
        let new = RemoteHandle(client, try await client.handle(.open(path, .read)), path: path)
        handle.withLock { $0 = new }
    }

    func hasFalseSize(_ size: UInt64) async throws -> Bool {
        // Files of /sys always report the size of a page.
        guard [4096, 16384, 65536].contains(size) else { return false }
        return try await client.attributes(.fstat(open.bytes, path: path)).size == size
    }

    func checksum() async throws -> FileChecksum { try await client.remoteChecksum(path, size: size) }

    func close() async throws { try await open.close() }
    func abandon() async { await open.abandon() }
}

/// A path at a server.
struct RemoteTargetPlace: TargetPlace {
    let client: SFTPClient
    let path: String
    /// The mode of the existing file of that name, if it is known.
    var oldMode: UInt32?

    func fileSize() async throws -> UInt64? {
        guard let there = try await client.found(.lstat(path)), there.kind == .regular else { return nil }
        return there.size ?? 0
    }

    func open(for source: any FileSource, isInPlace: Bool, _ tally: CopyTally) async throws -> any FileTarget {
        let options = tally.options
        let temporary =
            isInPlace
            ? path
            : ServerPath.join(
                ServerPath.parent(of: path), PartialName.of(ServerPath.name(of: path), source, options))
        if options.resumes, !isInPlace { try await requireOrdinary(temporary) }
        var attributes = SFTPAttributes()
        attributes.mode = source.attributes.newMode(replacing: oldMode, options)
        // In a directory such as /tmp Linux refuses to open another user's existing file for creation.
        let isThere = isInPlace ? try await hasFile() : false
        var flags: SFTPRequest.OpenFlags = isThere ? .write : [.write, .create]
        if !isInPlace, !options.resumes { flags.insert(.exclusive) }
        // The server may make the file while its answer is lost.
        let isNew = flags.contains(.exclusive)
        if isNew { tally.madePartial(temporary) }
        let bytes: [UInt8]
        do {
            bytes = try await client.handle(.open(temporary, flags, attributes, named: path))
        } catch {
            let isAnswered = (error as? SSHError)?.category == .file
            if isNew, isAnswered { tally.endedPartial(temporary) }
            if isNew, !isAnswered, await client.discard(temporary) { tally.endedPartial(temporary) }
            guard let error = error as? SSHError, error.code == .sftpPermissionDenied, !isInPlace else { throw error }
            throw DirectoryRefusal(error: error)
        }
        if !isNew { tally.madePartial(temporary) }
        return RemoteTarget(
            client: client, handle: RemoteHandle(client, bytes, path: path), path: path, temporary: temporary,
            isInPlace: isInPlace)
    }

    /// Checks that the partial copy is a regular file: another user may have replaced it.
    private func requireOrdinary(_ temporary: String) async throws {
        guard let kind = try await client.found(.lstat(temporary))?.kind, kind != .regular else { return }
        throw await client.error(
            SSHFileProblem(.writeFailed, .remote, operation: "resume", path: temporary, detail: "it is not a regular file"))
    }
}

/// An open file at a server that is being written.
struct RemoteTarget: FileTarget {
    let client: SFTPClient
    let handle: RemoteHandle
    let path: String
    let temporary: String
    let isInPlace: Bool
    private let refusesAttributes = Flag()

    /// A notice from writing the file, reported once the file has its name.
    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    init(client: SFTPClient, handle: RemoteHandle, path: String, temporary: String, isInPlace: Bool) {
        (self.client, self.handle, self.path) = (client, handle, path)
        (self.temporary, self.isInPlace) = (temporary, isInPlace)
    }

    var side: SSHFileProblem.Side { .remote }
    var part: Int { client.limits.write }

    func size() async throws -> UInt64 { try await client.attributes(.fstat(handle.bytes, path: path)).size ?? 0 }

    func write(_ bytes: FileBytes, at offset: UInt64) async throws {
        try await client.done(.write(handle.bytes, at: offset, bytes, path: path))
    }

    func truncate(to size: UInt64) async throws {
        var attributes = SFTPAttributes()
        attributes.size = size
        try await client.done(.fsetstat(handle.bytes, attributes, path: path))
    }

    /// Sends content, attributes and close together, so that a small file takes one round trip after its open.
    func writeWhole(_ bytes: FileBytes, setting attributes: SFTPAttributes?) async throws {
        var requests: [SFTPRequest] = []
        if bytes.count > 0 { requests.append(.write(handle.bytes, at: 0, bytes, path: path)) }
        if let attributes { requests.append(.fsetstat(handle.bytes, attributes, path: path)) }
        if let close = handle.takeClose() { requests.append(close) }
        let replies = try await client.send(requests)
        for (reply, request) in zip(replies, requests) where request.type != .fsetstat { try await client.check(reply, request) }
        for (reply, request) in zip(replies, requests) where request.type == .fsetstat { try await settle(reply, attributes) }
    }

    func close(setting attributes: SFTPAttributes?) async throws {
        guard let attributes else { return try await handle.close() }
        let reply = try await client.send(.fsetstat(handle.bytes, attributes, path: path))
        try await handle.close()
        try await settle(reply, attributes)
    }

    /// A server may lack FSETSTAT, or be unable to set all attributes. As with sftp(1), that is not a failure: the content counts.
    private func settle(_ reply: SFTPReply, _ attributes: SFTPAttributes?) async throws {
        guard let attributes, case .status(let code, _) = reply, code != SFTPStatus.ok else { return }
        let other = try await client.send(.setstat(temporary, attributes))
        guard case .status(SFTPStatus.ok, _) = other else { return refusesAttributes.isSet.withLock { $0 = true } }
    }

    func checksum(of size: UInt64) async throws -> FileChecksum { try await client.remoteChecksum(temporary, size: size) }

    func abandon() async { await handle.abandon() }

    func remove() async -> Bool { await client.discard(temporary) }

    // MARK: The final name

    func publish(_ tally: CopyTally) async throws {
        if refusesAttributes.isSet.withLock({ $0 }) {
            tally.notice("\(path) does not have the mode and times of its source: the server does not set them.")
        }
        if isInPlace { return }
        do {
            try await client.rename(temporary, to: path)
        } catch let error as SSHError {
            switch error.code {
            case .sftpUnsupported: try await replace(tally)
            case .sftpPermissionDenied: throw DirectoryRefusal(error: error)
            case .sftpNoSuchFile:
                guard try await client.found(.lstat(temporary)) == nil else { throw error }
                throw await client.error(
                    SSHFileProblem(.writeFailed, .remote, operation: "finish", path: path, detail: PartialName.isGone))
            default: throw error
            }
        }
    }

    /// Replaces a file on a server that cannot do so in one step: the old file is renamed, and restored if the new one does not
    /// get its name. In between no file has the name, which is reported.
    private func replace(_ tally: CopyTally) async throws {
        if try await client.linkAttributes(of: path).kind == .directory {
            throw await client.error(SSHFileProblem(.isDirectory, .remote, operation: "replace", path: path))
        }
        let old = ServerPath.join(ServerPath.parent(of: path), PartialName.unique(for: ServerPath.name(of: path)))
        do {
            // If the caller is cancelled during this call, it is unknown whether the rename was done.
            try await client.done(.rename(path, to: old))
            try await client.done(.rename(temporary, to: path))
        } catch {
            _ = try? await client.send([.rename(old, to: path)], isCleanup: true)
            throw error
        }
        _ = try? await client.send([.remove(old)], isCleanup: true)
        tally.notice(
            "\(path) was not replaced in one step: the server has no posix-rename@openssh.com, so for a short time no file had that name."
        )
    }
}

extension SFTPClient {
    /// Removes a partial copy.
    ///
    /// - Returns: whether it no longer exists.
    func discard(_ path: String) async -> Bool {
        switch try? await send([.remove(path)], isCleanup: true).first {
        case .status(SFTPStatus.ok, _), .status(SFTPStatus.noSuchFile, _): true
        default: false
        }
    }
}
