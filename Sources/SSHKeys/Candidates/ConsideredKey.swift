/// One public key and how it is used.
package struct ConsideredKey: Sendable, Hashable {
    package enum Use: Sendable, Hashable {
        /// It may be offered.
        case candidate
        /// The identity cannot be used.
        case unusable(SSHKeyProblem)
        /// A default identity that is not there.
        case missing
        /// The agent holds it, and only identities are to be offered.
        case notAnIdentity
        /// Its type cannot be offered here: a certificate, a security key.
        case unsupported
        /// The same key is listed earlier.
        case duplicate
    }
    /// The file's path, or the agent key's comment.
    package var label: String
    package var isAgents: Bool
    package var fingerprint: String?
    package var algorithm: String?
    package var bits: Int?
    package var use: Use

    package init(path: String, use: Use) {
        label = path
        isAgents = false
        self.use = use
    }

    package init(_ key: SSHPublicKey, label: String, isAgents: Bool, use: Use) {
        self.label = label
        self.isAgents = isAgents
        fingerprint = key.fingerprint
        algorithm = key.algorithm
        bits = key.bits
        self.use = use
    }
}
