internal import NIOCore

/// The requests under way to an SFTP server. They are sent in the order in which they are made, any number at a time, and each
/// waits for its own answer. No I/O. Confined to the actor that has its channel.
///
/// libssh2 has an SFTP client too, but it keeps the state of one operation in the session: it can pipeline only the reads and
/// writes of a single file.
final class SFTPLink {
    typealias Waiter = CheckedContinuation<Result<SFTPReply, Fault>, Never>

    /// How long a server may take to answer requests that are sent after a cancellation.
    static let cleanupTimeLimit = TimeAmount.milliseconds(3000)

    static let fileIsClosed = Fault(
        .closed(problem: "an SFTP file was used after the closure that it was lent to had returned"), stage: .local)

    /// The first failure: every later request fails with it.
    private(set) var fault: Fault?
    private(set) var version: SFTPVersion?

    private var conversation = SFTPConversation()
    private var waiters: [UInt32: Waiter] = [:]
    /// Answers that came before their caller began to wait.
    private var early: [UInt32: SFTPReply] = [:]
    /// Requests whose caller was cancelled. The value is whether to close a handle that still arrives.
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

    /// Starts to send the next bytes, if there are any and nothing else is being sent.
    ///
    /// - Returns: whether the caller must pass on `sending` now.
    func takeNext() -> Bool {
        guard !isSending, fault == nil else { return false }
        if sending.readableBytes == 0 {
            guard !queue.isEmpty else { return false }
            sending = queue.removeFirst()
        }
        isSending = true
        return true
    }

    /// Removes the bytes that were sent; 0 if sending failed.
    func sent(_ count: Int) {
        isSending = false
        sending.moveReaderIndex(forwardBy: count)
    }

    // MARK: Turns on the event loop

    /// - Returns: whether the caller must schedule the sending.
    func scheduleSending() -> Bool {
        guard !isSendingDue, !isSending else { return false }
        isSendingDue = true
        return true
    }

    func beginSending() { isSendingDue = false }

    /// - Returns: whether the caller must schedule a delivery.
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
            let detail = (error as? SFTPProtocolViolation)?.problem ?? "\(error)"
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

/// The handles of this client's open files and directories (filexfer-02 section 6.3). No I/O.
///
/// A server may reuse a handle only after its file was closed: otherwise reads and writes would reach another file. Erlang/OTP
/// 25 violates this: it numbers a file by the count of open files.
struct SFTPHandles {
    private var open: Set<[UInt8]> = []
    /// The handles that this client has closed, oldest first, with the positions of the close requests. A file that was
    /// requested earlier cannot get one of them: servers answer in the order of the requests, or give no handle twice.
    private var closed: [(handle: [UInt8], place: Int)] = []

    /// The number of closed handles that are remembered: far more than requests are ever under way.
    private static let maximumClosed = 1024

    /// Notes that a handle came.
    ///
    /// - Parameter place: the position of the request for it.
    /// - Returns: whether the handle can belong to this file alone.
    mutating func open(_ handle: [UInt8], by place: Int) -> Bool {
        // Most servers reuse the handle that was closed last.
        for old in closed.reversed() {
            if old.place < place { break }
            if old.handle == handle { return false }
        }
        return open.insert(handle).inserted
    }

    /// Notes that the request at this position closes a handle.
    mutating func close(_ handle: [UInt8], at place: Int) {
        open.remove(handle)
        if closed.count == Self.maximumClosed { closed.removeFirst(Self.maximumClosed / 2) }
        closed.append((handle, place))
    }
}

extension Fault {
    /// The SFTP server has ended, but not the session.
    ///
    /// - Parameter exitStatus: the server's exit status; nil if it is unknown.
    package static func sftpServerEnded(exitStatus: Int?) -> Fault {
        let detail = exitStatus.map { "its exit status was \($0)" } ?? ""
        return Fault(.fileFailed(SSHFileProblem(.connectionLost, .remote, operation: "read", detail: detail)), stage: .sftp)
    }
}

/// The waits that a session and a pipe share.
extension LoopActor {
    /// Waits for the server's version.
    func version(of link: SFTPLink) async throws(Fault) -> SFTPVersion {
        let bound = NIOLoopBound(link, eventLoop: executor.loop)
        await suspended {
            wait(for: link, $0)
        } onCancel: { _ in
            bound.value.wakeVersionWaiter()
        }
        if let version = link.version { return version }
        throw link.fault ?? .cancelled
    }

    private func wait(for link: SFTPLink, _ waiter: CheckedContinuation<Void, Never>) { link.waitForVersion(waiter) }

    /// Queues requests, all of them before any later request, and waits for the answers.
    ///
    /// - Parameters:
    ///   - isCleanup: whether to send them even if the task is cancelled. Then the wait has its own time limit.
    ///   - send: called when they are queued; it must send them or schedule that.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: what ended the link, or a cancellation.
    func exchange(
        _ requests: [SFTPRequest], on link: SFTPLink, isCleanup: Bool, send: () -> Void
    ) async throws(Fault) -> [SFTPReply] {
        if let fault = link.fault { throw fault }
        if !isCleanup, Task.isCancelled { throw .cancelled }
        // Check this here, where requests get their order: a closed handle may already belong to another file.
        guard requests.allSatisfy({ $0.isStillOpen?() ?? true }) else { throw SFTPLink.fileIsClosed }
        let numbers = requests.map { link.enqueue($0) }
        send()
        var replies: [SFTPReply] = []
        var first: Fault?
        for (request, number) in zip(requests, numbers) {
            switch await reply(to: number, mayOpen: request.answer == .handle, on: link, isCleanup: isCleanup) {
            case .success(let reply): replies.append(reply)
            // Wait for the others as well: their replies would otherwise stay unclaimed.
            case .failure(let fault): first = first ?? fault
            }
        }
        if let first { throw first }
        return replies
    }

