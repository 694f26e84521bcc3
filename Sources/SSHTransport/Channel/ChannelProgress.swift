/// The progress of a channel to its end (RFC 4254 sections 5.3 and 6.10), on both sides.
///
/// It only goes forward: an ended part stays ended, and the first fault counts.
struct ChannelProgress {
    private(set) var exitStatus: Int?
    private(set) var exitSignal: SSHExitSignal?
    /// Whether all output has been read.
    private(set) var endOfOutput = false
    /// Whether the server has closed it, and all output has been read.
    private(set) var isClosed = false
    /// Whether the server has sent SSH_MSG_CHANNEL_EOF; libssh2 reports it only once the output has been read.
    private(set) var hasReceivedEnd = false
    private(set) var hasReceivedClose = false
    /// Whether this side is closing it, or will do so when its request has ended.
    private(set) var isClosing = false
    /// The session's fault, once it has failed.
    private(set) var fault: Fault?
    /// Whether there is a fault. This is checked often, so it avoids a copy of the fault.
    private(set) var isLost = false

    /// Whether the exit is known, or can no longer come.
    var exitIsSettled: Bool { exitIsKnown || isClosing || isClosed || isLost }
    var exitIsKnown: Bool { exitStatus != nil || exitSignal != nil }
    private var exitIsZero: Bool { exitStatus == 0 && exitSignal == nil }

    /// Whether nothing more will arrive: the exit is known and the output has ended, or the channel is closed, or the session
    /// is dead.
    var isFinished: Bool { isClosing || isClosed || isLost || (endOfOutput && exitIsKnown) }

    /// Whether the output has ended as far as its reader is concerned.
    var outputHasEnded: Bool { isClosing || endOfOutput || isClosed || isLost }

    /// Whether the server has sent EOF or CLOSE: no more data follows.
    var endHasArrived: Bool { hasReceivedEnd || hasReceivedClose }

    /// The first exit message counts, unless it is 0 and another follows. No honest server sends two; a second one never turns a
    /// failure into a success.
    mutating func receivedExit(status: Int) { if !exitIsKnown || exitIsZero { exitStatus = status } }
    mutating func receivedExit(signal: SSHExitSignal) {
        guard !exitIsKnown || exitIsZero else { return }
        (exitStatus, exitSignal) = (nil, signal)
    }
    mutating func receivedEnd() { hasReceivedEnd = true }
    mutating func receivedClose() { hasReceivedClose = true }

    mutating func outputEnded() { endOfOutput = true }

    /// The server has closed the channel. This counts only at the end of the output.
    mutating func closed() {
        guard endOfOutput else { return }
        isClosed = true
    }

    /// The remaining output was recovered without libssh2: now the ends that the server has sent apply.
    mutating func salvaged() {
        endOfOutput = endOfOutput || endHasArrived
        isClosed = isClosed || hasReceivedClose
    }

    mutating func beginClosing() { isClosing = true }

    mutating func sessionFailed(_ fault: Fault) {
        guard !isLost else { return }
        self.fault = fault
        isLost = true
    }
}

/// How a channel ended.
package struct ChannelEnd: Sendable, Hashable {
    package var exitStatus: Int?
    package var exitSignal: SSHExitSignal?
    package var endOfOutput: Bool
    package var isClosed: Bool
    /// The tail of each stream's output, whether or not it was read.
    package var standardOutputTail: [UInt8] = []
    package var standardErrorTail: [UInt8] = []
    /// The fault of the session, if that is what ended it.
    package var fault: Fault?

    package init(
        exitStatus: Int? = nil, exitSignal: SSHExitSignal? = nil, endOfOutput: Bool, isClosed: Bool,
        standardOutputTail: [UInt8] = [], standardErrorTail: [UInt8] = [], fault: Fault? = nil
    ) {
        self.exitStatus = exitStatus
        self.exitSignal = exitSignal
        self.endOfOutput = endOfOutput
        self.isClosed = isClosed
        self.standardOutputTail = standardOutputTail
        self.standardErrorTail = standardErrorTail
        self.fault = fault
    }
}

/// The tasks that wait for one channel's output, end or exit. Each is resumed once, and then checks its condition again.
struct ChannelWaiters {
    typealias Waiter = CheckedContinuation<Void, Never>
    private typealias Reader = (id: UInt64, waiter: Waiter)

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
        defer { setReader(of: stream, (id, waiter)) }
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
