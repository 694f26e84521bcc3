/// What the known_hosts files say of a host key.
public enum HostKeyVerdict: Sendable, Hashable, Codable {
    /// The key is listed for this host.
    case trusted(KnownHostsLocation)
    /// The host is listed with another key of this type.
    case changed(known: [KnownHostKey])
    /// The key is listed as revoked; beats every other line.
    case revoked(KnownHostsLocation)
    /// No line names this host.
    case unknown(UnknownHostDetails)
    /// The host is listed, but only with keys of other types.
    case otherTypeKnown(known: [KnownHostKey])
}

/// Where a line stands.
public struct KnownHostsLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The file.
    public var path: String
    /// The line, from 1.
    public var line: Int
    /// `file:line`.
    public var description: String { "\(path):\(line)" }

    /// A place in a file.
    public init(path: String, line: Int) {
        self.path = path
        self.line = line
    }
}

/// A key that a known_hosts file lists.
public struct KnownHostKey: Sendable, Hashable, Codable {
    /// The key type, such as `ssh-ed25519`.
    public var algorithm: String
    /// `SHA256:` and unpadded base64.
    public var fingerprint: String
    /// Where it is listed.
    public var location: KnownHostsLocation

    /// A listed key.
    public init(algorithm: String, fingerprint: String, location: KnownHostsLocation) {
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.location = location
    }
}

/// What else was noticed when no line named a host.
public struct UnknownHostDetails: Sendable, Hashable, Codable {
    /// Lines that could not be understood and were passed over.
    public var skippedLines: [KnownHostsLocation] = []
    /// A `@cert-authority` line names this host; certificates are not supported.
    public var certificateAuthority: KnownHostsLocation?
    /// The files that were read.
    public var files: [String] = []

    /// Nothing noticed.
    public init() {}
}
