internal import Crypto

/// A server's public key, as on the wire and in known_hosts (RFC 4253 section 6.6).
public struct SSHHostKey: Sendable, Hashable, Codable {
    /// The key's type: `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa` and others.
    ///
    /// This is the key's type, not a signature algorithm: the three RSA signature algorithms all belong to `ssh-rsa` keys.
    public let algorithm: String
    /// The public key blob, which begins with its type.
    public let blob: [UInt8]

    /// Makes a key of this type and blob. The names of RSA signatures with SHA-2 mean the type `ssh-rsa`.
    public init(algorithm: String, blob: [UInt8]) {
        self.algorithm = SSHHostKey.keyType(ofAlgorithm: algorithm)
        self.blob = blob
    }

    /// Makes a host key from a public key.
    public init(_ key: SSHPublicKey) { self.init(algorithm: key.algorithm, blob: key.blob) }

    /// `SHA256:` and the unpadded base64 of the blob's hash, as `ssh-keygen -l` prints it.
    public var fingerprint: String {
        "SHA256:" + Base64.encode(Array(SHA256.hash(data: blob)), padded: false)
    }

    /// The key type for signatures of `algorithm` (RFC 8332 section 3 for RSA).
    package static func keyType(ofAlgorithm algorithm: String) -> String {
        switch algorithm {
        case "rsa-sha2-256", "rsa-sha2-512": "ssh-rsa"
        default: algorithm
        }
    }
}

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
    /// The announced keys that known_hosts has now.
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
