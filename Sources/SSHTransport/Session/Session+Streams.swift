package import NIOCore

extension Session {
    /// Writes to the command's standard input, as the server's window and the connection allow.
    ///
    /// - Returns: false if the command no longer reads its input.
    package func write(_ id: ChannelID, _ pieces: [InputPiece]) async throws(Fault) -> Bool {
        let channel = try channel(id)
        var rest = InputPieces(pieces)
        while !rest.isEmpty {
            if channel.progress.isFinished || channel.progress.isClosed { return false }
            let part = rest
            do {
                let count = try await perform(on: id) { self.write(part, to: channel) }
                rest.remove(count)
            } catch let fault {
                let error = fault.library?.error
                if fault.event == .libraryFailed, error == .channelClosed || error == .channelEOFSent { return false }
                throw fault
            }
        }
        return true
    }

    package func write(_ id: ChannelID, _ bytes: [UInt8]) async throws(Fault) -> Bool { try await write(id, [.bytes(bytes)]) }

    /// Passes as much of all pieces to libssh2 as it and the connection accept now, so that they are sent together.
    private func write(_ pieces: InputPieces, to channel: SessionChannel) -> LibraryResult {
        var rest = pieces
        var written = 0
        while let result = rest.withFirst({ self.write($0, to: channel) }) {
            guard case .success(let count) = result else {
                if case .again = result, written > 0 { return .success(written) }
                return result
            }
            written += count
            rest.remove(count)
        }
        return .success(written)
    }

    /// Passes as many bytes to libssh2 as it and the connection accept now; it takes one packet per call.
    func write(_ bytes: ByteBuffer, to channel: SessionChannel) -> LibraryResult {
        bytes.withUnsafeReadableBytes { write($0, to: channel) }
    }

    private func write(_ source: UnsafeRawBufferPointer, to channel: SessionChannel) -> LibraryResult {
        if channel.progress.isClosed { return .failure(LibraryChannel.writeClosed) }
        var written = 0
        while written < source.count, isWritable {
            switch channel.library.write(UnsafeRawBufferPointer(rebasing: source[written...])) {
            case .success(let count) where count > 0: written += count
            case .success, .again: return written > 0 ? .success(written) : LibraryChannel.writeAgain
            case .failure(let failure): return .failure(failure)
            }
        }
        return written > 0 ? .success(written) : LibraryChannel.writeAgain
    }
}

extension Session {
    /// Reads both streams until the command ends, one of them exceeds `limit` bytes, or the caller is cancelled.
    package func collect(_ id: ChannelID, limit: Int) async -> CollectedOutput {
        guard let channel = channels[id] else { return CollectedOutput() }
        channel.collect(limit)
        // More bytes may have arrived than are read ahead for other readers.
        madeSpace(in: channel)
        while !channel.progress.isFinished, !channel.passesLimit, !Task.isCancelled {
            await suspended({ channel.waitForEnd($0, self) }, onCancel: { $0.channels[id]?.wakeWaiters() })
        }
        return channel.takeCollected()
    }

    /// Merges both streams into the first, in the order in which their packets come. Call this before any output has come.
    package func mergeStreams(_ id: ChannelID) throws(Fault) {
        let channel = try channel(id)
        let result = channel.library.mergeStreams()
        guard case .success = result else { throw noteFailure(result) }
        channel.merge()
        library.discarded.noteStreams(of: channel.number)
    }

    /// Discards the output of streams: only its tail is kept.
    package func discard(_ id: ChannelID, _ streams: ClosedRange<Int>) {
        guard let channel = channels[id] else { return }
        for stream in streams { channel.discard(stream) }
        madeSpace(in: channel)
    }

    /// Reads on after bytes of a channel were taken, or after its output is used in another way.
    ///
    /// It does so only if reading waits for that. A task of the event loop notifies a consumer. A consumer that always
    /// continued to read would cause its own next notification. Tasks that add tasks keep the loop from its sockets, so the
    /// bytes that end a key exchange would never be read.
    func madeSpace(in channel: SessionChannel) {
        if channel.awaitsSpace {
            pump()
        } else if !channel.isDrained {
            // libssh2 holds less for the reader now.
            requestRead()
        }
    }

    /// The last time at which the command wrote something, or its output was read.
    package func lastOutput(of id: ChannelID) -> MonotonicInstant? { channels[id]?.lastOutput }
}

/// A piece of a command's standard input, kept in the form in which it came: a conversion would copy it.
package enum InputPiece: Sendable {
    case bytes([UInt8])
    case buffer(ByteBuffer)

    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffer(let buffer): buffer.readableBytes
        }
    }

    package var isEmpty: Bool { count == 0 }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch self {
        case .bytes(let bytes): try bytes.withUnsafeBytes(body)
        case .buffer(let buffer): try buffer.withUnsafeReadableBytes(body)
        }
    }

    /// Adds the bytes of another piece.
    package mutating func append(_ other: InputPiece) {
        switch self {
        case .bytes(var bytes):
            self = .bytes([])
            other.withUnsafeBytes { bytes.append(contentsOf: $0) }
            self = .bytes(bytes)
        case .buffer(var buffer):
            self = .bytes([])
            _ = other.withUnsafeBytes { buffer.writeBytes($0) }
            self = .buffer(buffer)
        }
    }
}

/// The unsent rest of pieces that are sent one after the other.
struct InputPieces {
    private var pieces: ArraySlice<InputPiece>
    private var offset = 0

    init(_ pieces: [InputPiece]) {
        self.pieces = pieces.drop { $0.isEmpty }
    }

    var isEmpty: Bool { pieces.isEmpty }

    /// Lends the rest of the first piece to `body`; nil if there is none.
    func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        pieces.first.map { piece in
            piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        }
    }

    /// Removes bytes that were sent.
    mutating func remove(_ count: Int) {
        offset += count
        while let first = pieces.first, offset >= first.count {
            offset -= first.count
            pieces.removeFirst()
        }
    }
}
