/// A property of one of our certificates that makes it invalid for this use.
public struct SSHCertificateDefect: Sendable, Hashable, Codable {
    /// The kind of defect.
    public enum Reason: String, Sendable, Hashable, Codable {
        /// Expired, by the local clock.
        case expired
        /// Not yet valid, by the local clock.
        case notYetValid = "not-yet-valid"
        /// It names principals other than the user; the server may be configured to accept them (AuthorizedPrincipalsFile).
        case otherPrincipals = "other-principals"
    }
    /// The kind of defect.
    public var reason: Reason
    /// The dates or the names: the rest of a sentence that begins with the certificate.
    public var detail: String

    /// A defect.
    public init(reason: Reason, detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
