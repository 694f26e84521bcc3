/// The number of bytes that libssh2 may hold for a session, besides the session itself.
///
/// libssh2 keeps every packet that is not asked for, without a limit. Only these may wait legitimately: unread output within
/// the windows, and answers to this client's messages.
enum SessionBudget {
    /// Until the user is authenticated there is no window.
    static let beforeAuthentication = 1 << 20
    /// Bytes that may be held besides the windows. libssh2 keeps about 200 bytes for each packet, so small packets take a
    /// multiple of the window that they use.
    static let margin = 8 << 20
    /// Bytes that may be held when all output has been read: needless packets, which every read searches.
    static let idle = 1 << 20
    /// Further bytes for each channel.
    static let channel = 4096
    /// While output waits for a slow reader, reading from the server stops this many bytes below the limit. One read cannot
    /// cause libssh2 to hold more than that.
    static let reserve = 5 << 20
    /// The answer to a keepalive, which libssh2 keeps forever.
    static let keepaliveAnswer = 512
    /// The number of zero bytes behind a packet. libssh2 reads fields of fixed size without checking the packet's end, and 1.10
    /// reads a question's title (RFC 4256 section 3.2) by the length that the packet claims.
    static let slackBeforeAuthentication = 4096
    static let slackAfterAuthentication = 64
    /// The most bytes that may wait to be sent: more than this client's own writes can add up to.
    static let unsent = 4 << 20

    /// - Parameters:
    ///   - windows: the bytes that the server may send unasked, over all channels.
    ///   - keepalives: the number of keepalives that were sent.
    static func afterAuthentication(windows: Int, keepalives: Int) -> Int {
        beforeAuthentication + margin + windows + keepalives * keepaliveAnswer
    }
}
