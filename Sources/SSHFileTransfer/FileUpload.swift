#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One local file on its way to the server: under a temporary name, which becomes the final one when the copy is complete.
struct FileUpload: Sendable {
    let client: SFTPClient
    let tally: CopyTally
    let budget: ByteBudget
    let local: String
    /// The directory that `local` is in, where it was found in a tree: it is opened in there, and not if it is a symbolic link.
    var directory: (@Sendable () throws -> LocalDirectory)?
    let remote: String
    /// The mode of the file that has the name until now: without preserved modes, a copy must not grant access that it denied.
    var oldMode: UInt32?
    /// Whether the target is written to as it is: a device.
    var isInPlace = false

    private var options: SFTPCopyOptions { tally.options }

    func run() async throws {
        tally.began(local)
        let (file, status) = try await client.onDisk { [local, directory] in
            let file =
                try directory.map { try $0().file(ServerPath.name(of: local), O_RDONLY) } ?? LocalFile(local, O_RDONLY)
            return (file, try file.status())
        }
        guard status.kind != .directory else {
            throw await client.error(FileProblem(.isDirectory, .local, operation: "copy", path: local))
        }
        let temporary = isInPlace ? remote : temporaryName(status)
        if options.resumes, !isInPlace { try await requireOrdinary(temporary) }
        do {
            try await write(file, status, to: temporary)
            if options.verifiesChecksums, !isInPlace {
                _ = try await client.verify(local: file, remote: temporary, named: remote, tally)
            }
            if !isInPlace {
                try await publish(temporary)
                tally.endedPartial(temporary)
            }
        } catch {
            if !options.resumes, !isInPlace { await remove(temporary) }
            throw error
        }
        tally.completed()
    }

    private func remove(_ temporary: String) async {
        switch try? await client.send([.remove(temporary)], isCleanup: true).first {
        case .status(SFTPStatus.ok, _), .status(SFTPStatus.noSuchFile, _): tally.endedPartial(temporary)
        default: break
        }
    }

    /// A file that another user put in the place of a partial copy is not written to.
    private func requireOrdinary(_ temporary: String) async throws {
        guard let kind = try await client.found(.lstat(temporary))?.kind, kind != .regular else { return }
        throw await client.error(
            FileProblem(.writeFailed, .remote, operation: "go on with", path: temporary, detail: "it is no regular file"))
    }

    private func temporaryName(_ status: stat) -> String {
        let name = ServerPath.name(of: remote)
        let temporary =
            options.resumes
            ? PartialName.resumable(
                for: name, size: status.byteCount, modification: status.sftpTimes.modification, window: options.window)
            : PartialName.unique(for: name)
        return ServerPath.join(ServerPath.parent(of: remote), temporary)
    }

    private func publish(_ temporary: String) async throws {
        do {
            try await client.rename(temporary, to: remote)
        } catch SSHError.sftpUnsupported {
            try await replace(by: temporary)
        } catch SSHError.sftpWriteFailed {
            // The server says only that it failed; a directory of that name is what it mostly is.
            if let kind = try? await client.linkAttributes(of: remote).kind, kind == .directory {
                throw await client.error(FileProblem(.isDirectory, .remote, operation: "replace", path: remote))
            }
            throw await client.error(FileProblem(.writeFailed, .remote, operation: "rename a file to", path: remote))
        }
    }

    /// For servers that cannot replace a file in one step: the old one is set aside, and restored if the new one does not get its
    /// name. Between the two no file has the name, which is reported.
    private func replace(by temporary: String) async throws {
        if try await client.linkAttributes(of: remote).kind == .directory {
            throw await client.error(FileProblem(.isDirectory, .remote, operation: "replace", path: remote))
        }
        let aside = ServerPath.join(ServerPath.parent(of: remote), PartialName.unique(for: ServerPath.name(of: remote)))
        do {
            // A caller that is cancelled during this call does not learn whether the rename was done.
            try await client.done(.rename(remote, to: aside))
            try await client.done(.rename(temporary, to: remote))
        } catch {
            _ = try? await client.send([.rename(aside, to: remote)], isCleanup: true)
            throw error
        }
        _ = try? await client.send([.remove(aside)], isCleanup: true)
        tally.notice(
            "\(remote) was not replaced in one step: the server has no posix-rename@openssh.com, so for a moment no file had that name."
        )
    }

    // MARK: Content

    private func write(_ file: LocalFile, _ status: stat, to temporary: String) async throws {
        var attributes = SFTPAttributes()
        // The owner must be able to write a file that a later copy resumes.
        let mode = (options.preservesAttributes ? nil : oldMode) ?? UInt32(status.st_mode)
        attributes.mode = mode & 0o777 | (options.resumes ? 0o200 : 0)
        var flags: SFTPRequest.OpenFlags = [.write]
        if !isInPlace { flags.insert(.create) }
        if !isInPlace, !options.resumes { flags.insert(.exclusive) }
        let size = status.byteCount
        var isUnsized = try await isUnsized(file, status)
        // The server may create it and its answer may be lost.
        if !isInPlace, !options.resumes { tally.madePartial(temporary) }
        let handle = try await client.handle(.open(temporary, flags, attributes))
        if !isInPlace, options.resumes { tally.madePartial(temporary) }
        if status.kind == .regular, !isUnsized, size <= UInt64(client.limits.write), !options.resumes {
            return try await writeAtOnce(file, size, status, handle, temporary)
        }
        isUnsized = isUnsized || Self.mayClaim(status)
        do {
            if isUnsized {
                try await writeToEnd(file, handle, temporary)
            } else {
                try await writeInParts(file, size, status, handle, temporary)
            }
            if let set = finalAttributes(status) { try await client.done(.fsetstat(handle, set, path: temporary)) }
        } catch {
            _ = try? await client.send([.close(handle, path: temporary)], isCleanup: true)
            throw error
        }
        try await client.done(.close(handle, path: temporary))
    }

