/// How many bytes libssh2 may hold for a session, beside the session itself.
///
/// libssh2 keeps every packet that is not asked for, without end. What may wait legitimately is known: output that has not been read,
/// within the windows, and answers to what we have sent.
enum SessionBudget {
    /// Until the user is authenticated there is no window.
    static let beforeAuthentication = 1 << 20
    /// What may be held beside the windows: libssh2 keeps some 200 bytes of each packet, so that small ones take a multiple of
    /// the window that they use.
    static let margin = 8 << 20
    /// What may be held when all output has been read: packets that are kept without a need, which every read looks through.
    static let idle = 1 << 20
    /// What a channel takes besides.
    static let channel = 4096
    /// From this much below the limit on nothing more is read from the server while output waits for a slow reader: more than what
    /// one read brings can make of itself.
    static let reserve = 5 << 20
    /// The answer to a keepalive, which libssh2 keeps for ever.
    static let keepaliveAnswer = 512
    /// How many bytes of zeros stand behind a packet: libssh2 reads fields of fixed size without a look at the packet's end, and 1.10 a
    /// question's title (RFC 4256 section 3.2) by the length that it claims.
    static let slackBeforeAuthentication = 4096
    static let slackAfterAuthentication = 64
    /// How many bytes may wait to be sent: more than our own writes let come together.
    static let unsent = 4 << 20

    /// - Parameters:
    ///   - windows: what the server may send unasked, over all channels.
    ///   - keepalives: how many were sent.
    static func afterAuthentication(windows: Int, keepalives: Int) -> Int {
        beforeAuthentication + margin + windows + keepalives * keepaliveAnswer
    }
}
