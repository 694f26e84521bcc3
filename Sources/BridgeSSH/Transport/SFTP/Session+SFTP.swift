internal import NIOCore

extension Session {
    /// Greets the server's file program, and waits for what it says (filexfer-02 section 4).
    ///
    /// - Returns: the version that it speaks, and its extensions by name.
    func beginSFTP(_ id: ChannelID) async throws(Fault) -> (number: UInt32, extensions: [String: [UInt8]]) {
        let link = SFTPLink(channel: try channel(id))
        sftpLinks[id] = link
        link.channel.arrived = { self.scheduleDelivery(link, id) }
        // INIT: its length, its type, and version 3.
        link.append(ByteBuffer(bytes: [0, 0, 0, 5, SFTPMessageType.initialize.rawValue, 0, 0, 0, 3]))
        send(link, id)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                link.waitForVersion(continuation)
                if Task.isCancelled { link.wakeVersionWaiter() }
            }
        } onCancel: {
            self.eventLoop.execute { self.assumeIsolated { $0.sftpLinks[id]?.wakeVersionWaiter() } }
        }
        if let version = link.version { return version }
        throw link.fault ?? .cancelled
    }

    /// Ends the conversation; nothing more is asked on the channel.
    func endSFTP(_ id: ChannelID) {
        guard let link = sftpLinks.removeValue(forKey: id) else { return }
        link.channel.arrived = nil
        link.fail(fault ?? Fault(.cancelled(signal: nil), stage: .local))
    }

    /// Sends requests, all of them before anything that is asked later, and waits for the answers.
    ///
    /// - Parameter isCleanup: whether they are sent although the task is cancelled. Then the wait has an end of its own.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: the session's fault, a breach of the protocol, or a cancellation.
    func sftp(_ id: ChannelID, _ requests: [SFTPRequest], isCleanup: Bool = false) async throws(Fault) -> [SFTPReply] {
        guard let link = sftpLinks[id] else {
            throw fault ?? Fault(.internalFailure(problem: "the SFTP client is closed"), stage: .local)
        }
        if let fault = link.fault { throw fault }
        if !isCleanup, Task.isCancelled { throw .cancelled }
        let ids = requests.map { link.enqueue($0) }
        scheduleSending(link, id)
        var replies: [SFTPReply] = []
        var first: Fault?
        for (request, number) in zip(requests, ids) {
            let mayOpen = request.answer == .handle
            let result = await reply(to: number, mayOpen: mayOpen, on: id, link, isCleanup: isCleanup)
            switch result {
            case .success(let reply): replies.append(reply)
            // The others are waited for as well: nobody else would take their answers.
            case .failure(let fault): first = first ?? fault
            }
        }
        if let first { throw first }
        return replies
    }

    /// How long a server may take over what is asked of it after a cancellation.
    private static let cleanupPatience = TimeAmount.milliseconds(3000)

    private func reply(
        to number: UInt32, mayOpen: Bool, on id: ChannelID, _ link: SFTPLink, isCleanup: Bool
    ) async -> Result<SFTPReply, Fault> {
        if isCleanup {
            let timer = eventLoop.scheduleTask(in: Self.cleanupPatience) {
                self.assumeIsolated { $0.sftpLinks[id]?.abandon(number, mayOpen: mayOpen) }
            }
            defer { timer.cancel() }
            return await withCheckedContinuation { link.wait(for: number, $0) }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                link.wait(for: number, continuation)
                if Task.isCancelled { link.abandon(number, mayOpen: mayOpen) }
            }
        } onCancel: {
            self.eventLoop.execute { self.assumeIsolated { $0.sftpLinks[id]?.abandon(number, mayOpen: mayOpen) } }
        }
    }

    // MARK: From the channel

    /// Not at once: what brings the bytes is in the midst of reading.
    private func scheduleDelivery(_ link: SFTPLink, _ id: ChannelID) {
        guard !link.deliveryIsDue else { return }
        link.deliveryIsDue = true
        let bound = NIOLoopBound(link, eventLoop: eventLoop)
        eventLoop.execute { self.assumeIsolated { $0.deliver(bound.value, id) } }
    }

    private func deliver(_ link: SFTPLink, _ id: ChannelID) {
        link.deliveryIsDue = false
        let channel = link.channel
        // Standard error of the file program: nobody may hold the channel up with it.
        _ = channel.take(1)
        var hasTaken = false
        while let bytes = channel.take(0) {
            hasTaken = true
            link.receive(bytes)
            if !channel.isDrained { pump() }
        }
        if !hasTaken, !channel.isDrained { pump() }
        if channel.outputHasEnded, channel.isEmpty { link.fail(fault ?? Self.ended(channel)) }
        // An answer may have led to a request of our own.
        send(link, id)
    }

    /// The file program has ended, and the session has not.
    private static func ended(_ channel: SessionChannel) -> Fault {
        let status = channel.exitStatus.map { "its exit status was \($0)" } ?? ""
        return Fault(.fileFailed(FileProblem(.connectionLost, .remote, operation: "read", detail: status)), stage: .sftp)
    }

    // MARK: To the channel

    /// Not at once: requests that are made together go together.
    private func scheduleSending(_ link: SFTPLink, _ id: ChannelID) {
        guard !link.isSendingDue, !link.isSending else { return }
        link.isSendingDue = true
        let bound = NIOLoopBound(link, eventLoop: eventLoop)
        eventLoop.execute {
            self.assumeIsolated { session in
                bound.value.isSendingDue = false
                session.send(bound.value, id)
            }
        }
    }

    private func send(_ link: SFTPLink, _ id: ChannelID) {
        guard !link.isSending, fault == nil, link.fault == nil, sftpLinks[id] === link, link.takeNext() else { return }
        link.isSending = true
        let channel = link.channel
        submit("libssh2_channel_write_ex", on: id) {
            self.write(link.sending, to: channel)
        } completion: { result in
            link.isSending = false
            switch result {
            case .success(let count):
                link.sending.moveReaderIndex(forwardBy: count)
                // Not from here: this runs inside the pump's own round.
                self.scheduleSending(link, id)
            case .failure(let fault):
                // That the file program has gone is told by the end of its output.
                if !channel.isClosed { link.fail(fault) }
            }
        }
    }
}
