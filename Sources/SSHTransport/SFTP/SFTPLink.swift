internal import NIOCore

/// What is under way between us and an SFTP server: requests are sent in the order in which they are made, any number at a time,
/// and each waits for its own answer. No I/O. Confined to the actor that has its channel.
///
/// libssh2 has an SFTP client too, but it keeps the state of one operation in the session, so that nothing can be pipelined but
/// the reads and writes of a single file.
final class SFTPLink {
    typealias Waiter = CheckedContinuation<Result<SFTPReply, Fault>, Never>

    /// How long a server may take to answer requests that are sent after a cancellation.
    static let cleanupPatience = TimeAmount.milliseconds(3000)

    static let fileIsClosed = Fault(
        .closed(problem: "an SFTP file was used after the closure that it was lent to had returned"), stage: .local)

    /// The first failure: every later request fails with it.
    private(set) var fault: Fault?
    private(set) var version: SFTPVersion?

    private var conversation = SFTPConversation()
    private var waiters: [UInt32: Waiter] = [:]
    /// Answers that came before their caller began to wait.
    private var early: [UInt32: SFTPReply] = [:]
    /// Requests whose caller was cancelled; the value is whether a handle that still arrives must be closed.
    private var abandoned: [UInt32: Bool] = [:]
    private var versionWaiter: CheckedContinuation<Void, Never>?

    /// The bytes that wait to be passed on.
    private var queue: [ByteBuffer] = []
    /// The bytes being passed on; they must not change until the call ends.
    private(set) var sending = ByteBuffer()
    /// Whether a call is under way with it.
    private var isSending = false
    private var isSendingDue = false
    private var deliveryIsDue = false

    // MARK: Requests

    /// Queues INIT: its length, its type, and version 3 (filexfer-02 section 4).
    func enqueueInit() { append(ByteBuffer(bytes: [0, 0, 0, 5, SFTPMessageType.initialize.rawValue, 0, 0, 0, 3])) }

    /// Queues a request.
    func enqueue(_ request: SFTPRequest) -> UInt32 {
        let id = conversation.register(request)
        append(request.encode(id: id))
        if request.payload.readableBytes > 0 { append(request.payload) }
        return id
    }

    /// Small packets share a buffer; large ones are not copied.
    func append(_ bytes: ByteBuffer) {
        if let last = queue.last, last.readableBytes + bytes.readableBytes <= 1 << 16 {
            queue[queue.count - 1].writeImmutableBuffer(bytes)
        } else {
            queue.append(bytes)
        }
    }

    /// Goes on to what is to be sent next, if anything is and nothing else is being sent.
    ///
    /// - Returns: whether `sending` is to be passed on now.
    func takeNext() -> Bool {
        guard !isSending, fault == nil else { return false }
        if sending.readableBytes == 0 {
            guard !queue.isEmpty else { return false }
            sending = queue.removeFirst()
        }
        isSending = true
        return true
    }

    /// So many bytes were taken, or none will be.
    func sent(_ count: Int) {
        isSending = false
        sending.moveReaderIndex(forwardBy: count)
    }

    // MARK: Turns on the event loop

    /// - Returns: whether sending is to be scheduled.
    func scheduleSending() -> Bool {
        guard !isSendingDue, !isSending else { return false }
        isSendingDue = true
        return true
    }

    func beginSending() { isSendingDue = false }

    /// - Returns: whether a delivery is to be scheduled.
    func scheduleDelivery() -> Bool {
        guard !deliveryIsDue else { return false }
        deliveryIsDue = true
        return true
    }

    func beginDelivery() { deliveryIsDue = false }

    // MARK: Waiting

    func wait(for id: UInt32, _ waiter: Waiter) {
        if let reply = early.removeValue(forKey: id) { return waiter.resume(returning: .success(reply)) }
        if let fault { return waiter.resume(returning: .failure(fault)) }
        waiters[id] = waiter
    }

    /// Abandons a request; its answer, when it arrives, is discarded.
    func abandon(_ id: UInt32, mayOpen: Bool) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        abandoned[id] = mayOpen
        waiter.resume(returning: .failure(.cancelled))
    }

    func waitForVersion(_ waiter: CheckedContinuation<Void, Never>) {
        if version != nil || fault != nil { return waiter.resume() }
        versionWaiter = waiter
    }

    func wakeVersionWaiter() {
        versionWaiter?.resume()
        versionWaiter = nil
    }

    // MARK: Answers

    func receive(_ bytes: ByteBuffer) {
        guard fault == nil else { return }
        conversation.received(bytes)
        do {
            if version == nil {
                version = try conversation.version()
                guard version != nil else { return }
                wakeVersionWaiter()
            }
            while let (id, reply) = try conversation.next() { settle(id, reply) }
        } catch {
            let detail = (error as? SFTPBreach)?.problem ?? "\(error)"
            fail(Fault(.fileFailed(SSHFileProblem(.protocolError, .remote, operation: "read", detail: detail)), stage: .sftp))
        }
    }

    private func settle(_ id: UInt32, _ reply: SFTPReply) {
        if let mayOpen = abandoned.removeValue(forKey: id) {
            guard mayOpen, case .handle(let handle) = reply else { return }
            // Without this the handle would stay open until the channel ends.
            let close = enqueue(.close(handle, path: ""))
            abandoned[close] = false
        } else if let waiter = waiters.removeValue(forKey: id) {
            waiter.resume(returning: .success(reply))
        } else {
            early[id] = reply
        }
    }

    func fail(_ fault: Fault) {
        guard self.fault == nil else { return }
        self.fault = fault
        let left = waiters
        waiters = [:]
        for waiter in left.values { waiter.resume(returning: .failure(fault)) }
        wakeVersionWaiter()
    }
}
