internal import Crypto

extension SFTPClient {
    /// The content of a file, with several requests under way at once.
    ///
    /// - Parameter limit: the most bytes that are read.
    /// - Throws: ``SSHError``: `ssh.sftp.limit-exceeded` if the file is longer than `limit`, `ssh.sftp.is-a-directory`.
    public func read(_ path: String, limit: Int = 64 << 20) async throws -> [UInt8] {
        let source = try await RemoteSourcePlace(client: self, path: path).open()
        do {
            // Files of /proc report a size of 0.
            let isUnsized = source.isUnsized
            let content = ReadAhead(
                source, 0..<(isUnsized ? UInt64.max : source.size), part: source.part,
                window: isUnsized ? 1 : SFTPFile.defaultWindow)
            var bytes: [UInt8] = []
            while let next = try await content.next() {
                guard next.count <= max(0, limit) - bytes.count else {
                    throw await error(
                        SSHFileProblem(
                            .limitExceeded, .remote, operation: "read", path: path, detail: "more than \(max(0, limit)) bytes"))
                }
                next.withUnsafeBytes { bytes.append(contentsOf: $0) }
            }
            try await source.close()
            return bytes
        } catch {
            await source.abandon()
            throw error
        }
    }

    /// Writes a file with this content under a temporary name, and gives it its final name in one step when it is complete.
    ///
    /// It replaces an existing file and keeps that file's mode. If the directory does not let the user replace the file, it is
    /// written in place.
    ///
    /// - Parameters:
    ///   - permissions: the mode of a new file, before the server's umask.
    ///   - createParents: whether to make missing parent directories.
    public func write(
        _ bytes: [UInt8], to path: String, permissions: UInt32 = 0o666, createParents: Bool = false
    ) async throws {
        if createParents { try await makeDirectory(ServerPath.parent(of: path), createParents: true) }
        let source = BytesSource(client: self, bytes: bytes, path: path, mode: permissions & 0o777)
        _ = try await tallied(SFTPCopyOptions()) { tally in
            try await copy(source, toRemote: path, tally, ByteBudget(tally.options))
        }
    }
}

/// Bytes in memory to be written as a file.
private struct BytesSource: SourcePlace, FileSource {
    let client: SFTPClient
    let bytes: [UInt8]
    let path: String
    let mode: UInt32

    var side: SSHFileProblem.Side { .local }
    var identity: String { SHA256.hash(data: bytes).description }
    var isUnsized: Bool { false }
    var part: Int { Int.max }

    var attributes: SFTPAttributes {
        var attributes = SFTPAttributes()
        attributes.mode = 0o100000 | mode
        attributes.size = UInt64(bytes.count)
        return attributes
    }

    func open() -> any FileSource { self }
    func read(_ range: Range<UInt64>) -> FileBytes { FileBytes(bytes[Int(range.lowerBound)..<Int(range.upperBound)]) }
    func readWhole(_ size: UInt64) -> FileBytes { read(0..<size) }
    func reopen() {}
    func hasFalseSize(_ size: UInt64) -> Bool { false }
    func checksum() -> FileChecksum { .unavailable("its content is in memory") }
    func close() {}
    func abandon() {}
}
