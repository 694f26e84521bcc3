internal import CLibSSH2
internal import NIOCore

/// Our name for a channel of a session.
struct ChannelID: Sendable, Hashable {
    let rawValue: Int
}

/// One session channel (RFC 4254 section 6.1) and what has been read from it. Confined to its session.
final class SessionChannel {
    /// Every read of a channel, on either stream, asks for this much: libssh2 computes the window adjustment from the
    /// length, and two lengths around a key re-exchange part its count of the window from the server's.
    static let readLength = 32768
    /// How much is read ahead of a consumer, a stream. What does not fit stays in libssh2, bounded by the window.
    static let readAhead = 1 << 18

    let raw: OpaquePointer
    /// Our number of the channel on the wire.
    let number: UInt32
    var exitStatus: Int?
    var exitSignal: ExitSignal?
    private(set) var endOfOutput = false
    private(set) var isClosed = false
    /// Whether the server has said so, of which libssh2 speaks only once the output has been read.
    var hasReceivedEnd = false
    var hasReceivedClose = false
    /// Whether the last read of both streams found nothing more.
    private(set) var isDrained = true
    /// The session's fault, once it has failed.
    private(set) var fault: Fault?
    /// Set when nobody will read any more: what comes is thrown away, so that the channel can end.
    var discardsOutput = false
    /// Set when the channel is to be closed as soon as the request under way on it has ended.
    var closesWhenIdle = false
    /// Set when it is being closed and freed.
    var isClosing = false {
        didSet { wakeReaders() }
    }

    /// Told when a stream has something to be taken, or its end.
    var arrived: (() -> Void)?

    private var streams = [Stream(), Stream()]
    private var endWaiters: [CheckedContinuation<Void, Never>] = []
    private var exitWaiters: [CheckedContinuation<Void, Never>] = []

    private struct Stream {
        var buffer = ByteBuffer()
        /// How much of it has been read from libssh2.
        var count = 0
        var waiter: (id: UInt64, continuation: CheckedContinuation<Void, Never>)?
    }

    init(raw: OpaquePointer, number: UInt32) {
        self.raw = raw
        self.number = number
    }

    /// Nothing more will come: the exit is known and the output has ended, or the channel is closed, or the session is dead.
    var isFinished: Bool { isClosing || isClosed || fault != nil || (endOfOutput && (exitStatus != nil || exitSignal != nil)) }

    /// Reads what libssh2 has for both streams, as far as there is room.
    ///
    /// - Returns: a negative return code other than EAGAIN.
    func serve(_ wire: Wire) -> Int? {
        guard !endOfOutput || !isClosed else { return nil }
        isDrained = true
        let hadReceivedEnd = hasReceivedEnd || hasReceivedClose
        for stream in 0...1 {
            if let failure = fill(stream) { return failure }
        }
        // Data of other kinds than ours, which nobody reads, would hide the end from libssh2 for ever.
        if !endOfOutput, isDrained, hadReceivedEnd || libssh2_channel_eof(raw) == 1 {
            if lacksOutput(wire.ledger) { return Int(LIBSSH2_ERROR_CHANNEL_WINDOW_EXCEEDED) }
            endOfOutput = true
        }
        // Only with the output at its end does libssh2 say whether the channel is closed.
        if endOfOutput, !isClosed, libssh2_channel_wait_closed(raw) == 0 { isClosed = true }
        wakeReaders()
        return nil
    }

    /// Whether libssh2 has thrown output away, as it does without a word where a server
    /// sends more than the window or a message may hold.
    private func lacksOutput(_ ledger: DataLedger) -> Bool {
        streams.indices.contains { index in
            ledger.released(.init(channel: number, stream: UInt32(index))) > streams[index].count
        }
    }

