#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A local file to be copied.
struct LocalSourcePlace: SourcePlace {
    let client: SFTPClient
    let path: String
    /// For a file of a tree, its directory: the file is opened there, and not through a symbolic link.
    var directory: (@Sendable () throws -> LocalDirectory)?

    func open() async throws -> any FileSource {
        let (file, status, isUnsized) = try await client.onDisk { [path, directory] in
            let file = try directory.map { try $0().file(ServerPath.name(of: path), O_RDONLY) } ?? LocalFile(path, O_RDONLY)
            let status = try file.status()
            let claimsNothing = status.kind == .regular && status.byteCount == 0
            return (file, status, try claimsNothing && file.read(0..<1).count > 0)
        }
        switch status.kind {
        case .directory: throw await client.error(SSHFileProblem(.isDirectory, .local, operation: "copy", path: path))
        case .regular: break
        default:
            throw await client.error(
                SSHFileProblem(.readFailed, .local, operation: "copy", path: path, detail: "it is not a regular file"))
        }
        var attributes = SFTPAttributes()
        attributes.mode = UInt32(status.st_mode)
        attributes.size = status.byteCount
        attributes.times = status.sftpTimes
        return LocalSource(
            client: client, file: file, path: path, identity: "\(status.st_dev):\(status.st_ino)", attributes: attributes,
            isUnsized: isUnsized)
    }
}

/// An open local file that is being read. It is closed with its last reference.
struct LocalSource: FileSource {
    let client: SFTPClient
    let file: LocalFile
    let path: String
    let identity: String
    let attributes: SFTPAttributes
    let isUnsized: Bool

    var side: SSHFileProblem.Side { .local }
    var part: Int { Int.max }

    func read(_ range: Range<UInt64>) async throws -> FileBytes { try await client.onDisk { try file.read(range) } }

    func readWhole(_ size: UInt64) async throws -> FileBytes { try await read(0..<size) }

    func reopen() {}

    func hasFalseSize(_ size: UInt64) async throws -> Bool {
        let status = try await client.onDisk { try file.status() }
        return status.st_blocks == 0 && status.byteCount == size && size <= 65536
    }

    func checksum() async throws -> FileChecksum { .sum(try await client.onDisk { try SFTPClient.checksum(of: file) }) }

    func close() {}
    func abandon() {}
}

/// A name in an open local directory.
struct LocalTargetPlace: TargetPlace {
    let client: SFTPClient
    let directory: LocalDirectory
    let name: String

    private var path: String { ServerPath.join(directory.path, name) }

    func fileSize() async throws -> UInt64? {
        try await client.onDisk {
            guard let there = try? directory.status(of: name), there.kind == .regular else { return nil }
            return UInt64(there.st_size)
        }
    }

    func open(for source: any FileSource, isInPlace: Bool, _ tally: CopyTally) async throws -> any FileTarget {
        let options = tally.options
        let temporary = isInPlace ? name : PartialName.of(name, source, options)
        let attributes = source.attributes
        let file: LocalFile
        do {
            file = try await client.onDisk { [directory, name] in
                let old = (try? directory.status(of: name)).flatMap { $0.kind == .regular ? UInt32($0.st_mode) : nil }
                let mode = attributes.newMode(replacing: old, options)
                do throws(LocalFault) {
                    if isInPlace { return try directory.fileInPlace(name, mode) }
                    let file = try directory.file(
                        temporary, O_RDWR | O_CREAT | (options.resumes ? 0 : O_EXCL), mode: mode)
                    let mayGoOn = options.resumes ? try Self.isOwn(file) : true
                    guard mayGoOn else {
                        throw LocalFault(
                            "resume", file.path, detail: "it is not a regular file that belongs to you and has no second name")
                    }
                    return file
                } catch {
                    let fault = error.detail.isEmpty ? error.named(ServerPath.join(directory.path, name)) : error
                    if fault.isRefusal, !isInPlace { throw LocalAccessDenied(fault: fault) as any Error }
                    throw fault as any Error
                }
            }
        } catch let refusal as LocalAccessDenied {
            throw DirectoryRefusal(error: await client.error(SSHFileProblem(refusal.fault)))
        }
        tally.madePartial(file.path)
        return LocalTarget(client: client, directory: directory, name: name, file: file, isInPlace: isInPlace)
    }

