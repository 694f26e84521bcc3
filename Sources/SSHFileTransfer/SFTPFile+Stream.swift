extension SFTPFile {
    /// How many bytes are under way at once where nothing else is said.
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
    ///   - window: how many bytes are requested before the first of them is taken, one request at least. That is also how much
    ///     memory the stream needs.
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
            /// - Throws: ``SSHError``, `ssh.local.usage` where the file is open for writing only.
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

    /// Writes what a sequence gives, with several requests under way at once.
    ///
    /// - Parameters:
    ///   - content: is read no faster than the server takes the bytes.
    ///   - offset: where the first byte goes.
    ///   - window: about how many bytes are sent before the server has confirmed the first of them.
    /// - Returns: how many bytes were written.
    /// - Throws: ``SSHError`` as ``write(_:at:)`` does; what `content` throws, as it is.
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
