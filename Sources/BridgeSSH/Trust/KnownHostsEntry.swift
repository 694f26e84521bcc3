/// A line of known_hosts that says something: for which hosts, which key, and what of it.
struct KnownHostsEntry: Sendable, Hashable {
    /// What a line says of its key.
    enum Marker: Sendable { case trusted, certificateAuthority, revoked }
    /// For which hosts a line is.
    enum Names: Sendable, Hashable {
        case hashed(HashedHostName)
        case patterns([HostPattern], text: String)
    }

    let marker: Marker
    let names: Names
    let key: HostKey
    let location: KnownHostsLocation

    func matches(_ name: KnownHostName) -> Bool {
        switch names {
        case .hashed(let hashed): hashed.matches(name)
        case .patterns(let patterns, _): HostPattern.list(patterns, matches: name)
        }
    }

    var isHashed: Bool {
        if case .hashed = names { true } else { false }
    }

    var known: KnownHostKey { KnownHostKey(algorithm: key.algorithm, fingerprint: key.fingerprint, location: location) }
}
