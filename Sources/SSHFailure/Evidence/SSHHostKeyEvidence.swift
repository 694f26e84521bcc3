/// The server's host key and what was known about it.
public struct SSHHostKeyEvidence: Sendable, Hashable, Codable {
    /// The key type, such as `ssh-ed25519`.
    public var algorithm: String
    /// `SHA256:` followed by unpadded base64, as ssh-keygen prints it.
    public var fingerprint: String
    /// The verdict of the known_hosts files.
    public var verdict: SSHHostKeyVerdict
    /// The policy that applied.
    public var policy: SSHHostKeyPolicy
    /// Whether a person was asked and declined.
    public var declined = false
    /// The key's size in bits as `ssh-keygen -l` counts it, if the type is known.
    public var bits: Int?
    /// The name that was searched for in known_hosts, such as `[web1]:2222` or a HostKeyAlias; nil if it is the host's own name.
    public var listedAs: String?
    /// The expected fingerprints, if the server presented no key with one of them.
    public var expected: [String] = []

    /// Host key evidence.
    public init(algorithm: String, fingerprint: String, verdict: SSHHostKeyVerdict, policy: SSHHostKeyPolicy) {
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.verdict = verdict
        self.policy = policy
    }

    package init(_ key: SSHHostKey, verdict: SSHHostKeyVerdict, policy: SSHHostKeyPolicy) {
        self.init(algorithm: key.algorithm, fingerprint: key.fingerprint, verdict: verdict, policy: policy)
        bits = (try? SSHPublicKey(blob: key.blob))?.bits
    }
}
