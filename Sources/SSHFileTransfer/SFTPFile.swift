/// An open file on the server. It is valid only inside ``SFTPClient/withFile(_:_:permissions:_:)``.
public struct SFTPFile: Sendable {
    let client: SFTPClient
    let path: String
    let handle: [UInt8]

    /// The access mode of an open file.
    public enum Mode: Sendable, Hashable {
        /// It must exist.
        case reading
        /// It is created if it does not exist, and kept as it is if it does.
        case writing
        /// It is created, or truncated.
        case replacing
        /// It must not exist.
        case creating

        var flags: SFTPRequest.OpenFlags {
            switch self {
            case .reading: .read
            case .writing: [.read, .write, .create]
            case .replacing: [.write, .create, .truncate]
            case .creating: [.write, .create, .exclusive]
            }
        }
    }

    /// The content at an offset, at most `count` bytes, possibly fewer; empty at the end of the file, and for a `count` of 0 or
    /// less.
    public func read(_ count: Int, at offset: UInt64) async throws -> [UInt8] {
        let (end, isBeyond) = offset.addingReportingOverflow(UInt64(max(0, min(count, client.limits.read))))
        // No file is that long.
        guard count > 0, !isBeyond, end <= UInt64(Int64.max) else { return [] }
        let request = SFTPRequest.read(handle, offset..<end, path: path)
        let reply = try await client.send(request)
        switch reply {
        case .status(SFTPStatus.endOfFile, _): return []
        default:
            guard let bytes = reply.fileBytes else { throw await client.failure(reply, request) }
            return bytes.array
        }
    }

    /// Writes all of `bytes` at an offset.
    ///
    /// - Throws: ``SSHError``: `ssh.local.usage` where the end would be beyond 2⁶³ − 1 bytes, which no file has.
    public func write(_ bytes: [UInt8], at offset: UInt64) async throws {
        guard offset <= UInt64(Int64.max) - UInt64(bytes.count) else {
            throw await client.refusal("offset", "a file of that length cannot be")
        }
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + client.limits.write)
            try await client.done(
                .write(handle, at: offset + UInt64(start), FileBytes(bytes[start..<end]), path: path))
            start = end
        }
    }

    /// The file's attributes.
    public func attributes() async throws -> SFTPAttributes { try await client.attributes(.fstat(handle, path: path)) }

    /// Sets what is not nil in `attributes`.
    public func set(_ attributes: SFTPAttributes) async throws {
        try await client.done(.fsetstat(handle, attributes, path: path))
    }

    /// Asks the server to write it to disk, by fsync@openssh.com.
    ///
    /// - Throws: ``SSHError``, `ssh.sftp.unsupported` where the server cannot.
    public func synchronize() async throws { try await client.done(.fsync(handle, path: path)) }
}

extension SFTPClient {
    /// Opens a file, lends it to `body`, and closes it, whatever happens.
    ///
    /// - Parameter permissions: for a file that is created, before the server's umask.
    public func withFile<Value>(
        _ path: String, _ mode: SFTPFile.Mode, permissions: UInt32 = 0o666, isolation: isolated (any Actor)? = #isolation,
        _ body: (SFTPFile) async throws -> Value
    ) async throws -> Value {
        var attributes = SFTPAttributes()
        if mode != .reading { attributes.mode = permissions & 0o7777 }
        let handle = try await handle(.open(path, mode.flags, attributes))
        let value: Value
        do {
            value = try await body(SFTPFile(client: self, path: path, handle: handle))
        } catch {
            _ = try? await send([.close(handle, path: path)], isCleanup: true)
            throw error
        }
        // A server may report only now that written data is lost. The handle is gone in any case.
        try await done(.close(handle, path: path))
        return value
    }
}
