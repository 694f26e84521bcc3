/// A violation of the protocol by the server, for which the session was ended at once.
public enum SSHProtocolViolation: Sendable, Hashable, Codable {
    /// A packet whose length, padding or content is invalid (RFC 4253 section 6).
    case malformedPacket
    /// A message of this number at a point where none is allowed (RFC 4253 section 7.1).
    case unexpectedMessage(UInt8)
    /// A method of key exchange that only a client may name, as a sign of what it can do (RFC 8308 section 2.1).
    case clientOnlyMethod
    /// More data than was requested: libssh2 would have had to keep more than this many bytes.
    case unrequestedData(limit: Int)
    /// Endless requests whose answers it does not read: more than this many bytes wait to be sent.
    case unreadAnswers(limit: Int)
    /// Endless questions (RFC 4256): more than this many rounds in one authentication attempt.
    case endlessQuestions(limit: Int)
    /// A failed key re-exchange: no common algorithm, a wrong signature or invalid packets.
    case keyExchangeFailed
    /// Another host key in a key re-exchange (RFC 4253 section 9).
    case hostKeyReplaced
}
