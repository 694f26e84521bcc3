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

/// The end of a channel.
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
