internal import NIOCore

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
        if channel.take(1) != nil { madeRoom(in: channel) }
        while let bytes = channel.take(0) {
            link.receive(bytes)
            madeRoom(in: channel)
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
