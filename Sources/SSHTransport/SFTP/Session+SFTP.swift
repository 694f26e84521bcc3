internal import NIOCore

extension Session {
    private func link(_ id: ChannelID) -> SFTPLink? { channels[id]?.consumer?.object as? SFTPLink }

    /// Sends INIT to the SFTP server, and waits for its VERSION (filexfer-02 section 4).
    ///
    /// - Returns: the version that it speaks, and its extensions by name.
    package func beginSFTP(_ id: ChannelID) async throws(Fault) -> (number: UInt32, extensions: [String: [UInt8]]) {
        let channel = try channel(id)
        let link = SFTPLink(channel: channel)
        // INIT: its length, its type, and version 3.
        link.append(ByteBuffer(bytes: [0, 0, 0, 5, SFTPMessageType.initialize.rawValue, 0, 0, 0, 3]))
        channel.consume(by: ChannelConsumer(object: link) { self.scheduleDelivery(link, id) })
        send(link, id)
        // What came with the server's answer to the request for the subsystem is there already.
        scheduleDelivery(link, id)
        await suspended {
            wait(for: link, $0)
        } onCancel: {
            $0.link(id)?.wakeVersionWaiter()
        }
        if let version = link.version { return version }
        throw link.fault ?? fault ?? .cancelled
    }

    private func wait(for link: SFTPLink, _ waiter: CheckedContinuation<Void, Never>) { link.waitForVersion(waiter) }

    /// Ends the conversation; nothing more is asked on the channel.
    package func endSFTP(_ id: ChannelID) {
        guard let link = link(id) else { return }
        link.channel.endConsuming()
        link.fail(fault ?? Fault(.cancelled(signal: nil), stage: .local))
    }

    /// Sends requests, all of them before any later request, and waits for the answers.
    ///
    /// - Parameter isCleanup: whether they are sent although the task is cancelled. Then the wait has an end of its own.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: the session's fault, a breach of the protocol, or a cancellation.
    package func sftp(_ id: ChannelID, _ requests: [SFTPRequest], isCleanup: Bool = false) async throws(Fault) -> [SFTPReply] {
        guard let link = link(id) else { throw faultIfLost ?? Self.clientIsClosed }
        if let fault = link.fault { throw fault }
        if !isCleanup, Task.isCancelled { throw .cancelled }
        let numbers = requests.map { link.enqueue($0) }
        scheduleSending(link, id)
        var replies: [SFTPReply] = []
        var first: Fault?
        for (request, number) in zip(requests, numbers) {
            switch await reply(to: number, mayOpen: request.answer == .handle, on: link, id, isCleanup: isCleanup) {
            case .success(let reply): replies.append(reply)
            // Wait for the others as well: their replies would otherwise stay unclaimed.
            case .failure(let fault): first = first ?? fault
            }
        }
        if let first { throw first }
        return replies
    }

    private static let clientIsClosed = Fault(
        .closed(
            problem: "an SFTP client was used after the closure that it was lent to had returned, or the connection was closed"),
        stage: .local)

    /// How long a server may take to answer requests that are sent after a cancellation.
    private static let cleanupPatience = TimeAmount.milliseconds(3000)

    private func reply(
        to number: UInt32, mayOpen: Bool, on link: SFTPLink, _ id: ChannelID, isCleanup: Bool
    ) async -> Result<SFTPReply, Fault> {
        guard isCleanup else {
            return await suspended {
                wait(for: number, on: link, $0)
            } onCancel: {
                $0.link(id)?.abandon(number, mayOpen: mayOpen)
            }
        }
        let timer = eventLoop.scheduleTask(in: Self.cleanupPatience) {
            self.assumeIsolated { $0.link(id)?.abandon(number, mayOpen: mayOpen) }
        }
        defer { timer.cancel() }
        return await suspended({ wait(for: number, on: link, $0) }, onCancel: { _ in })
    }

    /// A link that has ended fails it at once.
    private func wait(for number: UInt32, on link: SFTPLink, _ waiter: SFTPLink.Waiter) { link.wait(for: number, waiter) }

    // MARK: From the channel

    /// Not at once: the code that delivers the bytes is still reading.
    private func scheduleDelivery(_ link: SFTPLink, _ id: ChannelID) {
        guard link.scheduleDelivery() else { return }
        let bound = NIOLoopBound(link, eventLoop: eventLoop)
        eventLoop.execute { self.assumeIsolated { $0.deliver(bound.value, id) } }
    }

    private func deliver(_ link: SFTPLink, _ id: ChannelID) {
        link.beginDelivery()
        let channel = link.channel
        // Packets after the end have no reader.
        guard channel.consumer?.object === link else { return }
        // Standard error of the SFTP server: drain it, so that it cannot block the channel.
        _ = channel.take(1)
        var hasTaken = false
        while let bytes = channel.take(0) {
            hasTaken = true
            link.receive(bytes)
            if !channel.isDrained { pump() }
        }
        if !hasTaken, !channel.isDrained { pump() }
        if channel.progress.outputHasEnded, channel.isEmpty { link.fail(fault ?? Self.ended(channel)) }
        // An answer may have led to a request of our own.
        send(link, id)
    }

    /// The SFTP server has ended, and the session has not.
    private static func ended(_ channel: SessionChannel) -> Fault {
        let status = channel.progress.exitStatus.map { "its exit status was \($0)" } ?? ""
        return Fault(.fileFailed(SSHFileProblem(.connectionLost, .remote, operation: "read", detail: status)), stage: .sftp)
    }

    // MARK: To the channel

    /// Not at once: requests that are made together go together.
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
        guard !isDead, link.channel.consumer?.object === link, link.takeNext() else { return }
        submit(on: id) {
            // Without its link the channel is being closed, and its calls go before it does.
            link.channel.consumer?.object === link ? self.write(link.sending, to: link.channel) : .success(0)
        } completion: { result in
            self.sent(link, id, result)
        }
    }

    private func sent(_ link: SFTPLink, _ id: ChannelID, _ result: Result<Int, Fault>) {
        switch result {
        case .success(let count):
            link.sent(count)
            // Not from here: this runs inside the pump's own round.
            scheduleSending(link, id)
        case .failure(let fault):
            link.sent(0)
            // If the SFTP server has exited, the end of its output reports that.
            if !link.channel.progress.isClosed { link.fail(fault) }
        }
    }
}
