/// A line of a known_hosts file.
public struct KnownHostsLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The path as it was given, before links were followed.
    public let file: String
    /// The line's number, from 1.
    public let line: Int

    /// The line of this number, from 1, in the file at this path.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `file:line`, safe to print.
    public var description: String { "\(PrintableText.escape(file)):\(line)" }
}

/// A key that known_hosts has for a host, as an error shows it.
public struct KnownHostKey: Sendable, Hashable, Codable {
    /// The key's type, `ssh-ed25519` for example.
    public let algorithm: String
    /// The fingerprint, `SHA256:…`, as `ssh-keygen -l` prints it.
    public let fingerprint: String
    /// Where it stands.
    public let location: KnownHostsLocation

    /// A key of this type and fingerprint at this place.
    public init(algorithm: String, fingerprint: String, location: KnownHostsLocation) {
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.location = location
    }
}
