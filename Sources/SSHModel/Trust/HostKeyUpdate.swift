/// What became of the host keys that a server announced and known_hosts did not have (UpdateHostKeys in ssh_config(5)).
package struct HostKeyUpdate: Sendable, Hashable {
    /// A key that known_hosts has from now on.
    package struct LearnedKey: Sendable, Hashable {
        package let key: SSHHostKey
        package let location: SSHKnownHostsLocation

        package init(_ key: SSHHostKey, _ location: SSHKnownHostsLocation) { (self.key, self.location) = (key, location) }
    }

    /// The announced keys that known_hosts did not have.
    package var announced: [SSHHostKey]
    /// Those of them that it has now.
    package var learned: [LearnedKey] = []
    /// Why the others are not known; empty if all are.
    package var reason = ""

    package init(announced: [SSHHostKey]) { self.announced = announced }

    /// The keys that known_hosts still does not have.
    package var missing: [SSHHostKey] { announced.filter { key in !learned.contains { $0.key == key } } }

    /// The update as sentences.
    package var sentences: [String] {
        var sentences = learned.map { "The server announces the host key \($0.key.name). It is now known: \($0.location)" }
        if !missing.isEmpty {
            let one = missing.count == 1
            sentences.append(
                "The server announces \(one ? "a host key" : "\(missing.count) host keys") that known_hosts does not have: "
                    + "\(missing.map(\.name).joined(separator: ", ")). \(one ? "It was" : "They were") not added: \(reason).")
        }
        return sentences
    }
}

extension SSHHostKey {
    /// The key for a sentence: `ED25519 SHA256:…`.
    package var name: String { "\(PublicKeyAlgorithm.displayName(of: algorithm)) \(fingerprint)" }
}
