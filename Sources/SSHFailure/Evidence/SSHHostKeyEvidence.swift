/// The server's host key and what was known about it.
public struct SSHHostKeyEvidence: Sendable, Hashable, Codable {
    /// The key type, such as `ssh-ed25519`.
    public var algorithm: String
    /// `SHA256:` and unpadded base64, as ssh-keygen prints it.
    public var fingerprint: String
    /// The verdict of the known_hosts files.
    public var verdict: SSHHostKeyVerdict
    /// The policy that applied.
    public var policy: SSHHostKeyPolicy
    /// Whether a person was asked and declined.
    public var declined = false
    /// The key's size as `ssh-keygen -l` counts it, where its kind is known.
    public var bits: Int?
    /// The name under which known_hosts was searched, such as `[web1]:2222` or a HostKeyAlias; nil where it is the host's own.
    public var listedAs: String?
    /// Expected fingerprints. The server presented no key that has one of them.
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
