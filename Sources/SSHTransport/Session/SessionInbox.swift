internal import NIOCore

/// Bytes that arrive for a session before they reach the wire, and the tasks that wait for them. Confined to the session.
///
/// The transport gets one read request at a time. While another thread holds the session (see `Session.lend`) the wire is not
/// touched: bytes and the end of the stream wait here, in order. Each waiting task is resumed once, at the latest when the
/// session ends.
final class SessionInbox {
    /// Whether the transport has been asked for more.
    private var isReading = false
    /// Whether another thread holds the session.
    private(set) var isLent = false
    @exclusivity(unchecked) private var whileLent: [ByteBuffer] = []
    private var endWhileLent: SSHStreamEnd?
    /// Makes the other thread return the session soon.
    private var interrupt: (@Sendable () -> Void)?
    /// The earlier hop's fault that ended the stream, if one did.
    private(set) var endedBy: Fault?
    /// The tasks that wait for bytes that libssh2 has not seen.
    @exclusivity(unchecked) private var waiters: [CheckedContinuation<Void, Never>] = []

    /// The most bytes that wait while the session is lent.
    private static let maximumBytesWhileLent = 1 << 18

    // MARK: Reading

    /// Starts a read unless one is under way.
    ///
    /// - Returns: whether the caller must request the read.
    func mayRead() -> Bool {
        guard !isReading else { return false }
        isReading = true
        return true
    }

    /// The requested read is complete.
    func readCompleted() { isReading = false }

    /// Whether to read on while the session is lent: the end of the stream, which follows all other bytes, ends the loan.
    var wantsEnd: Bool { isLent && whileLent.reduce(0, { $0 + $1.readableBytes }) < Self.maximumBytesWhileLent }

    // MARK: Lending

    /// The session is lent.
    ///
    /// - Parameter interrupt: makes the lent call return soon. It runs when the session or its stream ends.
    func lend(interrupt: @escaping @Sendable () -> Void) {
        isLent = true
        self.interrupt = interrupt
    }

    /// The session is back.
    ///
    /// - Returns: the bytes that arrived in the meantime, and how the stream ended.
    func takeBack() -> (bytes: [ByteBuffer], end: SSHStreamEnd?) {
        defer {
            (whileLent, endWhileLent) = ([], nil)
            (isLent, interrupt) = (false, nil)
        }
        return (whileLent, endWhileLent)
    }

    /// Keeps bytes for later if the session is lent.
    ///
    /// - Returns: whether they were kept.
    func keep(_ buffer: ByteBuffer) -> Bool {
        guard isLent else { return false }
        whileLent.append(buffer)
        return true
    }

    /// The stream has ended; the first end counts.
    ///
    /// - Parameter cause: the fault of the earlier hop that ended it.
    /// - Returns: whether the end is kept for later because the session is lent.
    func ended(_ end: SSHStreamEnd, by cause: Fault?) -> Bool {
        endedBy = endedBy ?? cause
        guard isLent else { return false }
        endWhileLent = endWhileLent ?? end
        interrupt?()
        return true
    }

    // MARK: Waiting

    func add(_ waiter: CheckedContinuation<Void, Never>, _: isolated Session) { waiters.append(waiter) }

    func wake() {
        guard !waiters.isEmpty else { return }
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    func sessionFailed() {
        wake()
        interrupt?()
    }
}

/// Decides whether the pump makes another round. Pure.
///
/// Only one pump runs at a time: a request during a run asks for another round. libssh2 1.11 may return EAGAIN although bytes
/// are left, so only two rounds without progress end the run.
struct PumpState {
    private(set) var isRunning = false
    private var isAskedAgain = false
    private var idleRounds = 0
    private var consumed = 0
    private var held = 0

    private static let maximumIdleRounds = 2

    /// - Returns: whether the caller must run the pump; false if it runs already and will make another round.
    mutating func begin() -> Bool {
        isAskedAgain = true
        guard !isRunning else { return false }
        isRunning = true
        idleRounds = 0
        return true
    }

    /// A round begins.
    ///
    /// - Parameters:
    ///   - consumed: the bytes that libssh2 has taken in all.
    ///   - held: the bytes that it holds.
    mutating func beginRound(consumed: Int, held: Int) {
        isAskedAgain = false
        self.consumed = consumed
        self.held = held
    }

    /// Requests another round.
    mutating func askAgain() { isAskedAgain = true }

    /// A round has ended.
    ///
    /// - Parameters:
    ///   - consumed: the bytes that libssh2 has taken in all.
    ///   - held: the bytes that it holds: it can process packets that it took earlier without taking more.
    ///   - remaining: the bytes that it has not taken.
    /// - Returns: whether another round follows.
    mutating func endRound(consumed: Int, held: Int, remaining: Int) -> Bool {
        if consumed != self.consumed || isAskedAgain || (remaining > 0 && held != self.held) {
            idleRounds = 0
            return true
        }
        idleRounds += 1
        return remaining > 0 && idleRounds < Self.maximumIdleRounds
    }

    mutating func end() { isRunning = false }
}
