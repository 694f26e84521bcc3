internal import NIOCore

/// What arrives for a session before it reaches the wire, and the tasks that wait for it. Confined to the session.
///
/// One read is asked of the carrier at a time. While another thread holds the session (see `Session.lend`) the wire is not touched:
/// bytes and their end wait here, in order. Each waiting task is resumed once, at the latest when the session ends.
final class Arrivals {
    /// Whether the carrier has been asked for more.
    private var isReading = false
    /// Whether another thread holds the session.
    private(set) var isLent = false
    private var whileLent: [ByteBuffer] = []
    private var endWhileLent: SSHStreamEnd?
    /// Makes the other thread return the session soon.
    private var interrupt: (@Sendable () -> Void)?
    /// What ended the stream, where an earlier hop's fault did.
    private(set) var endedBy: Fault?
    /// The tasks that wait for bytes that libssh2 has not seen.
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// How much may wait while the session is lent.
    private static let mostWhileLent = 1 << 18

    // MARK: Reading

    /// Whether the carrier may be asked for bytes now; then it is.
    func mayRead() -> Bool {
        guard !isReading else { return false }
        isReading = true
        return true
    }

    /// What the carrier was asked for has come.
    func readCompleted() { isReading = false }

    /// Whether more is to be read although nothing can be taken: the end of the stream, behind whatever comes before it, ends the loan.
    var wantsEnd: Bool { isLent && whileLent.reduce(0, { $0 + $1.readableBytes }) < Self.mostWhileLent }

    // MARK: Lending

    /// The session is lent.
    ///
    /// - Parameter interrupt: makes the call return soon. It is called when the session or its stream ends.
    func lend(interrupt: @escaping @Sendable () -> Void) {
        isLent = true
        self.interrupt = interrupt
    }

    /// The session is back.
    ///
    /// - Returns: what has arrived in the meantime, and how the stream has ended.
    func takeBack() -> (bytes: [ByteBuffer], end: SSHStreamEnd?) {
        defer {
            (whileLent, endWhileLent) = ([], nil)
            (isLent, interrupt) = (false, nil)
        }
        return (whileLent, endWhileLent)
    }

    /// Keeps bytes for later if the session is lent.
    ///
    /// - Returns: whether it is.
    func keep(_ buffer: ByteBuffer) -> Bool {
        guard isLent else { return false }
        var buffers: [ByteBuffer] = []
        swap(&buffers, &whileLent)
        buffers.append(buffer)
        swap(&buffers, &whileLent)
        return true
    }

    /// The stream has ended; the first end counts.
    ///
    /// - Parameter cause: the fault of the earlier hop that ended it.
    /// - Returns: whether that is kept for later, because the session is lent.
    func ended(_ end: SSHStreamEnd, by cause: Fault?) -> Bool {
        endedBy = endedBy ?? cause
        guard isLent else { return false }
        endWhileLent = endWhileLent ?? end
        interrupt?()
        return true
    }

    // MARK: Waiting

    func add(_ waiter: CheckedContinuation<Void, Never>, _: isolated Session) {
        var waiters: [CheckedContinuation<Void, Never>] = []
        swap(&waiters, &self.waiters)
        waiters.append(waiter)
        swap(&waiters, &self.waiters)
    }

    func wake() {
        guard !waiters.isEmpty else { return }
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// The session has failed.
    func sessionFailed() {
        wake()
        interrupt?()
    }
}
