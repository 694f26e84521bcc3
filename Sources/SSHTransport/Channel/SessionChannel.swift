internal import NIOCore

/// One session channel (RFC 4254 section 6.1) and the output that was read from it. Confined to its session.
///
/// Up to the read-ahead limit, it reads all data that libssh2 holds for it. Data, an end or a failure wakes the tasks that wait
/// for it.
final class SessionChannel {
    let library: LibraryChannel
    /// The client's channel number on the wire.
    let number: UInt32
    private(set) var progress = ChannelProgress()
    @exclusivity(unchecked) private var waits = ChannelWaiters()
    private(set) var consumer: ChannelConsumer?
    /// Whether the last read of both streams found nothing more.
    private(set) var isDrained = true
    /// Whether all further output is discarded, so that the channel can end.
    private(set) var discardsOutput = false
    /// Whether to close the channel as soon as its request has ended.
    private(set) var closesWhenIdle = false
    /// The receive window.
    @exclusivity(unchecked) private(set) var window: ReceiveWindow
    /// An adjustment of the window that libssh2 has begun to send.
    private var adjusting: Int?
    @exclusivity(unchecked) private var streams: [OutputBuffer]
    /// When output last came or was last read; before that, when the channel was opened.
    private(set) var lastOutput = MonotonicInstant.now

    /// - Parameter roundTrip: the time that the server took to open it.
    init(_ library: LibraryChannel, number: UInt32, roundTrip: Duration, _ limits: ReceiveWindow.Limits) {
        self.library = library
        self.number = number
        window = ReceiveWindow(roundTrip: roundTrip, limits)
        streams = [SSHEvidence.OutputStream.standardOutput, .standardError].map { OutputBuffer($0, window: limits.largest) }
    }

    // MARK: Reading from libssh2

    /// Reads libssh2's data for both streams, up to the read-ahead limit.
    ///
    /// - Returns: the call that failed.
    func serve(_ session: LibrarySession) -> LibraryFailure? {
        guard !progress.endOfOutput || !progress.isClosed else { return nil }
        isDrained = true
        let endHadArrived = progress.endHasArrived
        for stream in 0..<(isMerged ? 1 : 2) {
            if let failure = fill(stream, session) { return failure }
        }
        if !isDrained || !window.isAtRest { window.read(readCount, isDrained: isDrained) }
        // Data of an unknown type has no reader, and would hide the end from libssh2 forever.
        if !progress.endOfOutput, isDrained, endHadArrived || library.hasEnded {
            if !isComplete(session.discarded) || session.isViolated { return LibraryChannel.readExceeded }
            progress.outputEnded()
        }
        if progress.endOfOutput, !progress.isClosed, case .success(0) = library.waitClosed() { progress.closed() }
        wakeReaders()
        return nil
    }

    /// libssh2 and its callbacks, which the read calls, do not use the streams.
    private func fill(_ stream: Int, _ session: LibrarySession) -> LibraryFailure? {
        while true {
            if discardsOutput { streams[stream].clear() }
            guard streams[stream].hasSpace else {
                isDrained = false
                return nil
            }
            switch openWindow() {
            case .success: break
            case .again:
                isDrained = false
                return nil
            case .failure(let failure): return failure
            }
            switch streams[stream].fill(sharing: &session.wire.spare.buffer, { library.read(stream, into: $0) }) {
            case .success(0), .again: return nil
            case .failure(let failure): return failure
            case .success: break
            }
            if isMerged { for run in session.discarded.takeDataRead(of: number) { streams[0].note(run) } }
            lastOutput = .now
        }
    }

    /// Sends an adjustment of the window when it is due.
    ///
    /// This must come before libssh2's own adjustment, which it sends when less than three quarters of its first window and a
    /// read's length are left (channel.c: `_libssh2_channel_read`): it takes one adjustment at a time. After EAGAIN nothing is
    /// read until the adjustment has been sent.
    private func openWindow() -> LibraryResult {
        let remaining = library.remainingWindow
        guard adjusting != nil || window.isDue(remaining) else { return .success(0) }
        guard let count = adjusting ?? window.adjustment(remaining, unread: { unreadCount }) else { return .success(0) }
        adjusting = count
        let result = library.openWindow(by: count)
        if case .again = result { return result }
        adjusting = nil
        if case .success = result { window.granted(behind: readCount + remaining, at: .now) }
        return result
    }

    /// The bytes that were read, of both streams.
    private var readCount: Int { streams[0].readCount + streams[1].readCount }

    /// The bytes that libssh2 has not handed out yet, over all streams.
    var unreadCount: Int { library.window.unread }

