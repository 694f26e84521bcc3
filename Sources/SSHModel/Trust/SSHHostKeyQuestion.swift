/// What a person must know to decide on a host key.
///
/// The names are safe to print; the host is as the user gave it.
public struct SSHHostKeyQuestion: Sendable, Hashable {
    /// The name or address as the user gave it.
    public let host: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The key's type, `ssh-ed25519` for example.
    public let keyType: String
    /// `SHA256:…`, to be compared with what the server's administrator says.
    public let fingerprint: String
    /// Other names under which this very key is trusted already, hashed ones as `[hashed name]`.
    public let otherNames: [String]
    /// A `@cert-authority` line for the host: OpenSSH may know it by its certificate, which is not supported here.
    public let certificateAuthority: SSHKnownHostsLocation?
    /// The known_hosts lines that could not be understood.
    public let skippedLines: [SSHKnownHostsLocation]

    /// A question of these parts, as a test of an ``SSHHostKeyTrust/Ask`` needs it.
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
