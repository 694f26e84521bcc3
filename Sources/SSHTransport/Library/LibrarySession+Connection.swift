internal import CLibSSH2

/// Channels (RFC 4254), keepalives and the goodbye.
extension LibrarySession {
    /// Opens a session channel (RFC 4254 section 6.1) with packets of 32 KiB.
    ///
    /// - Parameter opened: called with the channel on success.
    func openSessionChannel(window: Int, _ opened: (LibraryChannel) -> Void) -> LibraryResult {
        made(bridge_channel_open_ex(raw, "session", 7, UInt32(window), UInt32(LibraryChannel.readLength)), opened)
    }

    /// Opens a channel to a host that the server resolves itself (RFC 4254 section 7.2), with libssh2's default window, 2 MiB.
    ///
    /// - Parameter opened: called with the channel on success.
    func openTunnel(to host: String, port: Int, _ opened: (LibraryChannel) -> Void) -> LibraryResult {
        // No accepted connection is forwarded, so there is no originator address: these are the values that ssh(1) sends for -W.
        made(bridge_channel_direct_tcpip_ex(raw, host, Int32(port), "127.0.0.1", 65535), opened)
    }

    private func made(_ made: bridge_made_channel, _ opened: (LibraryChannel) -> Void) -> LibraryResult {
        let result = result(made.result)
        if let channel = made.channel { opened(LibraryChannel(channel, in: self)) }
        return result
    }

    /// Makes libssh2 send a keepalive at each call of ``sendKeepalive()``, and ask for an answer.
    ///
    /// Our timer is the clock. libssh2's counts whole seconds of the time of day, at least two (keepalive.c:
    /// `libssh2_keepalive_config`): it would leave out some, which then pass for unanswered. It keeps the interval in an `int`,
    /// so this is a time long past.
    func configureKeepalives() { libssh2_keepalive_config(raw, 1, UInt32(bitPattern: .min)) }

    /// Sends a keepalive. During a key re-exchange none is sent; a server that is silent then is as silent.
    func sendKeepalive() {
        var next: Int32 = 0
        _ = result(bridge_keepalive_send(raw, &next))
        countKeepalive()
    }

    /// Sends SSH_MSG_DISCONNECT, by application.
    func disconnect() { _ = result(bridge_session_disconnect_ex(raw, 11, "disconnected by user", "")) }
}
