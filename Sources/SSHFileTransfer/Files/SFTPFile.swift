internal import Synchronization

/// An open file on the server. It is valid only inside ``SFTPClient/withFile(_:_:permissions:isolation:_:)``: after that its
/// methods throw `ssh.local.closed`.
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
    /// - Throws: ``SSHError``, `ssh.local.usage` if the file is open for writing only.
    public func read(_ count: Int, at offset: UInt64) async throws -> [UInt8] {
        try await require(.read, "read from", "reading or .writing")
        let wanted = UInt64(max(0, min(count, client.limits.read)))
        // No content can follow the last possible offset.
        let range = offset..<(offset + min(wanted, UInt64.max - offset))
        guard !range.isEmpty else { return [] }
        return try await RemoteSource(handle, SFTPAttributes()).read(range).array
    }

    /// Writes all of `bytes` at an offset.
    ///
    /// - Throws: ``SSHError``, `ssh.local.usage` if the file is open for reading only, or the offset leaves no space for the
    ///   bytes.
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

    /// Sets the attributes that are not nil.
    public func set(_ attributes: SFTPAttributes) async throws {
        try await client.done(handle.request(.fsetstat(handle.bytes, attributes, path: path)))
    }

    /// Asks the server to write the file to disk, with fsync@openssh.com.
    ///
    /// - Throws: ``SSHError``, `ssh.sftp.unsupported` if the server cannot.
    public func synchronize() async throws { try await client.done(handle.request(.fsync(handle.bytes, path: path))) }
}

extension SFTPClient {
    /// Opens a file, lends it to `body`, and closes it, even after an error.
    ///
    /// - Parameter permissions: for a file that is created, before the server's umask.
    /// - Throws: ``SSHError``, `ssh.sftp.already-exists` for ``SFTPFile/Mode/creating`` where something has the name; what
    ///   `body` throws.
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

/// The handle of an open file on the server. A handle is closed only once, even if the answer is an error: the server may have
/// given the handle to another file.
final class RemoteHandle: Sendable {
    let client: SFTPClient
    let bytes: [UInt8]
    let path: String
    private let isCloseSent = Mutex(false)

    /// - Parameter path: for messages.
    init(_ client: SFTPClient, _ bytes: [UInt8], path: String) { (self.client, self.bytes, self.path) = (client, bytes, path) }

    var isOpen: Bool { isCloseSent.withLock { !$0 } }

    /// The same request, which fails if this file is closed before it is sent.
    func request(_ request: SFTPRequest) -> SFTPRequest {
        var request = request
        request.isStillOpen = { self.isOpen }
        return request
    }

    /// The close request, which the caller must send; nil if one was already taken.
    func takeClose() -> SFTPRequest? {
        isCloseSent.withLock { isSent in
            defer { isSent = true }
            return isSent ? nil : .close(bytes, path: path)
        }
    }

    func close() async throws {
        if let request = takeClose() { try await client.done(request) }
    }

    /// Closes it after a failure, even if the caller is cancelled.
    func abandon() async {
        if let request = takeClose() { _ = try? await client.send([request], isCleanup: true) }
    }
}

extension SFTPFile {
    /// The default number of bytes under way at once.
    public static let defaultWindow = 4 << 20

    /// The content of a part of the file in order, with several requests under way at once.
    ///
    /// ```swift
    /// try await sftp.withFile("log", .reading) { file in
    ///     for try await bytes in file.chunks() { hash.update(data: bytes) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - offset: where it begins.
    ///   - window: how many bytes are requested before the caller has read the first of them; at least one request. That is
    ///     also how much memory the stream needs.
    public func chunks(from offset: UInt64 = 0, window: Int = SFTPFile.defaultWindow) -> Chunks {
        Chunks(file: self, offset: offset, window: min(max(1, window), 1 << 30))
    }

    /// The content of a file in pieces of at most 256 KiB. It can be read more than once.
    public struct Chunks: AsyncSequence, Sendable {
        /// One piece, never empty.
        public typealias Element = [UInt8]
        let file: SFTPFile
        let offset: UInt64
        let window: Int

        /// Reads the file from its beginning.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let file: SFTPFile
            let content: ReadAhead

            /// The next piece; nil at the end.
            ///
            /// - Throws: ``SSHError``, `ssh.local.usage` if the file is open for writing only.
            public mutating func next() async throws -> [UInt8]? {
                try await file.require(.read, "read from", "reading or .writing")
                return try await content.next()?.array
            }
        }

        /// An iterator from the first piece on.
        public func makeAsyncIterator() -> AsyncIterator {
            let source = RemoteSource(file.handle, SFTPAttributes())
            return AsyncIterator(
                file: file, content: ReadAhead(source, offset..<UInt64.max, part: file.client.limits.read, window: window))
        }
    }

    /// Writes the pieces of a sequence, with several requests in flight at once.
    ///
    /// - Parameters:
    ///   - content: the pieces; read no faster than the server accepts them.
    ///   - offset: where the first byte goes.
    ///   - window: about how many bytes are sent before the server has confirmed the first of them.
    /// - Returns: how many bytes were written.
    /// - Throws: ``SSHError`` as ``write(_:at:)`` does; the errors of `content`.
    @discardableResult
    public func write<Content: AsyncSequence>(
        contentsOf content: Content, at offset: UInt64 = 0, window: Int = SFTPFile.defaultWindow,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> UInt64 where Content.Element == [UInt8] {
        try await require(.write, "write to", "writing, .replacing or .creating")
        let window = max(1, window)
        var written: UInt64 = 0
        var pending = PendingWrites()
        do {
            for try await bytes in content {
                var start = 0
                while start < bytes.count {
                    let piece = Array(bytes[start..<min(bytes.count, start + client.limits.write)])
                    while pending.count > 0, pending.bytes + piece.count > window { try await pending.finishFirst() }
                    let place = offset &+ written
                    pending.append(piece.count, Task { try await write(piece, at: place) })
                    written += UInt64(piece.count)
                    start += piece.count
                }
            }
            while pending.count > 0 { try await pending.finishFirst() }
        } catch {
            await pending.cancel()
            throw error
        }
        return written
    }
}

/// Writes that the server has not confirmed yet, oldest first.
private struct PendingWrites {
    private var writes: [(count: Int, task: Task<Void, any Error>)] = []
    private(set) var bytes = 0
    var count: Int { writes.count }

    mutating func append(_ count: Int, _ task: Task<Void, any Error>) {
        writes.append((count, task))
        bytes += count
    }

    mutating func finishFirst(isolation: isolated (any Actor)? = #isolation) async throws {
        let first = writes[0]
        try await withTaskCancellationHandler {
            try await first.task.value
        } onCancel: {
            first.task.cancel()
        }
        writes.removeFirst()
        bytes -= first.count
    }

    /// Nothing is written after this.
    mutating func cancel(isolation: isolated (any Actor)? = #isolation) async {
        for write in writes { write.task.cancel() }
        for write in writes { _ = await write.task.result }
        writes = []
    }
}