    private func reply(
        to number: UInt32, mayOpen: Bool, on link: SFTPLink, isCleanup: Bool
    ) async -> Result<SFTPReply, Fault> {
        let bound = NIOLoopBound(link, eventLoop: executor.loop)
        guard isCleanup else {
            return await suspended {
                wait(for: number, on: link, $0)
            } onCancel: { _ in
                bound.value.abandon(number, mayOpen: mayOpen)
            }
        }
        let timer = executor.loop.scheduleTask(in: SFTPLink.cleanupTimeLimit) {
            bound.value.abandon(number, mayOpen: mayOpen)
        }
        defer { timer.cancel() }
        return await suspended({ wait(for: number, on: link, $0) }, onCancel: { _ in })
    }

    /// A link that has ended fails it at once.
    private func wait(for number: UInt32, on link: SFTPLink, _ waiter: SFTPLink.Waiter) { link.wait(for: number, waiter) }
}

extension Session {
    private func link(_ id: ChannelID) -> SFTPLink? { channels[id]?.consumer?.object as? SFTPLink }

    /// Sends INIT to the SFTP server, and waits for its VERSION (filexfer-02 section 4).
    package func beginSFTP(_ id: ChannelID) async throws(Fault) -> SFTPVersion {
        let channel = try channel(id)
        channel.consume(by: ChannelConsumer(object: SFTPLink()) { self.link(id).map { self.scheduleDelivery($0, id) } })
        guard let link = link(id) else { throw .cancelled }
        link.enqueueInit()
        send(link, id)
        // Bytes that came with the server's answer to the subsystem request are already here.
        scheduleDelivery(link, id)
        do throws(Fault) {
            return try await version(of: link)
        } catch {
            throw link.fault ?? fault ?? error
        }
    }

    /// Ends the conversation: no more requests go out on the channel.
    package func endSFTP(_ id: ChannelID) {
        guard let link = link(id) else { return }
        channels[id]?.endConsuming()
        link.fail(fault ?? Fault(.cancelled(signal: nil), stage: .local))
    }

    /// Sends requests, all of them before any later request, and waits for the answers.
    ///
    /// - Parameter isCleanup: whether to send them even if the task is cancelled. Then the wait has its own time limit.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: the session's fault, a violation of the protocol, or a cancellation.
    package func sftp(_ id: ChannelID, _ requests: [SFTPRequest], isCleanup: Bool = false) async throws(Fault) -> [SFTPReply] {
        // After close() only requests that were under way are cancelled.
        guard let link = link(id), fault == nil else { throw faultIfLost ?? Self.clientIsClosed }
        return try await exchange(requests, on: link, isCleanup: isCleanup) { scheduleSending(link, id) }
    }

    private static let clientIsClosed = Fault(
        .closed(
            problem: "an SFTP client was used after the closure that it was lent to had returned, or the connection was closed"),
        stage: .local)

    /// The channel that carries the link's bytes; nil for one that is being closed.
    private func channel(of link: SFTPLink, _ id: ChannelID) -> SessionChannel? {
        channels[id].flatMap { $0.consumer?.object === link ? $0 : nil }
    }

    // MARK: From the channel

    /// Delivers later, because the code that brings the bytes is still reading.
    private func scheduleDelivery(_ link: SFTPLink, _ id: ChannelID) {
        guard link.scheduleDelivery() else { return }
        let bound = NIOLoopBound(link, eventLoop: eventLoop)
        eventLoop.execute { self.assumeIsolated { $0.deliver(bound.value, id) } }
    }

    private func deliver(_ link: SFTPLink, _ id: ChannelID) {
        link.beginDelivery()
        // Packets after the end have no reader.
        guard let channel = channel(of: link, id) else { return }
        // Standard error of the SFTP server: drain it, so that it cannot block the channel.
        if channel.take(1) != nil { madeSpace(in: channel) }
        while let bytes = channel.take(0) {
            link.receive(bytes)
            madeSpace(in: channel)
        }
        if channel.progress.outputHasEnded, channel.isEmpty {
            link.fail(fault ?? .sftpServerEnded(exitStatus: channel.progress.exitStatus))
        }
        // An answer may have queued another request.
        send(link, id)
    }

    // MARK: To the channel

    /// Sends later, so that requests that are made together are sent together.
    private func scheduleSending(_ link: SFTPLink, _ id: ChannelID) {
        guard link.scheduleSending() else { return }
        let bound = NIOLoopBound(link, eventLoop: eventLoop)
        eventLoop.execute {
            self.assumeIsolated { session in
                bound.value.beginSending()
                session.send(bound.value, id)
            }
        }
    }

    private func send(_ link: SFTPLink, _ id: ChannelID) {
        // A channel that is being closed is not written to.
        guard !isDead, channel(of: link, id) != nil, link.takeNext() else { return }
        submit(on: id) {
            // A channel without its link is being closed, and its calls end before that.
            self.channel(of: link, id).map { self.write(link.sending, to: $0) } ?? .success(0)
        } completion: { result in
            self.sent(link, id, result)
        }
    }

    private func sent(_ link: SFTPLink, _ id: ChannelID, _ result: Result<Int, Fault>) {
        switch result {
        case .success(let count):
            link.sent(count)
            // Schedule it: this runs inside a round of the pump.
            scheduleSending(link, id)
        case .failure(let fault):
            link.sent(0)
            // If the SFTP server has exited, the end of its output reports that.
            if channels[id]?.progress.isClosed == false { link.fail(fault) }
        }
    }
}
