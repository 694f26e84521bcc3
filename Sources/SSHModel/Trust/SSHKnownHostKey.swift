/// A key that known_hosts has for a host, as an error shows it.
public struct SSHKnownHostKey: Sendable, Hashable, Codable {
    /// The key's type, `ssh-ed25519` for example.
    public let algorithm: String
    /// The fingerprint, `SHA256:…`, as `ssh-keygen -l` prints it.
    public let fingerprint: String
    /// Where it stands.
    public let location: SSHKnownHostsLocation

    /// A key of this type and fingerprint at this place.
    public init(algorithm: String, fingerprint: String, location: SSHKnownHostsLocation) {
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.location = location
    }
}
