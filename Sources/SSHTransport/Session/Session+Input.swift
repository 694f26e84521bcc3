internal import CLibSSH2
internal import NIOCore

extension Session {
    /// Writes to the command's standard input, as the server's window and the connection allow.
    ///
    /// - Returns: false when the command does not read any more.
    package func write(_ id: ChannelID, _ pieces: [InputPiece]) async throws(Fault) -> Bool {
        let channel = try channel(id)
        var rest = InputPieces(pieces)
        while !rest.isEmpty {
            if channel.isFinished || channel.isClosed { return false }
            let part = rest
            do {
                let count = try await perform("libssh2_channel_write_ex", on: id) { self.write(part, to: channel) }
                rest.remove(count)
            } catch let fault {
                let name = fault.library?.name
                if fault.event == .libraryFailed, name == "CHANNEL_CLOSED" || name == "CHANNEL_EOF_SENT" { return false }
                throw fault
            }
        }
        return true
    }

    /// Passes libssh2 as much of all pieces as it and the connection accept now, so that they are sent together.
    private func write(_ pieces: InputPieces, to channel: SessionChannel) -> Int {
        var rest = pieces
        var written = 0
        while let count = rest.withFirst({ self.write($0, to: channel) }) {
            if count < 0 { return written > 0 && count == Int(LIBSSH2_ERROR_EAGAIN) ? written : count }
            written += count
            rest.remove(count)
        }
        return written
    }

    /// Passes libssh2 as much as it and the connection accept now; it takes one packet a call.
    func write(_ bytes: ByteBuffer, to channel: SessionChannel) -> Int {
        bytes.withUnsafeReadableBytes { write($0, to: channel) }
    }

    private func write(_ source: UnsafeRawBufferPointer, to channel: SessionChannel) -> Int {
        if channel.isClosed { return Int(LIBSSH2_ERROR_CHANNEL_CLOSED) }
        var written = 0
        while written < source.count, isWritable {
            let rest = UnsafeRawBufferPointer(rebasing: source[written...])
            let count = libssh2_channel_write_ex(
                channel.raw, 0, rest.baseAddress?.assumingMemoryBound(to: CChar.self), rest.count)
            if count < 0, written == 0 || count != Int(LIBSSH2_ERROR_EAGAIN) { return count }
            if count <= 0 { break }
            written += count
        }
        return written > 0 ? written : Int(LIBSSH2_ERROR_EAGAIN)
    }
}

/// What is left of pieces that are sent one after the other.
struct InputPieces {
    private var pieces: ArraySlice<InputPiece>
    private var offset = 0

    init(_ pieces: [InputPiece]) {
        self.pieces = pieces.drop { $0.isEmpty }
    }

    var isEmpty: Bool { pieces.isEmpty }

    /// Lends what is left of the first piece; nil if there is none.
    func withFirst(_ body: (UnsafeRawBufferPointer) -> Int) -> Int? {
        pieces.first.map { piece in
            piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        }
    }

    /// Takes bytes away that have been sent.
    mutating func remove(_ count: Int) {
        offset += count
        while let first = pieces.first, offset >= first.count {
            offset -= first.count
            pieces.removeFirst()
        }
    }
}
