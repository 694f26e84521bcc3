/// The tasks that wait for something of one channel's. Each is resumed once, and looks again at what it waits for.
struct ChannelWaits {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// One reader a stream.
    private var readers: [(id: UInt64, waiter: Waiter)?] = [nil, nil]
    private var end: [Waiter] = []
    private var exit: [Waiter] = []
    private var lastReader: UInt64 = 0

    /// A number for a reader that is about to wait.
    mutating func makeReader() -> UInt64 {
        lastReader += 1
        return lastReader
    }

    /// A second reader of a stream takes the place of the first.
    mutating func addReader(of stream: Int, id: UInt64, _ waiter: Waiter) {
        wakeReader(of: stream)
        readers[stream] = (id, waiter)
    }

    func hasReader(of stream: Int) -> Bool { readers[stream] != nil }

    mutating func wakeReader(of stream: Int) {
        readers[stream]?.waiter.resume()
        readers[stream] = nil
    }

    /// Resumes this reader, unless another has taken its place.
    mutating func cancelReader(of stream: Int, id: UInt64) {
        if readers[stream]?.id == id { wakeReader(of: stream) }
    }

    var hasEnd: Bool { !end.isEmpty }
    var hasExit: Bool { !exit.isEmpty }

    mutating func addEnd(_ waiter: Waiter) { end.append(waiter) }
    mutating func addExit(_ waiter: Waiter) { exit.append(waiter) }

    mutating func wakeEnd() { Self.wake(&end) }
    mutating func wakeExit() { Self.wake(&exit) }

    private static func wake(_ list: inout [Waiter]) {
        let waiters = list
        list = []
        for waiter in waiters { waiter.resume() }
    }
}
