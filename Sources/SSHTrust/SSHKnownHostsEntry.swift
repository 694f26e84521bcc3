/// A valid line of known_hosts: its hosts, its key and its marker.
public struct SSHKnownHostsEntry: Sendable, Hashable {
    /// The hosts that a line applies to.
    enum Names: Sendable, Hashable {
        case hashed(HashedHostName)
        case patterns([HostPattern], text: String)

        func match(_ name: KnownHostName) -> Bool {
            switch self {
            case .hashed(let hashed): hashed.matches(name)
            case .patterns(let patterns, _): HostPattern.list(patterns, matches: name)
            }
        }
    }

    /// The line's marker.
    public let marker: SSHKnownHostMarker
    let names: Names
    /// The key.
    public let key: SSHHostKey
    /// The comment after the key; text from outside, to be escaped before it is shown.
    public let comment: String
    /// Its file and line.
    public let location: SSHKnownHostsLocation

    func matches(_ name: KnownHostName) -> Bool { names.match(name) }

    /// Whether its name is hashed (HashKnownHosts of ssh_config(5)).
    public var isHashed: Bool {
        if case .hashed = names { true } else { false }
    }

    /// The names and patterns as the line spells them; nil if they are hashed. Text from outside.
    public var namesText: String? {
        if case .patterns(_, let text) = names { text } else { nil }
    }

    var known: SSHKnownHostKey { SSHKnownHostKey(algorithm: key.algorithm, fingerprint: key.fingerprint, location: location) }
}

/// The marker of a known_hosts line (sshd(8): MARKERS).
public enum SSHKnownHostMarker: String, Sendable, Hashable, Codable {
    /// No marker: the key is the host's.
    case trusted
    /// `@cert-authority`: the key signs host certificates.
    case certificateAuthority = "cert-authority"
    /// `@revoked`: the key is never to be accepted.
    case revoked
}