    /// Checks that another user has not replaced the partial copy: such a file is neither written to nor trusted.
    private static func isOwn(_ file: LocalFile) throws(LocalFault) -> Bool {
        let status = try file.status()
        return status.kind == .regular && status.st_uid == geteuid() && status.st_nlink == 1
    }
}

/// The local failure that becomes a `DirectoryRefusal`.
private struct LocalAccessDenied: Error {
    let fault: LocalFault
}

/// An open local file that is being written.
struct LocalTarget: FileTarget {
    let client: SFTPClient
    let directory: LocalDirectory
    let name: String
    let file: LocalFile
    let isInPlace: Bool

    var side: SSHFileProblem.Side { .local }
    var path: String { ServerPath.join(directory.path, name) }
    var temporary: String { file.path }
    var part: Int { Int.max }

    func size() async throws -> UInt64 { try await onDisk { try file.status().byteCount } }

    func write(_ bytes: FileBytes, at offset: UInt64) async throws { try await onDisk { try file.write(bytes, at: offset) } }

    func truncate(to size: UInt64) async throws { try await onDisk { try file.truncate(to: size) } }

    func writeWhole(_ bytes: FileBytes, setting attributes: SFTPAttributes?) async throws {
        try await onDisk {
            try file.write(bytes, at: 0)
            try Self.finish(file, attributes)
        }
    }

    func close(setting attributes: SFTPAttributes?) async throws { try await onDisk { try Self.finish(file, attributes) } }

    private static func finish(_ file: LocalFile, _ attributes: SFTPAttributes?) throws(LocalFault) {
        if let permissions = attributes?.permissions { try file.set(permissions: permissions) }
        if let times = attributes?.times { try file.set(times) }
        try file.confirm()
    }

    func checksum(of size: UInt64) async throws -> FileChecksum {
        .sum(try await onDisk { try SFTPClient.checksum(of: file) })
    }

    func publish(_ tally: CopyTally) async throws {
        if isInPlace { return }
        do {
            try await client.onDisk {
                do throws(LocalFault) {
                    try directory.rename(ServerPath.name(of: file.path), to: name)
                } catch {
                    if error.isRefusal { throw LocalAccessDenied(fault: error) }
                    guard error.number == ENOENT else { throw error }
                    throw LocalFault("finish", ServerPath.join(directory.path, name), detail: PartialName.isGone)
                }
            }
        } catch let refusal as LocalAccessDenied {
            throw DirectoryRefusal(error: await client.error(SSHFileProblem(refusal.fault)))
        }
    }

    func abandon() {}

    func remove() async -> Bool { directory.discard(ServerPath.name(of: file.path)) }

    /// A failure names the target, not its partial copy.
    private func onDisk<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await client.onDisk { [path] in
            do {
                return try work()
            } catch let fault as LocalFault {
                throw fault.named(path)
            }
        }
    }
}

extension LocalDirectory {
    /// Opens a file to be overwritten, or makes it.
    fileprivate func fileInPlace(_ name: String, _ mode: UInt32) throws(LocalFault) -> LocalFile {
        do throws(LocalFault) {
            // In a directory such as /tmp Linux refuses O_CREAT for another user's existing file.
            return try file(name, O_RDWR)
        } catch {
            if error.number == ENOENT { return try file(name, O_RDWR | O_CREAT, mode: mode) }
            // A file that is not readable may still be writable.
            guard error.isRefusal else { throw error }
            return try file(name, O_WRONLY)
        }
    }
}
