/// What a libssh2 call that failed means to the session.
extension Session {
    /// The first fault, unless it is only that this side has closed the connection.
    package var faultIfLost: Fault? {
        guard let fault else { return nil }
        if case .cancelled = fault.event { return nil }
        return fault
    }

    /// The fault of a call that did not succeed, which is the session's too where libssh2's state cannot be trusted after it.
    func noteFailure(_ result: LibraryResult) -> Fault {
        concludeIfViolated()
        if case .failure(let failure) = result { concludeIfMisled(by: failure) }
        if let fault { return fault }
        guard case .failure(let failure) = result else {
            return Fault(.internalFailure(problem: "a call of libssh2 that was to be repeated has ended"))
        }
        let fault = Fault(.libraryFailed, stage: stage, library: failure.call)
        if stage == .keyExchange { facts.keyExchangeFailed(hostKeyCame: !library.presentedHostKey.isEmpty) }
        if stage == .banner || stage == .keyExchange || library.discarded.disconnect != nil || failure.isFatal { fail(fault) }
        return self.fault ?? fault
    }

    /// Ends the session for the allocator's refusal, whatever libssh2 made of that.
    func concludeIfViolated() {
        guard library.isViolated, !isDead, let violation = library.violation else { return }
        fail(Fault(.protocolViolated(violation)))
    }

    /// Ends the session where a packet has led libssh2 to a code that hides what is wrong with it.
    func concludeIfMisled(by failure: LibraryFailure) {
        guard !isDead else { return }
        let asksForTooMuch = isAuthenticated && failure.code == .allocation && !library.isExhausted
        if asksForTooMuch || library.hasMetEndlessPacket { fail(Fault(.protocolViolated(.malformedPacket))) }
    }

    /// Looks at what a dead session had received and never read. Every call fails with the fault from then on.
    func collectUnread() {
        guard isDead, stage == .authentication, channels.isEmpty, !isLent else { return }
        library.free()
        collectObserved()
    }

    /// Recovers the data that libssh2 had received for the channels when a fault ended the session.
    ///
    /// It refuses every read after a DISCONNECT or a packet that it could not make sense of (transport.c:
    /// `_libssh2_transport_read`), also of what came before: a server may send the last output, the exit status and its goodbye
    /// in one piece. But it frees what it holds with the session, each stream in order, and the tap sees that.
    func salvage() {
        guard let fault, !channels.isEmpty, !isLent else { return }
        if case .cancelled = fault.event { return }
        collectObserved()
        let counts = channels.unreadCounts
        // Freeing its channels libssh2 reads on, and what lies behind a fault is not to be believed.
        wire.dropInbound()
        library.discarded.closeBooks()
        library.free()
        for (id, count) in counts { channels[id]?.take(over: library.discarded.ledger, count: count) }
    }
}
