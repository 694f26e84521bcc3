internal import NIOCore

/// A channel on which SFTP is spoken: requests go out in the order in which they are made, any number at a time, and each waits
/// for its own answer. Confined to its session.
///
/// libssh2 has an SFTP client too, but it keeps the state of one operation in the session, so that nothing can be pipelined but
/// the reads and writes of a single file.
final class SFTPLink {
    let channel: SessionChannel
    var conversation = SFTPConversation()
    /// The first that went wrong: everything fails with it from then on.
    private(set) var fault: Fault?

    private var waiters: [UInt32: CheckedContinuation<Result<SFTPReply, Fault>, Never>] = [:]
    /// Answers that came before their caller began to wait.
    private var early: [UInt32: Result<SFTPReply, Fault>] = [:]
    /// Requests whose caller has gone; the value tells whether a handle that still comes has to be closed.
    private var abandoned: [UInt32: Bool] = [:]
    private var versionWaiter: CheckedContinuation<Void, Never>?
    var version: (number: UInt32, extensions: [String: [UInt8]])?

    /// What waits to be handed to libssh2.
    private var queue: [ByteBuffer] = []
    /// What libssh2 is being given; it must stay as it is until the call ends.
    var sending = ByteBuffer()
    var isSending = false
    var isSendingDue = false
    var deliveryIsDue = false

    init(channel: SessionChannel) { self.channel = channel }

    // MARK: Requests

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

    /// The next bytes to be sent, once those before are gone.
    func takeNext() -> Bool {
        if sending.readableBytes > 0 { return true }
        guard !queue.isEmpty else { return false }
        sending = queue.removeFirst()
        return true
    }

    // MARK: Waiting

    func wait(for id: UInt32, _ continuation: CheckedContinuation<Result<SFTPReply, Fault>, Never>) {
        if let result = early.removeValue(forKey: id) { return continuation.resume(returning: result) }
        if let fault { return continuation.resume(returning: .failure(fault)) }
        waiters[id] = continuation
    }

    /// Lets the caller of a request go; its answer, when it comes, is thrown away.
    func abandon(_ id: UInt32, mayOpen: Bool) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        abandoned[id] = mayOpen
        waiter.resume(returning: .failure(.cancelled))
    }

    func waitForVersion(_ continuation: CheckedContinuation<Void, Never>) {
        if version != nil || fault != nil { return continuation.resume() }
        versionWaiter = continuation
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
            fail(Fault(.fileFailed(FileProblem(.protocolError, .remote, operation: "read", detail: detail)), stage: .sftp))
        }
    }

    private func settle(_ id: UInt32, _ reply: SFTPReply) {
        if let mayOpen = abandoned.removeValue(forKey: id) {
            // Nobody else would close it before the channel ends.
            if mayOpen, case .handle(let handle) = reply { abandoned[enqueue(.close(handle, path: ""))] = false }
            return
        }
        if let waiter = waiters.removeValue(forKey: id) {
            waiter.resume(returning: .success(reply))
        } else {
            early[id] = .success(reply)
        }
    }

    func fail(_ fault: Fault) {
        guard self.fault == nil else { return }
        self.fault = fault
        for waiter in waiters.values { waiter.resume(returning: .failure(fault)) }
        waiters = [:]
        wakeVersionWaiter()
    }
}
