/// The tasks that wait for something of one channel's. Each is resumed once, and looks again at what it waits for.
struct ChannelWaits {
    typealias Waiter = CheckedContinuation<Void, Never>
    private typealias Reader = (id: UInt64, waiter: Waiter)

    /// One reader a stream.
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
    /// - Returns: the reader of the stream whose place it takes.
    mutating func addReader(of stream: Int, id: UInt64, _ waiter: Waiter) -> Waiter? {
        defer { setReader(of: stream, (id, waiter)) }
        return reader(of: stream)?.waiter
    }

    func hasReader(of stream: Int) -> Bool { reader(of: stream) != nil }

    /// Whether it is this reader that waits, and no other has taken its place.
    func hasReader(of stream: Int, id: UInt64) -> Bool { reader(of: stream)?.id == id }

    var hasEnd: Bool { !end.isEmpty }
    var hasExit: Bool { !exit.isEmpty }

    mutating func addEnd(_ waiter: Waiter) { end.append(waiter) }
    mutating func addExit(_ waiter: Waiter) { exit.append(waiter) }

    // What is taken is to be resumed.

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
