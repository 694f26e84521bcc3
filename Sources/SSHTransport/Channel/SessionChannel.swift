internal import NIOCore

/// One session channel (RFC 4254 section 6.1) and what has been read from it. Confined to its session.
///
/// While there is room everything that libssh2 holds for it is read; whatever comes, ends or fails wakes those that wait for it.
final class SessionChannel {
    let library: LibraryChannel
    /// Our number of the channel on the wire.
    let number: UInt32
    private(set) var progress = ChannelProgress()
    private var waits = ChannelWaits()
    private(set) var consumer: ChannelConsumer?
    /// Whether the last read of both streams found nothing more.
    private(set) var isDrained = true
    /// Whether the output will not be read any more: it is discarded, so that the channel can end.
    private(set) var discardsOutput = false
    /// Whether the channel is to be closed as soon as the request under way on it has ended.
    private(set) var closesWhenIdle = false
    /// How far the server may be ahead of us.
    private(set) var window: ReceiveWindow
    /// An adjustment of the window that libssh2 has begun to send.
    private var adjusting: Int?
    private var streams: [OutputBuffer]
    /// When it last wrote something, or its output was last read; before that, when it began.
    private(set) var lastOutput = Moment.now

    /// - Parameter roundTrip: how long the server took to open it.
    init(_ library: LibraryChannel, number: UInt32, roundTrip: Duration, _ limits: ReceiveWindow.Limits) {
        self.library = library
        self.number = number
        window = ReceiveWindow(roundTrip: roundTrip, limits)
        streams = [SSHEvidence.OutputStream.standardOutput, .standardError].map { OutputBuffer($0, window: limits.largest) }
    }

    // MARK: Reading from libssh2

    /// Reads what libssh2 has for both streams, as far as there is room.
    ///
    /// - Returns: the call that failed.
    func serve(_ session: LibrarySession) -> LibraryFailure? {
        guard !progress.endOfOutput || !progress.isClosed else { return nil }
        isDrained = true
        let endHadArrived = progress.endHasArrived
        if let failure = withStreams({ fill(&$0, session) }) { return failure }
        if !isDrained || !window.isAtRest {
            var window = window
            window.read(readCount, isDrained: isDrained)
            self.window = window
        }
        // Data of other types than ours has no reader and would hide the end from libssh2 for ever.
        if !progress.endOfOutput, isDrained, endHadArrived || library.hasEnded {
            if lacksOutput(session.discarded.ledger) { return LibraryChannel.readExceeded }
            progress.outputEnded()
        }
        if progress.endOfOutput, !progress.isClosed, case .success(0) = library.waitClosed() { progress.closed() }
        wakeReaders()
        return nil
    }

    /// Lends the streams: libssh2 is called meanwhile, so the compiler could not prove an access to them where they are exclusive,
    /// and each would be checked when it is made.
    private func withStreams<Result>(_ body: (inout [OutputBuffer]) -> Result) -> Result {
        var streams: [OutputBuffer] = []
        swap(&streams, &self.streams)
        defer { swap(&streams, &self.streams) }
        return body(&streams)
    }

    private func fill(_ streams: inout [OutputBuffer], _ session: LibrarySession) -> LibraryFailure? {
        for stream in 0..<(isMerged ? 1 : 2) {
            if let failure = fill(stream, of: &streams, session) { return failure }
        }
        return nil
    }

