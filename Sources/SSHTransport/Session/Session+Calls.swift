/// Calls of libssh2.
extension Session {
    /// Repeats a call until it returns something other than EAGAIN, and returns its result.
    ///
    /// - Parameters:
    ///   - channel: the channel that the call works on.
    ///   - opening: the channel that it opens.
    ///   - exclusive: for calls whose state libssh2 keeps in the session: they are made one at a time, in order.
    ///   - nextStage: the session's stage after success. It is entered at once, because bytes that come with the server's
    ///     answer belong to it already.
    ///   - isSettled: whether an exclusive call that has not ended can only succeed: see ``PendingCall``.
    ///   - discard: disposes of the result of a call whose caller was cancelled before it ended.
    func perform(
        on channel: ChannelID? = nil, opening: ChannelID? = nil, exclusive isExclusive: Bool = false,
        nextStage: @escaping () -> SSHStage? = { nil }, isSettled: @escaping () -> Bool = { false },
        discard: @escaping () -> Void = {}, _ call: @escaping () -> LibraryResult
    ) async throws(Fault) -> Int {
        if let fault = fault ?? calls.lateness(of: opening ?? channel) { throw fault }
        if Task.isCancelled { throw .cancelled }
        let consumed = wire.consumedCount
        let attempt = isExclusive && calls.isTaken ? .notMade : attempt(call)
        if case .ended(let result) = attempt {
            defer { pump(since: consumed) }
            return try outcome(of: result, nextStage: nextStage).get()
        }
        let isTried = attempt.isMade
        let pending = calls.add(
            on: channel, opening: opening, exclusive: isExclusive, hasBegun: isTried, nextStage: nextStage, isSettled: isSettled,
            discard: discard, call)
        let id = pending.id
        let result: Result<Int, Fault> = await suspended {
            pending.await($0, self)
            // Don't start work for a cancelled caller.
            if Task.isCancelled { calls.abandon(id) }
            if isTried { pump(since: consumed) } else { pump() }
        } onCancel: {
            $0.calls.abandon(id)
        }
        return try result.get()
    }

    /// Begins a call without a waiting caller.
    ///
    /// - Parameter completion: called with the result, unless the channel is closed before.
    func submit(
        on channel: ChannelID, _ call: @escaping () -> LibraryResult, completion: @escaping (Result<Int, Fault>) -> Void
    ) {
        _ = calls.add(on: channel, completion: completion, call)
        pump()
    }

    /// Makes a call without a waiting caller, at once if possible.
    ///
    /// - Parameters:
    ///   - flushes: whether pending bytes are sent now. Otherwise the caller sends them.
    ///   - succeeded: called on success.
    func makeUnawaited(
        on channel: ChannelID, flushes: Bool = true, succeeded: @escaping () -> Void = {}, _ call: @escaping () -> LibraryResult
    ) {
        let consumed = wire.consumedCount
        let attempt = attempt(call)
        if case .ended(let result) = attempt {
            if case .success = outcome(of: result, nextStage: { nil }) { succeeded() }
        } else {
            calls.add(on: channel, discard: succeeded, call).abandon()
        }
        if case .notMade = attempt { pump(flushes: flushes) } else { pump(since: consumed, flushes: flushes) }
    }

    /// The outcome of a call that was made at once, outside of the pump.
    private enum Attempt {
        case ended(LibraryResult)
        /// It returned EAGAIN.
        case made
        /// It must wait for its turn.
        case notMade

        var isMade: Bool { if case .made = self { true } else { false } }
    }

    /// Tries a call outside of the pump. Most calls end at once and need no queue.
    private func attempt(_ call: () -> LibraryResult) -> Attempt {
        guard mayCall else { return .notMade }
        let result = call()
        if case .again = result, !library.isViolated { return .made }
        collectObserved(after: result)
        // The caller must see the result before a violation ends the session: a channel may be freed by now.
        return .ended(result)
    }

    /// The outcome of an ended call for its caller; updates the session.
    func outcome(of result: LibraryResult, nextStage: () -> SSHStage?) -> Result<Int, Fault> {
        guard case .success(let count) = result else { return .failure(noteFailure(result)) }
        if let next = nextStage(), next != stage { enter(next) }
        return .success(count)
    }

    /// Takes the messages that libssh2 discarded in its last calls. The last call returned `result`.
    func collectObserved(after result: LibraryResult = .success(0)) {
        // libssh2's AES-GCM hands out deciphered bytes before it detects an altered packet. That packet was freed last.
        if case .failure(let failure) = result, failure.code == .deciphering,
            observations.agreed?.cipherToClient.contains("gcm") == true
        {
            library.discarded.forgetLast()
        }
        if hostKeyProof.isAwaited, !isDead { library.noteHeldAnswers() }
        guard !library.discarded.isEmpty else { return }
        for message in library.discarded.take() { note(message) }
    }
}
