/// The kind of algorithm in a list of ssh's configuration.
package enum AlgorithmKind: Sendable, Hashable, CaseIterable {
    case cipher
    case mac
    /// Key exchange methods.
    case keyExchange
    /// Signature algorithms of host keys and of users' keys.
    case key

    /// The word for one of them in a sentence.
    fileprivate var noun: String {
        switch self {
        case .cipher: "cipher"
        case .mac: "MAC"
        case .keyExchange: "key exchange method"
        case .key: "key algorithm"
        }
    }
}

/// A list of algorithms in ssh's configuration: names, or with `+`, `-` or `^` in front a change to the default ones.
package struct AlgorithmSpecification {
    package let kind: AlgorithmKind
    package let text: String

    /// - Throws: `LineProblem` for a name that OpenSSH does not know; a name that is to be removed need not be known.
    init(_ text: String, _ kind: AlgorithmKind) throws(LineProblem) {
        self.kind = kind
        self.text = text
        guard !text.hasPrefix("-") else { return }
        let names = text.dropFirst(text.hasPrefix("+") || text.hasPrefix("^") ? 1 : 0)
        if names.isEmpty { throw LineProblem("\(text) names no \(kind.noun)") }
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            // Text after an empty name is ignored.
            if name.isEmpty { break }
            guard Self.isKnown(String(name), kind) else { throw LineProblem("ssh knows no \(kind.noun) \(name)") }
        }
    }

    private static func isKnown(_ name: String, _ kind: AlgorithmKind) -> Bool {
        if kind.all.contains(name) || kind.newer.contains(name) { return true }
        // Patterns are for key algorithms only.
        guard kind == .key else { return false }
        if ["RSA", "DSA", "ECDSA", "ED25519", "ECDSA-SK", "ED25519-SK"].contains(name.uppercased()) { return true }
        return kind.all.contains {
            if case .silent = Pattern.list(name, $0) { return false }
            return true
        }
    }

    /// The names in order, without repetitions.
    ///
    /// - Parameters:
    ///   - defaults: the list that `+`, `-` and `^` change.
    ///   - all: the names that patterns match, and that an addition may contain.
    /// - Throws: `LineProblem` if nothing is left, or a name is negated.
    package func assemble(defaults: [String], all: [String]) throws(LineProblem) -> [String] {
        let rest = String(text.dropFirst())
        let patterns: [String]
        switch text.first {
        case "-": return defaults.filter { !Pattern.list(rest, means: $0) }
        case "+": patterns = defaults + Self.names(rest)
        case "^": patterns = Self.names(rest) + defaults
        default: patterns = Self.names(text)
        }
        var result: [String] = []
        for pattern in patterns {
            if pattern.hasPrefix("!") { throw LineProblem("\(text): a name cannot be negated here; remove it with - instead") }
            for name in all where Pattern.fits(pattern, name) && !result.contains(name) { result.append(name) }
        }
        guard !result.isEmpty else { throw LineProblem("\(text) leaves no algorithm") }
        return result
    }

    private static func names(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}

/// The algorithms that OpenSSH 9.2 and 10.0 know and, in the order of preference of 10.0, offer by default.
extension AlgorithmKind {
    /// All algorithms it knows, as `ssh -Q` lists them.
    package var all: [String] {
        switch self {
        case .cipher: Self.allCiphers
        case .mac: Self.allMACs
        case .keyExchange: Self.allKeyExchanges
        case .key: Self.allKeys
        }
    }

    /// What it offers by default, as `ssh -G` prints it.
    package var defaults: [String] {
        switch self {
        case .cipher: Self.defaultCiphers
        case .mac: Self.defaultMACs
        case .keyExchange: Self.defaultKeyExchanges
        case .key: Self.defaultKeys
        }
    }