    private func fill(_ stream: Int) -> Int? {
        while true {
            if discardsOutput { streams[stream].buffer.clear() }
            guard streams[stream].buffer.readableBytes < Self.readAhead else {
                isDrained = false
                return nil
            }
            var count = 0
            streams[stream].buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.readLength) { target in
                count = libssh2_channel_read_ex(
                    raw, Int32(stream), target.baseAddress?.assumingMemoryBound(to: CChar.self), Self.readLength)
                return max(0, count)
            }
            if count == 0 || count == Int(LIBSSH2_ERROR_EAGAIN) { return nil }
            if count < 0 { return count }
            streams[stream].count += count
        }
    }

    /// How much libssh2 has not handed out yet, of all streams. This one call tells also when it refuses to read.
    var unreadCount: Int {
        var count: UInt = 0
        libssh2_channel_window_read_ex(raw, &count, nil)
        return Int(count)
    }

    /// Takes what libssh2 never handed out, if it is certain which it is.
    ///
    /// - Parameter count: how much there was when the fault came. More may have followed that is not to be believed.
    func take(over ledger: DataLedger, count: Int) {
        let rests = streams.indices.map { index in
            ledger.rest(of: .init(channel: number, stream: UInt32(index)), read: streams[index].count)
        }
        let found = rests.reduce(0) { $0 + ($1?.count ?? 0) }
        let isCertain = found == count || found > count && rests.contains { $0?.isEmpty == true }
        guard rests.allSatisfy({ $0 != nil }), isCertain else { return }
        for (index, rest) in rests.enumerated() where !discardsOutput {
            streams[index].buffer.writeBytes(rest?.prefix(count) ?? [])
        }
        isDrained = true
        endOfOutput = endOfOutput || hasReceivedEnd || hasReceivedClose
        isClosed = isClosed || hasReceivedClose
    }

    /// What has been read of a stream, all of it.
    func take(_ stream: Int) -> ByteBuffer? {
        guard streams[stream].buffer.readableBytes > 0 else { return nil }
        defer { streams[stream].buffer = ByteBuffer() }
        return streams[stream].buffer
    }

    /// Whether nothing that was read waits to be taken.
    var isEmpty: Bool { streams.allSatisfy { $0.buffer.readableBytes == 0 } }

    /// Whether a stream has ended as far as its reader is concerned.
    var outputHasEnded: Bool { isClosing || endOfOutput || isClosed || fault != nil }

    // What is waited for may have come between the caller's look and its suspension: so each of these looks again. The session
    // is a parameter for the compiler's sake: see `Session.suspended`.

    func wait(_ stream: Int, id: UInt64, _ continuation: CheckedContinuation<Void, Never>, _: isolated Session) {
        if streams[stream].buffer.readableBytes > 0 || outputHasEnded { return continuation.resume() }
        streams[stream].waiter?.continuation.resume()
        streams[stream].waiter = (id, continuation)
    }

    func cancelWait(_ stream: Int, id: UInt64) {
        guard streams[stream].waiter?.id == id else { return }
        streams[stream].waiter?.continuation.resume()
        streams[stream].waiter = nil
    }

    func waitForEnd(_ continuation: CheckedContinuation<Void, Never>, _: isolated Session) {
        if isFinished { return continuation.resume() }
        endWaiters.append(continuation)
    }

    /// Whether the exit is known, or cannot come any more.
    var exitIsSettled: Bool { exitStatus != nil || exitSignal != nil || isClosing || isClosed || fault != nil }

    func waitForExit(_ continuation: CheckedContinuation<Void, Never>, _: isolated Session) {
        if exitIsSettled { return continuation.resume() }
        exitWaiters.append(continuation)
    }

    /// Lets everybody look again who waits for the exit or the end.
    func wakeWaiters() {
        let waiters = endWaiters + exitWaiters
        endWaiters = []
        exitWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func wakeReaders() {
        for index in 0...1 where streams[index].buffer.readableBytes > 0 || outputHasEnded {
            streams[index].waiter?.continuation.resume()
            streams[index].waiter = nil
        }
        arrived?()
        noteExit()
    }

    /// Something besides output came for this channel: its exit, or its end.
    func noteExit() {
        if exitIsSettled || isFinished { wakeWaiters() }
    }

    func sessionFailed(_ fault: Fault) {
        self.fault = fault
        wakeReaders()
    }
}
