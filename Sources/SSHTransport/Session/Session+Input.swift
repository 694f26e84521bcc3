internal import NIOCore

extension Session {
    /// Writes to the command's standard input, as the server's window and the connection allow.
    ///
    /// - Returns: false when the command does not read any more.
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
                let name = fault.library?.name
                if fault.event == .libraryFailed, name == "CHANNEL_CLOSED" || name == "CHANNEL_EOF_SENT" { return false }
                throw fault
            }
        }
        return true
    }

    package func write(_ id: ChannelID, _ bytes: [UInt8]) async throws(Fault) -> Bool { try await write(id, [.bytes(bytes)]) }

    /// Passes libssh2 as much of all pieces as it and the connection accept now, so that they are sent together.
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

    /// Passes libssh2 as much as it and the connection accept now; it takes one packet a call.
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
