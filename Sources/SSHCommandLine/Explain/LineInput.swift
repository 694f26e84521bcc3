/// Standard input in whole lines as they arrive, in bounded memory. The rest of a line after its first MiB is skipped.
final class LineInput {
    typealias Line = UnsafeBufferPointer<UInt8>

    private static let maximumLength = 1 << 20
    private static let piece = 1 << 16
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: maximumLength + piece)
    /// The bytes that have been read and not yet returned.
    private var (start, end) = (0, 0)
    private var isAtEnd = false
    /// Whether the rest of an overlong line is being skipped.
    private var isSkipping = false

    deinit { buffer.deallocate() }

    /// Calls `body` with all complete lines read so far, without the last line feed. Returns nil at the end of the input.
    func nextLines<Result>(_ body: (Line) throws -> Result) rethrows -> Result? {
        var searched = start
        while true {
            if isSkipping, let found = lineFeed(from: start) {
                (start, searched) = (found + 1, found + 1)
                isSkipping = false
            }
            if isSkipping {
                start = end
            } else if let last = buffer[searched..<end].lastIndex(of: 0x0A) {
                let lines = Line(rebasing: buffer[start..<last])
                start = last + 1
                return try body(lines)
            } else if end > start, isAtEnd || end - start >= Self.maximumLength {
                let line = Line(rebasing: buffer[start..<end])
                start = end
                isSkipping = !isAtEnd
                return try body(line)
            }
            if isAtEnd { return nil }
            makeRoom()
            searched = end
            fill()
        }
    }

    /// The rest of the input. If it is longer than 1 MiB, this keeps the beginning, where `ssh -v` shows its progress, and the
    /// end, which shows why the client failed.
    func rest() -> String {
        var beginning = ""
        while !isAtEnd {
            if end - start > Self.maximumLength {
                if beginning.isEmpty {
                    beginning = String(decoding: buffer[start..<start + Self.piece], as: UTF8.self) + "\n"
                }
                start = end - Self.maximumLength
            }
            if end == buffer.count { makeRoom() }
            fill()
        }
        let text = beginning + String(decoding: buffer[max(start, end - Self.maximumLength)..<end], as: UTF8.self)
        start = end
        return text
    }

    private func lineFeed(from offset: Int) -> Int? {
        guard offset < end, let base = buffer.baseAddress, let found = memchr(base + offset, 0x0A, end - offset) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Moves the unread bytes to the front of the buffer.
    private func makeRoom() {
        guard start > 0, let base = buffer.baseAddress else { return }
        memmove(base, base + start, end - start)
        (start, end) = (0, end - start)
    }

    private func fill() {
        let room = min(Self.piece, buffer.count - end)
        let count = readBytes(0, buffer.baseAddress.map { $0 + end }, room)
        if count > 0 {
            end += count
        } else if count == 0 || errno != EINTR {
            isAtEnd = true
        }
    }
}
