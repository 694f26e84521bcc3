/// The tasks that wait for one channel's output, end or exit. Each is resumed once, and then checks its condition again.
struct ChannelWaiters {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// A continuation has no layout that the compiler knows. An object lets the waiters be read without a copy of each.
    private final class Reader {
        let id: UInt64
        let waiter: Waiter

        init(id: UInt64, waiter: Waiter) {
            self.id = id
            self.waiter = waiter
        }
    }

    /// One reader per stream.
    private var readers: (Reader?, Reader?) = (nil, nil)
    private var end: [Waiter] = []
    private var exit: [Waiter] = []
    private var lastReader: UInt64 = 0

    /// A number for a reader that is about to wait.
    mutating func makeReader() -> UInt64 {
        lastReader += 1
        return lastReader
    }

    private func reader(of stream: Int) -> Reader? { stream == 0 ? readers.0 : readers.1 }

    private mutating func setReader(of stream: Int, _ reader: Reader?) {
        if stream == 0 { readers.0 = reader } else { readers.1 = reader }
    }

    /// Adds a reader.
    ///
    /// - Returns: the reader of the stream that it replaces.
    mutating func addReader(of stream: Int, id: UInt64, _ waiter: Waiter) -> Waiter? {
        defer { setReader(of: stream, Reader(id: id, waiter: waiter)) }
        return reader(of: stream)?.waiter
    }

    func hasReader(of stream: Int) -> Bool { reader(of: stream) != nil }

    /// Whether this reader still waits and was not replaced.
    func hasReader(of stream: Int, id: UInt64) -> Bool { reader(of: stream)?.id == id }

    var hasEnd: Bool { !end.isEmpty }
    var hasExit: Bool { !exit.isEmpty }

    mutating func addEnd(_ waiter: Waiter) { end.append(waiter) }
    mutating func addExit(_ waiter: Waiter) { exit.append(waiter) }

    // The caller must resume the returned waiters.

    mutating func takeReader(of stream: Int) -> Waiter? {
        defer { setReader(of: stream, nil) }
        return reader(of: stream)?.waiter
    }

    mutating func takeEnd() -> [Waiter] {
        defer { end = [] }
        return end
    }

    mutating func takeExit() -> [Waiter] {
        defer { exit = [] }
        return exit
    }
}

/// Receives a channel's bytes instead of readers: the session of the next hop, or SFTP.
struct ChannelConsumer {
    let object: AnyObject
    /// Called when a stream has bytes to read, or has ended. The caller is in the middle of reading.
    let arrived: () -> Void
}
