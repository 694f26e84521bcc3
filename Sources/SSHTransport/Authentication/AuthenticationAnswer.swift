/// The server's answer to a credential.
package enum AuthenticationAnswer: Sendable, Hashable {
    /// Authenticated.
    case success
    /// Refused, or partial success; with the methods that can continue, where the server's message was seen.
    case failure(methods: [String]?, partialSuccess: Bool)
    /// The password must be changed first (RFC 4252 section 8).
    case passwordChangeRequired
    /// No answer: the signature could not be made.
    case noSignature
}
