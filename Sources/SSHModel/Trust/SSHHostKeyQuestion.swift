/// The facts that a person needs to decide about a host key.
///
/// The other names are safe to print. The host is as the user gave it.
public struct SSHHostKeyQuestion: Sendable, Hashable {
    /// The name or address as the user gave it.
    public let host: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The key's type, `ssh-ed25519` for example.
    public let keyType: String
    /// `SHA256:…`, to compare with the fingerprint that the server's administrator gives.
    public let fingerprint: String
    /// Other host names for which this same key is trusted already. A hashed name is `[hashed name]`.
    public let otherNames: [String]
    /// A `@cert-authority` line for the host. OpenSSH may trust the host by its certificate, which is not supported here.
    public let certificateAuthority: SSHKnownHostsLocation?
    /// The known_hosts lines that could not be understood.
    public let skippedLines: [SSHKnownHostsLocation]

    /// Makes a question, for example to test an ``SSHHostKeyTrust/Ask``.
    public init(
        host: String, port: Int, keyType: String, fingerprint: String, otherNames: [String] = [],
        certificateAuthority: SSHKnownHostsLocation? = nil, skippedLines: [SSHKnownHostsLocation] = []
    ) {
        self.host = host
        self.port = port
        self.keyType = keyType
        self.fingerprint = fingerprint
        self.otherNames = otherNames
        self.certificateAuthority = certificateAuthority
        self.skippedLines = skippedLines
    }
}