    /// Content, attributes and close in one go: what follows the open of a small file costs one more round trip.
    ///
    /// A handle whose close was sent is never closed again, whatever the answer: the server may have given its number to another
    /// file.
    private func writeAtOnce(
        _ file: LocalFile, _ size: UInt64, _ status: stat, _ handle: [UInt8], _ temporary: String
    ) async throws {
        var isCloseSent = false
        do {
            try await budget.lending(Int(size)) {
                let bytes = try await read(file, 0..<size)
                var requests: [SFTPRequest] = []
                if bytes.count > 0 { requests.append(.write(handle, at: 0, bytes, path: temporary)) }
                if let set = finalAttributes(status) { requests.append(.fsetstat(handle, set, path: temporary)) }
                requests.append(.close(handle, path: temporary))
                isCloseSent = true
                for (reply, request) in zip(try await client.send(requests), requests) {
                    try await client.check(reply, request)
                }
                tally.moved(bytes.count)
            }
        } catch {
            if !isCloseSent { _ = try? await client.send([.close(handle, path: temporary)], isCleanup: true) }
            throw error
        }
    }

    private func writeInParts(
        _ file: LocalFile, _ size: UInt64, _ status: stat, _ handle: [UInt8], _ temporary: String
    ) async throws {
        var start: UInt64 = 0
        if options.resumes, !isInPlace {
            let found = try await client.attributes(.fstat(handle, path: temporary)).size ?? 0
            start = PartialName.resumption(found: found, size: size, window: options.window, part: client.limits.write)
            if found > size { try await truncate(handle, temporary) }
            if start > 0 { tally.resumed(start) }
        }
        if status.kind == .regular {
            var window = TransferWindow(start..<size, part: client.limits.write, limit: options.window)
            try await window.run(reach: { options.reach(budget) }) { range in
                try await budget.lending(range.count) {
                    let bytes = try await read(file, range)
                    try await client.done(.write(handle, at: range.lowerBound, bytes, path: temporary))
                    tally.moved(bytes.count)
                    // A file that takes up nothing may claim a size that it has not: nothing more would ever come.
                    guard bytes.count > 0 else { throw await shortened() }
                    return bytes.count
                }
            }
        } else {
            throw await client.error(
                FileProblem(.readFailed, .local, operation: "copy", path: local, detail: "it is no regular file"))
        }
    }

    /// Whether it says that it is empty and is not: files of /proc do.
    private func isUnsized(_ file: LocalFile, _ status: stat) async throws -> Bool {
        guard status.kind == .regular, status.byteCount == 0 else { return false }
        return try await client.onDisk { try file.read(0..<1).count > 0 }
    }

    /// Whether it takes up nothing and claims no more than a page of any size: files of /sys do, whatever they hold.
    private static func mayClaim(_ status: stat) -> Bool {
        status.kind == .regular && status.st_blocks == 0 && status.byteCount <= 65536
    }

    private func writeToEnd(_ file: LocalFile, _ handle: [UInt8], _ temporary: String) async throws {
        if options.resumes { try await truncate(handle, temporary) }
        let part = UInt64(client.limits.write)
        var offset: UInt64 = 0
        while true {
            let bytes = try await client.onDisk { [offset] in try file.read(offset..<offset + part) }
            if bytes.count == 0 { return }
            try await client.done(.write(handle, at: offset, bytes, path: temporary))
            tally.moved(bytes.count)
            offset += UInt64(bytes.count)
        }
    }

    private func truncate(_ handle: [UInt8], _ temporary: String) async throws {
        var none = SFTPAttributes()
        none.size = 0
        try await client.done(.fsetstat(handle, none, path: temporary))
    }

    /// - Throws: `ssh.sftp.local-read-failed` if the file has become shorter.
    private func read(_ file: LocalFile, _ range: Range<UInt64>) async throws -> FileBytes {
        let (bytes, isWhole) = try await client.onDisk {
            let bytes = try file.read(range)
            // Files of /sys take up nothing, and go on to claim a page whatever they hold.
            return (
                bytes,
                try bytes.count == range.count || (file.status().st_blocks == 0 && file.status().byteCount >= range.upperBound)
            )
        }
        guard isWhole else { throw await shortened() }
        return bytes
    }

    private func shortened() async -> SSHError {
        await client.error(
            FileProblem(.readFailed, .local, operation: "read", path: local, detail: "it became shorter while it was copied"))
    }

    private func finalAttributes(_ status: stat) -> SFTPAttributes? {
        guard options.preservesAttributes, !isInPlace else { return nil }
        var attributes = SFTPAttributes()
        attributes.mode = UInt32(status.st_mode) & 0o7777
        attributes.times = status.sftpTimes
        return attributes
    }
}

extension TransferWindow {
    /// Moves everything, as many parts at once as the window allows.
    ///
    /// - Parameters:
    ///   - reach: the current ``limit``.
    ///   - move: moves the beginning of a range, and returns how much of it.
    mutating func run(
        reach: () -> Int, _ move: @escaping @Sendable (Range<UInt64>) async throws -> Int
    ) async throws {
        // The group keeps what is under way; a failure cancels it, and leaves `contiguous` as it was.
        try await withThrowingTaskGroup(of: (Range<UInt64>, Int).self) { group in
            while true {
                limit = reach()
                while let range = next() { group.addTask { (range, try await move(range)) } }
                guard let (range, count) = try await group.next() else { return }
                finished(range, count: count)
            }
        }
    }
}