    /// Whether no read is possible before data arrives or is consumed.
    var isAtRest: Bool { isDrained || adjusting != nil }

    /// Whether libssh2 holds more data, which is read once a reader has made space. While a window adjustment is pending, there
    /// may already be space: during a key exchange it can be sent only after the server's next bytes.
    var awaitsSpace: Bool { !isDrained && adjusting == nil }

    /// Whether ``serve(_:)`` would read.
    var hasSpace: Bool {
        guard !(progress.endOfOutput && progress.isClosed) else { return false }
        return discardsOutput || streams[0].hasSpace || !isMerged && streams[1].hasSpace
    }

    /// Whether output waits in libssh2 for a reader.
    var awaitsReader: Bool { !isDrained && !discardsOutput && !(streams[0].hasSpace && streams[1].hasSpace) }

    /// Whether libssh2 holds no data for this channel, so that a read would only return EAGAIN, and no adjustment of the window
    /// is pending or due. Reading sends adjustments.
    var hasNothingNew: Bool {
        guard !progress.isClosing, !discardsOutput, !progress.endOfOutput, isDrained, !progress.endHasArrived else {
            return false
        }
        let (remaining, unread) = library.window
        return unread == 0 && adjusting == nil && !window.isDue(remaining) && !library.hasEnded
    }

    /// Whether the messages that libssh2 has freed contained exactly the read data, now that everything was read.
    ///
    /// libssh2 silently discards a message that exceeds the window or the size of a message: then more was freed. It treats the
    /// rest of a packet as data, even if the string is shorter: then less was freed, or an impossible length.
    private func isComplete(_ discarded: DiscardedPackets) -> Bool {
        var output = discarded.ledger.released(.init(channel: number, stream: 0))
        var error = discarded.ledger.released(.init(channel: number, stream: 1))
        if isMerged { (output, error) = (output + error, 0) }
        let (readOutput, readError) = (streams[0].readCount, isMerged ? 0 : streams[1].readCount)
        if output < readOutput || error < readError { discarded.countsDiffer() }
        return output == readOutput && error == readError
    }

    /// Takes the data that libssh2 never handed out, if it can be identified with certainty.
    ///
    /// - Parameter count: the bytes that were there when the fault came. Later bytes cannot be trusted.
    func take(over ledger: DataLedger, count: Int) {
        let rests: [DataLedger.UnreadData?] =
            isMerged
            ? [ledger.rest(of: number, read: streams[0].readCount)]
            : streams.indices.map { ledger.rest(of: number, UInt32($0), read: streams[$0].readCount) }
        let found = rests.reduce(0) { $0 + ($1?.count ?? 0) }
        let isCertain = found == count || found > count && rests.contains { $0?.count == 0 }
        guard rests.allSatisfy({ $0 != nil }), isCertain else { return }
        for (index, rest) in rests.enumerated() where !discardsOutput {
            rest.map { streams[index].append($0, atMost: count) }
        }
        isDrained = true
        progress.salvaged()
    }

    /// Whether a program must be running on the channel, or have run, although the server has not yet confirmed its start.
    ///
    /// RFC 4254 section 5.4 allows a server to send a program's output, its exit and even the channel's end before the answer
    /// to the request that started it (paramiko does). Output alone does not count as an answer, because a refusal may follow
    /// it. But nothing more comes on a closed channel, and if output waits for a reader, the answer may come only after it is
    /// read.
    var provesRunning: Bool {
        if progress.hasReceivedClose { return progress.exitIsKnown || readCount > 0 || unreadCount > 0 }
        return awaitsReader
    }

    // MARK: Output

    /// Whether both streams are read as one, in the order in which their packets come.
    private(set) var isMerged = false

    /// Reads both streams as one from now on, as the first.
    func merge() {
        isMerged = true
        streams[0].merge()
    }

    /// All bytes of a stream that were read and not taken.
    func take(_ stream: Int) -> ByteBuffer? { takeChunk(stream)?.bytes }

    /// The next bytes of one stream, and which stream that is.
    func takeChunk(_ stream: Int) -> (stream: SSHEvidence.OutputStream, bytes: ByteBuffer)? {
        guard let chunk = streams[stream].take(isLast: progress.outputHasEnded) else { return nil }
        lastOutput = .now
        return chunk
    }

    /// Keeps only a stream's tail from now on.
    func discard(_ stream: Int) { streams[stream].discard() }

    /// Discards all output from now on.
    func discardOutput() { discardsOutput = true }

    /// Keeps both streams whole, up to a limit.
    func collect(_ limit: Int) {
        for stream in streams.indices { streams[stream].collect(limit) }
    }