    /// Algorithms of later OpenSSH versions, which a configuration may therefore name.
    package var newer: [String] {
        self == .keyExchange ? ["mlkem768x25519-sha256", "mlkem768nistp256-sha256", "mlkem1024nistp384-sha384"] : []
    }

    private static let allCiphers = [
        "3des-cbc", "aes128-cbc", "aes192-cbc", "aes256-cbc", "aes128-ctr", "aes192-ctr", "aes256-ctr",
        "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com",
    ]

    private static let allMACs = [
        "hmac-sha1", "hmac-sha1-96", "hmac-sha2-256", "hmac-sha2-512", "hmac-md5", "hmac-md5-96", "umac-64@openssh.com",
        "umac-128@openssh.com", "hmac-sha1-etm@openssh.com", "hmac-sha1-96-etm@openssh.com", "hmac-sha2-256-etm@openssh.com",
        "hmac-sha2-512-etm@openssh.com", "hmac-md5-etm@openssh.com", "hmac-md5-96-etm@openssh.com",
        "umac-64-etm@openssh.com", "umac-128-etm@openssh.com",
    ]

    private static let allKeyExchanges = [
        "diffie-hellman-group1-sha1", "diffie-hellman-group14-sha1", "diffie-hellman-group14-sha256",
        "diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512", "diffie-hellman-group-exchange-sha1",
        "diffie-hellman-group-exchange-sha256", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521",
        "curve25519-sha256", "curve25519-sha256@libssh.org", "sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com",
    ]

    private static let allKeys = [
        "ssh-ed25519", "ssh-ed25519-cert-v01@openssh.com", "sk-ssh-ed25519@openssh.com",
        "sk-ssh-ed25519-cert-v01@openssh.com", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256-cert-v01@openssh.com",
        "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp521",
        "ecdsa-sha2-nistp521-cert-v01@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
        "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com", "webauthn-sk-ecdsa-sha2-nistp256@openssh.com", "ssh-dss",
        "ssh-dss-cert-v01@openssh.com", "ssh-rsa", "ssh-rsa-cert-v01@openssh.com", "rsa-sha2-256",
        "rsa-sha2-256-cert-v01@openssh.com", "rsa-sha2-512", "rsa-sha2-512-cert-v01@openssh.com",
    ]

    private static let defaultCiphers = [
        "chacha20-poly1305@openssh.com", "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes192-ctr",
        "aes256-ctr",
    ]

    private static let defaultMACs = [
        "umac-64-etm@openssh.com", "umac-128-etm@openssh.com", "hmac-sha2-256-etm@openssh.com",
        "hmac-sha2-512-etm@openssh.com", "hmac-sha1-etm@openssh.com", "umac-64@openssh.com", "umac-128@openssh.com",
        "hmac-sha2-256", "hmac-sha2-512", "hmac-sha1",
    ]

    private static let defaultKeyExchanges = [
        "mlkem768x25519-sha256", "sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com", "curve25519-sha256",
        "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521",
        "diffie-hellman-group-exchange-sha256",
        "diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512", "diffie-hellman-group14-sha256",
    ]

    private static let defaultKeys = [
        "ssh-ed25519-cert-v01@openssh.com", "ecdsa-sha2-nistp256-cert-v01@openssh.com",
        "ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp521-cert-v01@openssh.com",
        "sk-ssh-ed25519-cert-v01@openssh.com", "sk-ecdsa-sha2-nistp256-cert-v01@openssh.com",
        "rsa-sha2-512-cert-v01@openssh.com", "rsa-sha2-256-cert-v01@openssh.com", "ssh-ed25519", "ecdsa-sha2-nistp256",
        "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
        "rsa-sha2-512", "rsa-sha2-256",
    ]

    /// The default of CASignatureAlgorithms.
    package static let defaultCASignatures = [
        "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "sk-ssh-ed25519@openssh.com",
        "sk-ecdsa-sha2-nistp256@openssh.com", "rsa-sha2-512", "rsa-sha2-256",
    ]
}
