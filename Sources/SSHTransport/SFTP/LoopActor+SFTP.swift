internal import NIOCore

/// The waits that a session and a pipe have in common.
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
    ///   - isCleanup: whether they are sent although the task is cancelled. Then the wait has an end of its own.
    ///   - send: called when they are queued; sees to it that they are sent.
    /// - Returns: the answers in the order of the requests. STATUS of any code is an answer.
    /// - Throws: what ended the link, or a cancellation.
    func exchange(
        _ requests: [SFTPRequest], on link: SFTPLink, isCleanup: Bool, send: () -> Void
    ) async throws(Fault) -> [SFTPReply] {
        if let fault = link.fault { throw fault }
        if !isCleanup, Task.isCancelled { throw .cancelled }
        // Here, where requests get their order: a handle that is closed may be another file's by now.
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
        let timer = executor.loop.scheduleTask(in: SFTPLink.cleanupPatience) {
            bound.value.abandon(number, mayOpen: mayOpen)
        }
        defer { timer.cancel() }
        return await suspended({ wait(for: number, on: link, $0) }, onCancel: { _ in })
    }

    /// A link that has ended fails it at once.
    private func wait(for number: UInt32, on link: SFTPLink, _ waiter: SFTPLink.Waiter) { link.wait(for: number, waiter) }
}