    /// The collected output. Collecting ends.
    func takeCollected() -> CollectedOutput {
        var collected = CollectedOutput()
        collected.exceeded = streams.first { $0.passesLimit }?.stream
        (collected.standardOutput, collected.standardError) = (streams[0].takeCollected(), streams[1].takeCollected())
        return collected
    }

    func tail(of stream: SSHEvidence.OutputStream) -> [UInt8] {
        streams[isMerged || stream == .standardOutput ? 0 : 1].tail(of: stream)
    }

    /// Whether more output has come than may be collected.
    var passesLimit: Bool { streams.contains { $0.passesLimit } }

    /// Whether no bytes wait to be taken.
    var isEmpty: Bool { streams.allSatisfy { $0.count == 0 } }

    // MARK: A consumer

    /// Whether there is something for a consumer: bytes, or the end of the stream.
    private var hasNews: Bool { progress.outputHasEnded || streams.contains { $0.isReadable } }

    /// Gives the bytes to a consumer.
    func consume(by consumer: ChannelConsumer) { self.consumer = consumer }

    func endConsuming() { consumer = nil }

    // MARK: The end

    /// The end of the channel, as far as it is known.
    var end: ChannelEnd {
        ChannelEnd(
            exitStatus: progress.exitStatus, exitSignal: progress.exitSignal, endOfOutput: progress.endOfOutput,
            isClosed: progress.isClosed, standardOutputTail: tail(of: .standardOutput),
            standardErrorTail: tail(of: .standardError), fault: progress.fault)
    }

    func receivedExit(status: Int) {
        progress.receivedExit(status: status)
        wakeForExit()
    }

    func receivedExit(signal: SSHExitSignal) {
        progress.receivedExit(signal: signal)
        wakeForExit()
    }

    func receivedEnd() { progress.receivedEnd() }
    func receivedClose() { progress.receivedClose() }

    /// Closes it as soon as its request has ended. The server may never answer that request, so all waits end now.
    func closeWhenIdle() {
        closesWhenIdle = true
        progress.beginClosing()
        wakeReaders()
    }

    /// The channel is being closed and freed.
    func beginClosing() {
        closesWhenIdle = false
        progress.beginClosing()
        wakeReaders()
    }

    /// Whether it may still be freed: ``beginClosing()`` was not called.
    var isOpen: Bool { closesWhenIdle || !progress.isClosing }

    func sessionFailed(_ fault: Fault) {
        progress.sessionFailed(fault)
        wakeReaders()
    }

    // MARK: Waiting

    // The event may have come between the caller's check and its suspension, so each of these checks again. The session is a
    // parameter because the compiler needs it: see `Session.suspended`.

    /// A number for a reader that is about to wait.
    func makeReader() -> UInt64 { waits.makeReader() }

    func wait(_ stream: Int, reader: UInt64, _ waiter: ChannelWaiters.Waiter, _: isolated any Actor) {
        if streams[stream].isReadable || progress.outputHasEnded { return waiter.resume() }
        waits.addReader(of: stream, id: reader, waiter)?.resume()
    }

    func cancelWait(_ stream: Int, reader: UInt64) {
        if waits.hasReader(of: stream, id: reader) { waits.takeReader(of: stream)?.resume() }
    }

    func waitForEnd(_ waiter: ChannelWaiters.Waiter, _: isolated any Actor) {
        if progress.isFinished || passesLimit { return waiter.resume() }
        waits.addEnd(waiter)
    }

    func waitForExit(_ waiter: ChannelWaiters.Waiter, _: isolated any Actor) {
        if progress.exitIsSettled { return waiter.resume() }
        waits.addExit(waiter)
    }

    /// Resumes all waiters for the exit or the end, so that they check again.
    func wakeWaiters() {
        for waiter in waits.takeEnd() { waiter.resume() }
        for waiter in waits.takeExit() { waiter.resume() }
    }

    private func wakeReaders() {
        for stream in 0...1 where waits.hasReader(of: stream) && (streams[stream].isReadable || progress.outputHasEnded) {
            waits.takeReader(of: stream)?.resume()
        }
        if let consumer, hasNews { consumer.arrived() }
        wakeForExit()
    }

    /// The channel's exit or end came.
    private func wakeForExit() {
        if waits.hasExit, progress.exitIsSettled {
            for waiter in waits.takeExit() { waiter.resume() }
        }
        if waits.hasEnd, progress.isFinished || passesLimit {
            for waiter in waits.takeEnd() { waiter.resume() }
        }
    }
}
