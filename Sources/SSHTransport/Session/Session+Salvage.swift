extension Session {
    /// Recovers the data that libssh2 had received for the channels when a fault ended the session.
    ///
    /// It refuses every read after a DISCONNECT or a packet that it could not make sense of (transport.c:
    /// `_libssh2_transport_read`), also of what came before: a server may send the last output, the exit status and its goodbye
    /// in one piece. But it frees what it holds with the session, each stream in order, and the tap sees that.
    func salvage() {
        guard let fault, !channels.isEmpty, !isLent else { return }
        if case .cancelled = fault.event { return }
        collectObserved()
        let counts = channels.mapValues(\.unreadCount)
        // Freeing its channels libssh2 reads on, and what lies behind a fault is not to be believed.
        wire.dropInbound()
        wire.ledger.closeBooks()
        library.free()
        wire.observed = []
        for (id, count) in counts { channels[id]?.take(over: wire.ledger, count: count) }
    }
}
