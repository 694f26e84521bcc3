/// The keys of the identities and the agent, collected before anything is sent over the network.
package struct PublicKeyCandidates: Sendable {
    package var candidates: [PublicKeyCandidate] = []
    package var keyProblems: [SSHKeyProblem] = []
    /// The first problem of an identity that the user named.
    package var explicitProblem: SSHKeyProblem?
    package var agentProblem: SSHAgentProblem?
    /// Every key that was considered, the candidates first.
    package var considered: [KeyConsideration] {
        candidates.map {
            let isFromAgent = if case .agent = $0.signer.origin { true } else { false }
            return KeyConsideration($0.key, label: $0.label, isFromAgent: isFromAgent, use: .candidate)
        } + leftOut
    }
    /// The keys that will not be offered, with the reasons.
    package var leftOut: [KeyConsideration] = []

    package init() {}
}

/// A public key that can be offered, with its signer.
package struct PublicKeyCandidate: Sendable {
    package let signer: any Signer
    /// The name for people: the file's path, or the agent key's comment.
    package let label: String
    /// The key's file, which other connections can share while it is in use.
    package var file: KeyFile?
    /// Whether the key file has no `.pub` file beside it.
    package var lacksPublicFile = false

    package init(signer: any Signer, label: String, file: KeyFile? = nil) {
        self.signer = signer
        self.label = label
        self.file = file
    }

    package var key: SSHPublicKey { signer.publicKey }
}

/// One public key that was considered, and how it is used.
package struct KeyConsideration: Sendable, Hashable {
    package enum Use: Sendable, Hashable {
        /// The key may be offered.
        case candidate
        /// The identity cannot be used.
        case unusable(SSHKeyProblem)
        /// A default identity whose file does not exist.
        case missing
        /// The agent holds the key, but only identities may be offered.
        case notAnIdentity
        /// The key's type is not supported: a certificate, a security key.
        case unsupported
        /// No signature algorithm of the key is accepted (PubkeyAcceptedAlgorithms).
        case notAccepted
        /// The same key is listed earlier.
        case duplicate
    }
    /// The file's path, or the agent key's comment.
    package var label: String
    package var isFromAgent: Bool
    package var fingerprint: String?
    package var algorithm: String?
    package var bits: Int?
    package var use: Use

    package init(path: String, use: Use) {
        label = path
        isFromAgent = false
        self.use = use
    }

    package init(_ key: SSHPublicKey, label: String, isFromAgent: Bool, use: Use) {
        self.label = label
        self.isFromAgent = isFromAgent
        fingerprint = key.fingerprint
        algorithm = key.algorithm
        bits = key.bits
        self.use = use
    }
}
