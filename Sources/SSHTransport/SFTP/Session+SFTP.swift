internal import NIOCore

extension Session {
    /// Sends INIT to the SFTP server, and waits for its VERSION (filexfer-02 section 4).
    ///
    /// - Returns: the version that it speaks, and its extensions by name.
    package func beginSFTP(_ id: ChannelID) async throws(Fault) -> (number: UInt32, extensions: [String: [UInt8]]) {
        let channel = try channel(id)
        var link = SFTPLink(channel: channel)
        // INIT: its length, its type, and version 3.
        link.append(ByteBuffer(bytes: [0, 0, 0, 5, SFTPMessageType.initialize.rawValue, 0, 0, 0, 3]))
        sftpLinks[id] = link
        channel.arrived = { self.scheduleDelivery(id) }
        send(id)
        // What came with the server's answer to the request for the subsystem is there already.
        scheduleDelivery(id)
        await suspended {
            if sftpLinks[id] == nil { $0.resume() } else { sftpLinks[id]?.waitForVersion($0) }
        } onCancel: {
            $0.sftpLinks[id]?.wakeVersionWaiter()
        }
        if let version = sftpLinks[id]?.version { return version }
        throw sftpLinks[id]?.fault ?? fault ?? .cancelled
    }

    /// Ends the conversation; nothing more is asked on the channel.
    package func endSFTP(_ id: ChannelID) {
        guard sftpLinks[id] != nil else { return }
        sftpLinks[id]?.channel.arrived = nil
        sftpLinks[id]?.fail(fault ?? Fault(.cancelled(signal: nil), stage: .local))
        sftpLinks[id] = nil
    }

    /// Sends requests, all of them before any later request, and waits for the answers.
    ///
    /// - Parameter isCleanup: whether they are sent although the task is cancelled. Then the wait has an end of its own.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: the session's fault, a breach of the protocol, or a cancellation.
    package func sftp(_ id: ChannelID, _ requests: [SFTPRequest], isCleanup: Bool = false) async throws(Fault) -> [SFTPReply] {
        guard sftpLinks[id] != nil else { throw faultIfLost ?? Self.clientIsClosed }
        if let fault = sftpLinks[id]?.fault { throw fault }
        if !isCleanup, Task.isCancelled { throw .cancelled }
        let numbers = requests.compactMap { sftpLinks[id]?.enqueue($0) }
        scheduleSending(id)
        var replies: [SFTPReply] = []
        var first: Fault?
        for (request, number) in zip(requests, numbers) {
            switch await reply(to: number, mayOpen: request.answer == .handle, on: id, isCleanup: isCleanup) {
            case .success(let reply): replies.append(reply)
            // Wait for the others as well: their replies would otherwise stay unclaimed.
            case .failure(let fault): first = first ?? fault
            }
        }
        if let first { throw first }
        return replies
    }

    private static let clientIsClosed = Fault(
        .closed(problem: "an SFTP client was used after the closure that it was lent to had returned, or the connection was closed"),
        stage: .local)

    /// How long a server may take to answer requests that are sent after a cancellation.
    private static let cleanupPatience = TimeAmount.milliseconds(3000)

    private func reply(
        to number: UInt32, mayOpen: Bool, on id: ChannelID, isCleanup: Bool
    ) async -> Result<SFTPReply, Fault> {
        guard isCleanup else {
            return await suspended {
                wait(for: number, on: id, $0)
            } onCancel: {
                $0.sftpLinks[id]?.abandon(number, mayOpen: mayOpen)
            }
        }
        let timer = eventLoop.scheduleTask(in: Self.cleanupPatience) {
            self.assumeIsolated { $0.sftpLinks[id]?.abandon(number, mayOpen: mayOpen) }
        }
        defer { timer.cancel() }
        return await suspended({ wait(for: number, on: id, $0) }, onCancel: { _ in })
    }

    private func wait(for number: UInt32, on id: ChannelID, _ waiter: SFTPLink.Waiter) {
        guard sftpLinks[id] != nil else { return waiter.resume(returning: .failure(faultIfLost ?? Self.clientIsClosed)) }
        sftpLinks[id]?.wait(for: number, waiter)
    }

    // MARK: From the channel

    /// Not at once: the code that delivers the bytes is still reading.
    private func scheduleDelivery(_ id: ChannelID) {
        guard sftpLinks[id]?.deliveryIsDue == false else { return }
        sftpLinks[id]?.deliveryIsDue = true
        eventLoop.execute { self.assumeIsolated { $0.deliver(id) } }
    }

    private func deliver(_ id: ChannelID) {
        guard let channel = sftpLinks[id]?.channel else { return }
        sftpLinks[id]?.deliveryIsDue = false
        // Standard error of the SFTP server: drain it, so that it cannot block the channel.
        _ = channel.take(1)
        var hasTaken = false
        while let bytes = channel.take(0) {
            hasTaken = true
            sftpLinks[id]?.receive(bytes)
            if !channel.isDrained { pump() }
        }
        if !hasTaken, !channel.isDrained { pump() }
        if channel.outputHasEnded, channel.isEmpty { sftpLinks[id]?.fail(fault ?? Self.ended(channel)) }
        // An answer may have led to a request of our own.
        send(id)
    }

    /// The SFTP server has ended, and the session has not.
    private static func ended(_ channel: SessionChannel) -> Fault {
        let status = channel.exitStatus.map { "its exit status was \($0)" } ?? ""
        return Fault(.fileFailed(FileProblem(.connectionLost, .remote, operation: "read", detail: status)), stage: .sftp)
    }

    // MARK: To the channel

    /// Not at once: requests that are made together go together.
    private func scheduleSending(_ id: ChannelID) {
        guard sftpLinks[id]?.isSendingDue == false, sftpLinks[id]?.isSending == false else { return }
        sftpLinks[id]?.isSendingDue = true
        eventLoop.execute {
            self.assumeIsolated { session in
                session.sftpLinks[id]?.isSendingDue = false
                session.send(id)
            }
        }
    }

    private func send(_ id: ChannelID) {
        guard fault == nil, sftpLinks[id]?.takeNext() == true, let channel = sftpLinks[id]?.channel else { return }
        submit("libssh2_channel_write_ex", on: id) {
            // Without a link the channel is being closed, and its operations go before it does.
            self.sftpLinks[id].map { self.write($0.sending, to: channel) } ?? 0
        } completion: { result in
            self.sent(id, result)
        }
    }

    private func sent(_ id: ChannelID, _ result: Result<Int, Fault>) {
        sftpLinks[id]?.isSending = false
        switch result {
        case .success(let count):
            sftpLinks[id]?.sending.moveReaderIndex(forwardBy: count)
            // Not from here: this runs inside the pump's own round.
            scheduleSending(id)
        case .failure(let fault):
            // If the SFTP server has exited, the end of its output reports that.
            if sftpLinks[id]?.channel.isClosed == false { sftpLinks[id]?.fail(fault) }
        }
    }
}
