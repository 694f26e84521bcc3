/// What libssh2 may hold for a session: see ``SessionBudget``.
extension Session {
    /// Allows libssh2 as much memory as the channels' windows and this client's requests may need.
    ///
    /// - Parameter windows: all windows together, in bytes.
    func updateBudget(windows: Int) {
        guard isAuthenticated else { return }
        library.allow(SessionBudget.afterAuthentication(windows: windows, keepalives: library.keepaliveCount))
    }

    /// The user is authenticated: from now on channels have windows.
    func beginBudget() {
        library.hasAuthenticated()
        updateBudget(windows: 0)
    }

    /// Ends the session if libssh2 holds much data that no reader will take.
    func concludeIfFlooded() {
        guard isAuthenticated, !isDead, library.held > SessionBudget.idle else { return }
        let expected =
            SessionBudget.idle + channels.count * SessionBudget.channel
            + library.keepaliveCount * SessionBudget.keepaliveAnswer
        guard library.held > expected, channels.all.allSatisfy(\.isDrained) else { return }
        fail(Fault(.protocolViolated(.unrequestedData(limit: SessionBudget.idle))))
    }

    /// Whether the server must wait for the reader of a channel: more data could exceed the budget.
    ///
    /// Large packets stay within the windows. Small ones cost libssh2 a multiple of what they count for in a window.
    var isHeldBack: Bool {
        isAuthenticated && library.held > library.budget - SessionBudget.reserve
            && channels.all.contains { $0.awaitsReader }
    }
}
