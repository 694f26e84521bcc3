/// The verdict of known_hosts on the key that a server presented.
///
/// ``SSHHostKeyPolicy`` decides what follows from it.
public enum SSHHostKeyVerdict: Sendable, Hashable, Codable {
    /// This key is known for this host, on this line.
    case trusted(SSHKnownHostsLocation)
    /// Another key of the same type is known. The server was reinstalled, or another machine answers in its place.
    ///
    /// - Parameters:
    ///   - presented: the fingerprint of the server's key, `SHA256:…`.
    ///   - known: the keys of that type that known_hosts has for the host, in the order of the files; never empty.
    case changed(presented: String, known: [SSHKnownHostKey])
    /// A `@revoked` line for this host has the key. It overrides all other lines.
    case revoked(SSHKnownHostsLocation)
    /// Only keys of other types are known for this host (in the order of the files; never empty).
    case otherTypeKnown([SSHKnownHostKey])
    /// No line has a key for this host.
    ///
    /// - Parameters:
    ///   - skippedLines: how many lines of all files could not be parsed. One of them may be for this host.
    ///   - certificateAuthority: the first `@cert-authority` line for this host. Host certificates are not supported here, so
    ///     OpenSSH may know the host by its certificate.
    case unknown(skippedLines: Int, certificateAuthority: SSHKnownHostsLocation?)
}

/// A key that known_hosts lists for a host, as an error shows it.
public struct SSHKnownHostKey: Sendable, Hashable, Codable {
    /// The key's type, `ssh-ed25519` for example.
    public let algorithm: String
    /// The fingerprint, `SHA256:…`, as `ssh-keygen -l` prints it.
    public let fingerprint: String
    /// The line of the key.
    public let location: SSHKnownHostsLocation

    /// Makes a key of this type and fingerprint, on this line.
    public init(algorithm: String, fingerprint: String, location: SSHKnownHostsLocation) {
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.location = location
    }
}

/// A line of a known_hosts file.
public struct SSHKnownHostsLocation: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The path as it was given, before links were followed.
    public let file: String
    /// The line's number, from 1.
    public let line: Int

    /// The placeholder for a file's path, for keys that the program itself lists as trusted.
    package static let pins = "trustedHostKeys"

    /// Makes the location of a line, counted from 1, in the file at this path.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `file:line`, safe to print.
    public var description: String { "\(PrintableText.escape(file)):\(line)" }
}

/// The decision that follows from a policy and a verdict.
public enum SSHTrustDecision: Sendable, Hashable {
    /// Continue.
    case accept
    /// Continue, and write the key to known_hosts.
    case acceptAndRemember
    /// A person decides.
    case ask
    /// End the connection before a credential is sent.
    case reject

    /// Makes the decision; a pure function.
    ///
    /// Every policy rejects a changed or revoked key. Every policy also rejects a key of an unknown type if keys of other types
    /// are known: an impostor without the known key would offer such a key. ssh(1) since 5.7 calls that "changed" too.
    public init(policy: SSHHostKeyPolicy, verdict: SSHHostKeyVerdict) {
        self =
            switch (verdict, policy) {
            case (.trusted, _): .accept
            case (.changed, _), (.revoked, _), (.otherTypeKnown, _), (.unknown, .strict): .reject
            case (.unknown, .acceptNew): .acceptAndRemember
            case (.unknown, .ask): .ask
            }
    }
}

/// The policy for an unknown host key (StrictHostKeyChecking of ssh_config(5)).
///
/// No policy accepts a key silently.
public enum SSHHostKeyPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Only known keys are accepted, and nothing is written to known_hosts.
    case strict
    /// The key of an unknown host is accepted and written to known_hosts. A key that cannot be written is not accepted.
    case acceptNew = "accept-new"
    /// A person decides about the key of an unknown host. Without an ``SSHInteraction`` this is ``strict``.
    case ask

    /// Whether a key may be written to known_hosts, creating the file if it is missing.
    package var mayRemember: Bool { self != .strict }
}
