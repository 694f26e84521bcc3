internal import CLibSSH2
internal import NIOCore

/// Our name for a channel of a session.
package struct ChannelID: Sendable, Hashable {
    package let rawValue: Int
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
    /// Whether the server has sent SSH_MSG_CHANNEL_EOF; libssh2 reports it only once the output has been read.
    var hasReceivedEnd = false
    var hasReceivedClose = false
    /// Whether the last read of both streams found nothing more.
    private(set) var isDrained = true
    /// The session's fault, once it has failed.
    private(set) var fault: Fault? {
        didSet { isDead = fault != nil }
    }
    private var isDead = false
    /// Set when the output will not be read any more: discard it, so that the channel can end.
    var discardsOutput = false
    /// Set when the channel is to be closed as soon as the request under way on it has ended.
    var closesWhenIdle = false
    /// Set when it is being closed and freed.
    var isClosing = false {
        didSet { wakeReaders() }
    }

    /// Called when a stream has bytes to read, or has ended.
    var arrived: (() -> Void)?

    /// How far the server may be ahead of us.
    private(set) var window: ReceiveWindow
    /// An adjustment of the window that libssh2 has begun to send.
    private var adjusting: Int?
    /// Whether no more can be read before something comes, or is taken.
    var isAtRest: Bool { isDrained || adjusting != nil }

    private var streams = [OutputBuffer(.standardOutput), OutputBuffer(.standardError)]
    private var waiters: [(id: UInt64, continuation: CheckedContinuation<Void, Never>)?] = [nil, nil]
    private var endWaiters: [CheckedContinuation<Void, Never>] = []
    private var exitWaiters: [CheckedContinuation<Void, Never>] = []

    /// When it last wrote something, or its output was last read; before that, when it began.
    private(set) var lastOutput = ContinuousClock.now

    /// - Parameter roundTrip: how long the server took to open it.
    init(raw: OpaquePointer, number: UInt32, roundTrip: Duration) {
        self.raw = raw
        self.number = number
        window = ReceiveWindow(roundTrip: roundTrip)
    }

    /// Nothing more will arrive: the exit is known and the output has ended, or the channel is closed, or the session is dead.
    var isFinished: Bool { isClosing || isClosed || isDead || (endOfOutput && (exitStatus != nil || exitSignal != nil)) }

    /// A call of libssh2 that failed.
    struct Failure {
        let function: StaticString
        let code: Int

        init(_ function: StaticString = "libssh2_channel_read_ex", code: Int) {
            self.function = function
            self.code = code
        }
    }

    /// Reads what libssh2 has for both streams, as far as there is room.
    ///
    /// - Returns: the call that failed, with a negative return code other than EAGAIN.
    func serve(_ wire: Wire) -> Failure? {
        guard !endOfOutput || !isClosed else { return nil }
        isDrained = true
        let hadReceivedEnd = hasReceivedEnd || hasReceivedClose
        for stream in 0...1 {
            if let failure = fill(stream, wire) { return failure }
        }
        window.read(readCount, isDrained: isDrained)
        // Data of other types than ours has no reader and would hide the end from libssh2 for ever.
        if !endOfOutput, isDrained, hadReceivedEnd || libssh2_channel_eof(raw) == 1 {
            if lacksOutput(wire.ledger) { return Failure(code: Int(LIBSSH2_ERROR_CHANNEL_WINDOW_EXCEEDED)) }
            endOfOutput = true
        }
        // Only with the output at its end does libssh2 say whether the channel is closed.
        if endOfOutput, !isClosed, libssh2_channel_wait_closed(raw) == 0 { isClosed = true }
        wakeReaders()
        return nil
    }

    /// Whether serving it reads at all.
    var hasRoom: Bool {
        let read = isMerged ? streams[..<1] : streams[...]
        return !(endOfOutput && isClosed) && (discardsOutput || read.contains { $0.hasRoom })
    }

    /// Whether output waits in libssh2 for a reader that has not come.
    var awaitsReader: Bool { !isDrained && !discardsOutput && streams.contains { !$0.hasRoom } }

    /// Whether libssh2 has discarded output, as it does silently where a server sends more than the window or a message may hold.
    private func lacksOutput(_ ledger: DataLedger) -> Bool {
        let released = streams.indices.map { ledger.released(.init(channel: number, stream: UInt32($0))) }
        if isMerged { return released[0] + released[1] > streams[0].readCount }
        return zip(released, streams).contains { $0 > $1.readCount }
    }

    private func fill(_ stream: Int, _ wire: Wire) -> Failure? {
        if isMerged, stream == 1 { return nil }
        while true {
            if discardsOutput { streams[stream].clear() }
            guard streams[stream].hasRoom else {
                isDrained = false
                return nil
            }
            let code = openWindow()
            if code == LIBSSH2_ERROR_EAGAIN {
                isDrained = false
                return nil
            }
            if code != 0 { return Failure("libssh2_channel_receive_window_adjust2", code: Int(code)) }
            let count = streams[stream].fill(sharing: &wire.spare.buffer) { target in
                libssh2_channel_read_ex(
                    raw, Int32(stream), target.baseAddress?.assumingMemoryBound(to: CChar.self), Self.readLength)
            }
            if count == 0 || count == Int(LIBSSH2_ERROR_EAGAIN) { return nil }
            if count < 0 { return Failure(code: count) }
            if isMerged { for run in wire.takeDataRead(of: number) { streams[0].tell(run) } }
            lastOutput = .now
        }
    }

    /// How much has been read, of both streams.
    private var readCount: Int { streams[0].readCount + streams[1].readCount }

    /// Lets the server send more, when it is time to.
    ///
    /// Before libssh2 does, which begins to when less than three quarters of its first window and a read's length are left
    /// (channel.c: `_libssh2_channel_read`): it takes one adjustment at a time. Until one that said EAGAIN has ended, nothing is read.
    ///
    /// - Returns: 0 or libssh2's return code.
    private func openWindow() -> Int32 {
        let remaining = Int(libssh2_channel_window_read_ex(raw, nil, nil))
        guard let count = adjusting ?? window.adjustment(remaining, unread: { unreadCount }) else { return 0 }
        adjusting = count
        let code = libssh2_channel_receive_window_adjust2(raw, UInt(count), 1, nil)
        guard code != LIBSSH2_ERROR_EAGAIN else { return code }
        adjusting = nil
        if code == 0 { window.granted(behind: readCount + remaining, at: .now) }
        return code
    }

    /// Whether libssh2 holds nothing for this channel, so that a read, which takes in what has arrived for all of them, would only
    /// say EAGAIN; and whether no adjustment of the window is under way, or due, which reading sees to.
    var hasNothingNew: Bool {
        guard !isClosing, !discardsOutput, !endOfOutput, isDrained, !hasReceivedEnd, !hasReceivedClose else { return false }
        var available: UInt = 0
        let remaining = Int(libssh2_channel_window_read_ex(raw, &available, nil))
        return available == 0 && adjusting == nil && !window.isDue(remaining) && libssh2_channel_eof(raw) == 0
    }

    /// How much libssh2 has not handed out yet, over all streams. Only this call gives a number also when libssh2 refuses to
    /// read.
    var unreadCount: Int {
        var count: UInt = 0
        libssh2_channel_window_read_ex(raw, &count, nil)
        return Int(count)
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
        for (index, rest) in rests.enumerated() where !discardsOutput { rest.map { streams[index].append($0, atMost: count) } }
        isDrained = true
        endOfOutput = endOfOutput || hasReceivedEnd || hasReceivedClose
        isClosed = isClosed || hasReceivedClose
    }

    /// Whether both streams are read as one, in the order in which their packets come.
    var isMerged: Bool { streams[0].isMerged }

    /// Reads both as one from now on, as the first.
    func merge() { streams[0].merge() }

    /// What has been read of a stream, all of it.
    func take(_ stream: Int) -> ByteBuffer? { takeChunk(stream)?.bytes }

    /// What has been read of a stream, as far as it was written there in one go, and which one that is.
    func takeChunk(_ stream: Int) -> (stream: Evidence.OutputStream, bytes: ByteBuffer)? {
        guard let chunk = streams[stream].take(isLast: outputHasEnded) else { return nil }
        lastOutput = .now
        return chunk
    }

    /// A stream has no reader any more: only its tail is kept.
    func discard(_ stream: Int) { streams[stream].use = .discarded }

    /// Keeps both streams whole, up to a limit.
    func collect(_ limit: Int) {
        for stream in streams.indices { streams[stream].use = .collected(limit) }
    }

    /// What was collected, which is not from then on.
    func takeCollected() -> CollectedOutput {
        var collected = CollectedOutput()
        collected.exceeded = streams.first { $0.passesLimit }?.stream
        collected.standardOutput = streams[0].takeCollected()
        collected.standardError = streams[1].takeCollected()
        return collected
    }

    /// The end of what was written to a stream.
    func tail(of stream: Evidence.OutputStream) -> [UInt8] {
        streams[isMerged || stream == .standardOutput ? 0 : 1].tail(of: stream)
    }

    /// Whether more has come than was to be collected.
    var passesLimit: Bool { streams.contains { $0.passesLimit } }

    /// Whether nothing that was read waits to be taken.
    var isEmpty: Bool { streams.allSatisfy { $0.count == 0 } }

    /// Whether a stream has ended as far as its reader is concerned.
    var outputHasEnded: Bool { isClosing || endOfOutput || isClosed || isDead }

    // What is waited for may have come between the caller's look and its suspension: so each of these looks again. The session
    // is a parameter for the compiler's sake: see `Session.suspended`.

    func wait(_ stream: Int, id: UInt64, _ continuation: CheckedContinuation<Void, Never>, _: isolated Session) {
        if streams[stream].isReadable || outputHasEnded { return continuation.resume() }
        waiters[stream]?.continuation.resume()
        waiters[stream] = (id, continuation)
    }

    func cancelWait(_ stream: Int, id: UInt64) {
        guard waiters[stream]?.id == id else { return }
        waiters[stream]?.continuation.resume()
        waiters[stream] = nil
    }

    func waitForEnd(_ continuation: CheckedContinuation<Void, Never>, _: isolated Session) {
        if isFinished || passesLimit { return continuation.resume() }
        endWaiters.append(continuation)
    }

    /// Whether the exit is known, or cannot come any more.
    var exitIsSettled: Bool { exitStatus != nil || exitSignal != nil || isClosing || isClosed || isDead }

    func waitForExit(_ continuation: CheckedContinuation<Void, Never>, _: isolated Session) {
        if exitIsSettled { return continuation.resume() }
        exitWaiters.append(continuation)
    }

    /// Resumes all waiters for the exit or the end, so that they check again.
    func wakeWaiters() {
        let waiters = endWaiters + exitWaiters
        endWaiters = []
        exitWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func wakeReaders() {
        for index in 0...1 where waiters[index] != nil && (streams[index].isReadable || outputHasEnded) {
            waiters[index]?.continuation.resume()
            waiters[index] = nil
        }
        arrived?()
        noteExit()
    }

    /// Something besides output came for this channel: its exit, or its end.
    func noteExit() {
        if exitIsSettled, !exitWaiters.isEmpty {
            for waiter in exitWaiters { waiter.resume() }
            exitWaiters = []
        }
        if !endWaiters.isEmpty, isFinished || passesLimit {
            for waiter in endWaiters { waiter.resume() }
            endWaiters = []
        }
    }

    func sessionFailed(_ fault: Fault) {
        self.fault = fault
        wakeReaders()
    }
}
