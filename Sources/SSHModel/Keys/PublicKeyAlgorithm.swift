/// The names of public key algorithms, and the facts that follow from a name alone.
package enum PublicKeyAlgorithm {
    package static let ed25519 = "ssh-ed25519"
    package static let rsa = "ssh-rsa"
    package static let dsa = "ssh-dss"
    package static let rsaSHA256 = "rsa-sha2-256"
    package static let rsaSHA512 = "rsa-sha2-512"

    /// The signature algorithms of a key or certificate of this type: an RSA key has three (RFC 8332), all others one.
    package static func signatures(of algorithm: String) -> [String] {
        guard plain(algorithm) == rsa else { return [algorithm] }
        return [rsaSHA512, rsaSHA256, rsa].map { isCertificate(algorithm) ? $0 + certificateSuffix : $0 }
    }

    private static let certificateSuffix = "-cert-v01@openssh.com"

    /// The key types that OpenSSH knows, with OpenSSH's names for them.
    private static let words: [String: String] = [
        ed25519: "ED25519", rsa: "RSA", dsa: "DSA",
        "sk-ssh-ed25519@openssh.com": "ED25519-SK", "sk-ecdsa-sha2-nistp256@openssh.com": "ECDSA-SK",
        "sk-ssh-ed25519-cert-v01@openssh.com": "ED25519-SK-CERT",
        "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com": "ECDSA-SK-CERT",
        "ecdsa-sha2-nistp256": "ECDSA", "ecdsa-sha2-nistp384": "ECDSA", "ecdsa-sha2-nistp521": "ECDSA",
    ]

    package static func displayName(of algorithm: String) -> String {
        if let word = words[algorithm] { return word }
        guard isCertificate(algorithm), let word = words[String(algorithm.dropLast(certificateSuffix.count))] else {
            return algorithm
        }
        return word + "-CERT"
    }

    /// The algorithm of a key whose type OpenSSH names so. All curves of ECDSA have one type: the result is one of them.
    package static func algorithm(ofType name: String) -> String {
        words.filter { $0.value == name }.keys.min() ?? name
    }

    /// Whether a file that begins with this word is a public key in OpenSSH's one-line format.
    package static func isKnown(_ algorithm: String) -> Bool { displayName(of: algorithm) != algorithm }

    package static func isCertificate(_ algorithm: String) -> Bool { algorithm.hasSuffix(certificateSuffix) }

    /// The algorithm of the key in a certificate (PROTOCOL.certkeys). Other algorithms are returned unchanged.
    package static func plain(_ algorithm: String) -> String {
        guard isCertificate(algorithm) else { return algorithm }
        let name = String(algorithm.dropLast(certificateSuffix.count))
        return name.hasPrefix("sk-") ? name + "@openssh.com" : name
    }

    /// Whether the private half of such a key stays in a FIDO device (OpenSSH PROTOCOL.u2f).
    package static func isSecurityKey(_ algorithm: String) -> Bool { algorithm.hasPrefix("sk-") && isKnown(algorithm) }
}
