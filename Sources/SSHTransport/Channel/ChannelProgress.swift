/// How far a channel has come to its end (RFC 4254 sections 5.3 and 6.10), on the server's side and on ours.
///
/// It only goes forward: what has ended stays ended, and the first fault counts.
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
    /// Whether we are closing it, or shall when its request has ended.
    private(set) var isClosing = false
    /// The session's fault, once it has failed.
    private(set) var fault: Fault?
    /// Whether there is one: checked all the time, so without a copy of it.
    private(set) var isLost = false

    /// Whether the exit is known, or cannot come any more.
    var exitIsSettled: Bool { exitIsKnown || isClosing || isClosed || isLost }
    var exitIsKnown: Bool { exitStatus != nil || exitSignal != nil }
    private var exitIsZero: Bool { exitStatus == 0 && exitSignal == nil }

    /// Whether nothing more will arrive: the exit is known and the output has ended, or the channel is closed, or the session is dead.
    var isFinished: Bool { isClosing || isClosed || isLost || (endOfOutput && exitIsKnown) }

    /// Whether the output has ended as far as its reader is concerned.
    var outputHasEnded: Bool { isClosing || endOfOutput || isClosed || isLost }

    /// Whether no more data follows on what has arrived.
    var endHasArrived: Bool { hasReceivedEnd || hasReceivedClose }

    /// The first word on the exit counts, unless it is 0 and another follows. No honest server sends two; whatever the order, they
    /// never make a success of a failure.
    mutating func receivedExit(status: Int) { if !exitIsKnown || exitIsZero { exitStatus = status } }
    mutating func receivedExit(signal: SSHExitSignal) {
        guard !exitIsKnown || exitIsZero else { return }
        (exitStatus, exitSignal) = (nil, signal)
    }
    mutating func receivedEnd() { hasReceivedEnd = true }
    mutating func receivedClose() { hasReceivedClose = true }

    mutating func outputEnded() { endOfOutput = true }

    /// The server has closed it; only once the output is at its end.
    mutating func closed() {
        guard endOfOutput else { return }
        isClosed = true
    }

    /// What had arrived has been taken without libssh2: its ends are those that the server has sent.
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
