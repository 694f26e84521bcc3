/// An open file on the server. It is valid only inside ``SFTPClient/withFile(_:_:permissions:isolation:_:)``: after that its methods
/// throw `ssh.local.closed`.
public struct SFTPFile: Sendable {
    let client: SFTPClient
    let path: String
    /// Closed when the closure returns: the server may give its handle to another file then.
    let handle: RemoteHandle
    let mode: Mode

    /// The access mode of an open file.
    public enum Mode: Sendable, Hashable {
        /// It must exist.
        case reading
        /// It is created if it does not exist, and kept as it is if it does.
        case writing
        /// It is created, or truncated. It can be written only.
        case replacing
        /// It must not exist. It can be written only.
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

    /// The content at an offset, at most `count` bytes, possibly fewer; empty at the end of the file.
    ///
    /// - Throws: ``SSHError``, `ssh.local.usage` where the file is open for writing only.
    public func read(_ count: Int, at offset: UInt64) async throws -> [UInt8] {
        try await require(.read, "read from", "reading or .writing")
        let wanted = UInt64(max(0, min(count, client.limits.read)))
        // Nothing is behind the last offset there is.
        let range = offset..<(offset + min(wanted, UInt64.max - offset))
        guard !range.isEmpty else { return [] }
        return try await RemoteSource(handle, SFTPAttributes()).read(range).array
    }

    /// Writes all of `bytes` at an offset.
    ///
    /// - Throws: ``SSHError``, `ssh.local.usage` where the file is open for reading only, or the offset leaves no room for them.
    public func write(_ bytes: [UInt8], at offset: UInt64) async throws {
        try await require(.write, "write to", "writing, .replacing or .creating")
        guard UInt64(bytes.count) <= UInt64(Int64.max) - min(offset, UInt64(Int64.max)) else {
            throw await client.refusal("offset", "\(path) cannot be written at \(offset): no file is that long")
        }
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + client.limits.write)
            try await client.done(
                handle.request(.write(handle.bytes, at: offset + UInt64(start), FileBytes(bytes[start..<end]), path: path)))
            start = end
        }
    }

    func require(_ flag: SFTPRequest.OpenFlags, _ action: String, _ modes: String) async throws {
        if mode.flags.contains(flag) { return }
        throw await client.refusal("mode", "\(path) is open as .\(mode); to \(action) it, open it as .\(modes)")
    }

    /// The file's attributes.
    public func attributes() async throws -> SFTPAttributes {
        try await client.attributes(handle.request(.fstat(handle.bytes, path: path)))
    }

    /// Sets what is not nil in `attributes`.
    public func set(_ attributes: SFTPAttributes) async throws {
        try await client.done(handle.request(.fsetstat(handle.bytes, attributes, path: path)))
    }

    /// Asks the server to write it to disk, by fsync@openssh.com.
    ///
    /// - Throws: ``SSHError``, `ssh.sftp.unsupported` where the server cannot.
    public func synchronize() async throws { try await client.done(handle.request(.fsync(handle.bytes, path: path))) }
}

extension SFTPClient {
    /// Opens a file, lends it to `body`, and closes it, whatever happens.
    ///
    /// - Parameter permissions: for a file that is created, before the server's umask.
    /// - Throws: ``SSHError``, `ssh.sftp.already-exists` for ``SFTPFile/Mode/creating`` where something has the name; what `body`
    ///   throws.
    public func withFile<Value>(
        _ path: String, _ mode: SFTPFile.Mode, permissions: UInt32 = 0o666, isolation: isolated (any Actor)? = #isolation,
        _ body: (SFTPFile) async throws -> Value
    ) async throws -> Value {
        var attributes = SFTPAttributes()
        if mode != .reading { attributes.mode = permissions & 0o7777 }
        let handle = RemoteHandle(self, try await handle(.open(path, mode.flags, attributes)), path: path)
        let value: Value
        do {
            value = try await body(SFTPFile(client: self, path: path, handle: handle, mode: mode))
        } catch {
            await handle.abandon()
            throw error
        }
        // A server may report only now that written data is lost. The handle is gone in any case.
        try await handle.close()
        return value
    }
}