    private func fill(_ stream: Int, of streams: inout [OutputBuffer], _ session: LibrarySession) -> LibraryFailure? {
        while true {
            if discardsOutput { streams[stream].clear() }
            guard streams[stream].hasRoom else {
                isDrained = false
                return nil
            }
            switch openWindow(readCount: streams[0].readCount + streams[1].readCount) {
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

    /// Lets the server send more, when it is time to.
    ///
    /// Before libssh2 does, which begins to when less than three quarters of its first window and a read's length are left
    /// (channel.c: `_libssh2_channel_read`): it takes one adjustment at a time. Until one that said EAGAIN has ended, nothing is read.
    private func openWindow(readCount: Int) -> LibraryResult {
        let remaining = library.remainingWindow
        guard adjusting != nil || window.isDue(remaining) else { return .success(0) }
        var window = window
        let due = adjusting ?? window.adjustment(remaining, unread: { unreadCount })
        self.window = window
        guard let count = due else { return .success(0) }
        adjusting = count
        let result = library.openWindow(by: count)
        if case .again = result { return result }
        adjusting = nil
        if case .success = result {
            window.granted(behind: readCount + remaining, at: .now)
            self.window = window
        }
        return result
    }

    /// How much has been read, of both streams.
    private var readCount: Int { streams[0].readCount + streams[1].readCount }

    /// How much libssh2 has not handed out yet, over all streams.
    var unreadCount: Int { library.window.unread }

    /// Whether no more can be read before something comes, or is taken.
    var isAtRest: Bool { isDrained || adjusting != nil }

    /// Whether libssh2 holds more, which is read as soon as there is room. Where an adjustment of the window waits to be sent there
    /// may be room already: during a key exchange nothing but the server's next bytes lets that get on.
    var awaitsRoom: Bool { !isDrained && adjusting == nil }

    /// Whether serving it reads at all.
    var hasRoom: Bool {
        let read = isMerged ? streams[..<1] : streams[...]
        return !(progress.endOfOutput && progress.isClosed) && (discardsOutput || read.contains { $0.hasRoom })
    }

    /// Whether output waits in libssh2 for a reader that has not come.
    var awaitsReader: Bool { !isDrained && !discardsOutput && streams.contains { !$0.hasRoom } }

    /// Whether libssh2 holds nothing for this channel, so that a read, which takes in what has arrived for all of them, would only
    /// say EAGAIN; and whether no adjustment of the window is under way, or due, which reading sees to.
    var hasNothingNew: Bool {
        guard !progress.isClosing, !discardsOutput, !progress.endOfOutput, isDrained, !progress.endHasArrived else {
            return false
        }
        let (remaining, unread) = library.window
        return unread == 0 && adjusting == nil && !window.isDue(remaining) && !library.hasEnded
    }

    /// Whether libssh2 has discarded output, as it does silently where a server sends more than the window or a message may hold.
    private func lacksOutput(_ ledger: DataLedger) -> Bool {
        let released = (ledger.released(.init(channel: number, stream: 0)), ledger.released(.init(channel: number, stream: 1)))
        if isMerged { return released.0 + released.1 > streams[0].readCount }
        return released.0 > streams[0].readCount || released.1 > streams[1].readCount
    }

    /// Takes what libssh2 never handed out, if it is certain which it is.
    ///
    /// - Parameter count: how much there was when the fault came. More may have followed that is not to be believed.
    func take(over ledger: DataLedger, count: Int) {
        let rests: [DataLedger.Rest?] =
            isMerged
            ? [ledger.rest(of: number, read: streams[0].readCount)]
            : streams.indices.map { ledger.rest(of: number, UInt32($0), read: streams[$0].readCount) }
        let found = rests.reduce(0) { $0 + ($1?.count ?? 0) }
        let isCertain = found == count || found > count && rests.contains { $0?.count == 0 }
        guard rests.allSatisfy({ $0 != nil }), isCertain else { return }
        withStreams { streams in
            for (index, rest) in rests.enumerated() where !discardsOutput {
                rest.map { streams[index].append($0, atMost: count) }
            }
        }
        isDrained = true
        progress.salvaged()
    }

    /// Whether a program must be running on the channel, or have run, although the server has not said that it has started it.
    ///
    /// RFC 4254 section 5.4 does not keep a server from sending what a program writes, how it ended and even the channel's end before
    /// the answer to the request that started it (paramiko does). Output alone is not taken for an answer, because a reason for
    /// a refusal may follow on it; but of a closed channel nothing more is to be expected, and one whose output waits for a reader
    /// may have no answer before that is taken.
    var showsThatItRuns: Bool {
        if progress.hasReceivedClose { return progress.exitIsKnown || readCount > 0 || unreadCount > 0 }
        return awaitsReader
    }

    // MARK: What is done with the output

    /// Whether both streams are read as one, in the order in which their packets come.
    private(set) var isMerged = false

    /// Reads both as one from now on, as the first.
    func merge() {
        isMerged = true
        withStreams { $0[0].merge() }
    }

    /// What has been read of a stream, all of it.
    func take(_ stream: Int) -> ByteBuffer? { takeChunk(stream)?.bytes }

    /// What has been read of a stream, as far as it was written there in one go, and which one that is.
    func takeChunk(_ stream: Int) -> (stream: SSHEvidence.OutputStream, bytes: ByteBuffer)? {
        guard let chunk = withStreams({ $0[stream].take(isLast: progress.outputHasEnded) }) else { return nil }
        lastOutput = .now
        return chunk
    }

    /// A stream has no reader any more: only its tail is kept.
    func discard(_ stream: Int) { withStreams { $0[stream].discard() } }

    /// Nothing of the output is read any more.
    func discardOutput() { discardsOutput = true }

    /// Keeps both streams whole, up to a limit.
    func collect(_ limit: Int) {
        withStreams { streams in
            for stream in streams.indices { streams[stream].collect(limit) }
        }
    }

    /// What was collected, which is not from then on.
    func takeCollected() -> CollectedOutput {
        var collected = CollectedOutput()
        collected.exceeded = streams.first { $0.passesLimit }?.stream
        (collected.standardOutput, collected.standardError) = withStreams { ($0[0].takeCollected(), $0[1].takeCollected()) }
        return collected
    }

    /// The end of what was written to a stream.
    func tail(of stream: SSHEvidence.OutputStream) -> [UInt8] {
        streams[isMerged || stream == .standardOutput ? 0 : 1].tail(of: stream)
    }

    /// Whether more has come than was to be collected.
    var passesLimit: Bool { streams.contains { $0.passesLimit } }

    /// Whether nothing that was read waits to be taken.
    var isEmpty: Bool { streams.allSatisfy { $0.count == 0 } }

    // MARK: A consumer

    /// Whether there is something for a consumer: bytes, or their end.
    private var hasNews: Bool { progress.outputHasEnded || streams.contains { $0.isReadable } }

    /// Gives the bytes to a consumer.
    func consume(by consumer: ChannelConsumer) { self.consumer = consumer }

    func endConsuming() { consumer = nil }

    // MARK: The end

    /// What is known of its end now.
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

    /// It is to be closed as soon as the request under way on it has ended. The server may never answer that: nothing more is waited
    /// for.
    func closeWhenIdle() {
        closesWhenIdle = true
        progress.beginClosing()
        wakeReaders()
    }

    /// It is being closed and freed.
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

    // What is waited for may have come between the caller's look and its suspension: so each of these looks again. The session
    // is a parameter for the compiler's sake: see `Session.suspended`.

    /// A number for a reader that is about to wait.
    func makeReader() -> UInt64 { waits.makeReader() }

    func wait(_ stream: Int, reader: UInt64, _ waiter: ChannelWaits.Waiter, _: isolated any Actor) {
        if streams[stream].isReadable || progress.outputHasEnded { return waiter.resume() }
        waits.addReader(of: stream, id: reader, waiter)?.resume()
    }

    func cancelWait(_ stream: Int, reader: UInt64) {
        if waits.hasReader(of: stream, id: reader) { waits.takeReader(of: stream)?.resume() }
    }

    func waitForEnd(_ waiter: ChannelWaits.Waiter, _: isolated any Actor) {
        if progress.isFinished || passesLimit { return waiter.resume() }
        withWaits { $0.addEnd(waiter) }
    }

    func waitForExit(_ waiter: ChannelWaits.Waiter, _: isolated any Actor) {
        if progress.exitIsSettled { return waiter.resume() }
        withWaits { $0.addExit(waiter) }
    }

    /// As ``withStreams(_:)``, for what makes room for one more.
    private func withWaits(_ body: (inout ChannelWaits) -> Void) {
        var waits = ChannelWaits()
        swap(&waits, &self.waits)
        body(&waits)
        swap(&waits, &self.waits)
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

    /// Something besides output came for this channel: its exit, or its end.
    private func wakeForExit() {
        if waits.hasExit, progress.exitIsSettled {
            for waiter in waits.takeExit() { waiter.resume() }
        }
        if waits.hasEnd, progress.isFinished || passesLimit {
            for waiter in waits.takeEnd() { waiter.resume() }
        }
    }
}
