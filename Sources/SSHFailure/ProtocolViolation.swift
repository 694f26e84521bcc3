/// What a server did that the protocol does not allow, for which the session was ended at once.
public enum ProtocolViolation: Sendable, Hashable, Codable {
    /// A packet whose length, padding or content cannot be true (RFC 4253 section 6).
    case malformedPacket
    /// A message of this number where none may come (RFC 4253 section 7.1).
    case unexpectedMessage(UInt8)
    /// More data than was asked for: libssh2 would have had to keep more than this many bytes.
    case unrequestedData(limit: Int)
    /// Requests without end whose answers it does not read: more than this many bytes wait to be sent.
    case unreadAnswers(limit: Int)
    /// Questions without end (RFC 4256): more than this many rounds in one attempt to authenticate.
    case endlessQuestions(limit: Int)
    /// A key re-exchange that came to nothing: no common algorithm, a wrong signature or packets that make no sense.
    case keyExchangeFailed
    /// Another host key in a key re-exchange (RFC 4253 section 9).
    case hostKeyReplaced
}
