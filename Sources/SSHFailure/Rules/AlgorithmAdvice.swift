/// Explains where to get an algorithm that the two sides do not share.
package enum AlgorithmAdvice {
    /// The first libssh2 release with an algorithm, from its RELEASE-NOTES; nil if there is none yet.
    private static let sinceRelease: [String: (Int, Int, Int)] = [
        "rsa-sha2-256": (1, 11, 0), "rsa-sha2-512": (1, 11, 0),
        "aes128-gcm@openssh.com": (1, 11, 0), "aes256-gcm@openssh.com": (1, 11, 0),
        "hmac-sha2-256-etm@openssh.com": (1, 11, 0), "hmac-sha2-512-etm@openssh.com": (1, 11, 0),
        "hmac-sha1-etm@openssh.com": (1, 11, 0),
        "chacha20-poly1305@openssh.com": (1, 11, 1),
        "curve25519-sha256": (1, 9, 0), "curve25519-sha256@libssh.org": (1, 9, 0), "ssh-ed25519": (1, 9, 0),
        "diffie-hellman-group16-sha512": (1, 10, 0), "diffie-hellman-group18-sha512": (1, 10, 0),
        "diffie-hellman-group14-sha256": (1, 10, 0),
    ]

    /// Algorithms that OpenSSH has and libssh2 lacks, with the OpenSSH release that first offers them by default (its release
    /// notes).
    private static let sinceOpenSSH: [String: String] = [
        "sntrup761x25519-sha512@openssh.com": "8.5", "sntrup761x25519-sha512": "9.9", "mlkem768x25519-sha256": "9.9",
        "umac-64-etm@openssh.com": "6.2", "umac-128-etm@openssh.com": "6.2", "umac-64@openssh.com": "4.7",
        "umac-128@openssh.com": "6.2", "sk-ssh-ed25519@openssh.com": "8.2", "sk-ecdsa-sha2-nistp256@openssh.com": "8.2",
        "chacha20-poly1305@openssh.com": "6.5", "aes128-gcm@openssh.com": "6.2", "aes256-gcm@openssh.com": "6.2",
        "hmac-sha2-256-etm@openssh.com": "6.2", "hmac-sha2-512-etm@openssh.com": "6.2", "rsa-sha2-256": "7.2",
        "rsa-sha2-512": "7.2",
    ]

    /// If libssh2 is the limit, OpenSSH's ssh may work.
    private static func otherCarrier(_ server: [String], _ evidence: SSHEvidence) -> RemedyText? {
        guard !evidence.libraryVersion.isEmpty,
            let found = server.first(where: { sinceOpenSSH[$0] != nil && !isInstalled($0, evidence) }),
            let release = sinceOpenSSH[found]
        else { return nil }
        return .openSSH("Or use", "supports \(found) since \(release).")
    }

    /// Whether this is one of OpenSSH's hybrid methods, which at most libssh2's main branch has.
    private static func isPostQuantum(_ name: String) -> Bool { name.hasPrefix("sntrup") || name.hasPrefix("mlkem") }

    /// The OpenSSH release that first has the first method of an offer; nil if the offer has others than post-quantum ones.
    package static func releaseOfOpenSSH(forPostQuantum offer: [String]) -> String? {
        offer.allSatisfy(isPostQuantum) ? offer.first.flatMap { sinceOpenSSH[$0] } : nil
    }

    /// The remedy for a mismatch: another libssh2 or another server setting.
    static func hint(_ mismatch: AlgorithmAgreement.Mismatch, _ evidence: SSHEvidence) -> RemedyText {
        let missed = evidence.setting?.excluded.filter { isInstalled($0, evidence) } ?? []
        if let setting = evidence.setting, missed.isEmpty, !setting.excluded.isEmpty {
            let other: RemedyText = otherCarrier(setting.excluded, evidence).map { " \($0)" } ?? ""
            return "Remove your setting \(evidence.settingText), or update libssh2; \(installed(evidence)).\(other)"
        }
        if let first = missed.first {
            return "Remove your setting \(evidence.settingText), or add \(first.oneLine(60)) to it: the server offers that."
        }
        var advice: [RemedyText] = []
        if let found = newerLibrary(mismatch.server, evidence) {
            advice.append("libssh2 \(found.release) or later has \(found.name); \(installed(evidence)).")
        }
        if mismatch.kind == .keyExchange, !mismatch.server.isEmpty, mismatch.server.allSatisfy(isPostQuantum) {
            advice.append("No release of libssh2 has post-quantum key exchange yet.")
        }
        if !mismatch.server.isEmpty, mismatch.server.allSatisfy({ WeakAlgorithm.named($0, mismatch.kind)?.isObsolete == true }) {
            advice.append("The server offers only algorithms that are no longer safe; update it.")
        }
        if mismatch.kind == .compression {
            advice.append(
                """
                On the server, "\(line: "Compression no", isQuoted: false)" or "\(line: "Compression delayed", isQuoted: false)" \
                in sshd_config allows connections without it.
                """)
        } else if let sound = mismatch.client.first(where: { WeakAlgorithm.named($0, mismatch.kind) == nil }) {
            let keyword = mismatch.kind.serverKeyword
            // A plus sign adds to sshd's default list (sshd_config(5)), so the line works on its own.
            advice.append(
                mismatch.kind == .hostKey
                    ? "On the server, add \(sound) to \(setting: keyword) in sshd_config, with a host key of that type."
                    : "In the server's sshd_config, in place of the line \(setting: keyword): \(line: "\(keyword) +\(sound)").")
        }
        if let other = otherCarrier(mismatch.server, evidence) { advice.append(other) }
        return advice.isEmpty ? "Offer a \(mismatch.kind.words) that the server has." : .joined(advice)
    }

    private static func isInstalled(_ name: String, _ evidence: SSHEvidence) -> Bool {
        if isPostQuantum(name) || name.hasPrefix("umac-") || name.hasPrefix("sk-") { return false }
        return sinceRelease[name].map { !evidence.libraryIsOlder(than: $0.0, $0.1, $0.2) } ?? true
    }

    private static func newerLibrary(_ server: [String], _ evidence: SSHEvidence) -> (name: String, release: String)? {
        let candidates = server.compactMap { name in sinceRelease[name].map { (name, $0) } }
            .filter { evidence.libraryIsOlder(than: $0.1.0, $0.1.1, $0.1.2) }
        guard let best = candidates.min(by: { $0.1 < $1.1 }) else { return nil }
        return (best.0, "\(best.1.0).\(best.1.1).\(best.1.2)")
    }

    private static func installed(_ evidence: SSHEvidence) -> String {
        evidence.libraryVersion.isEmpty ? "the installed one is older" : "here it is \(evidence.libraryVersion)"
    }
}

/// The result of negotiation between two SSH_MSG_KEXINIT messages (RFC 4253 section 7.1).
package enum AlgorithmAgreement {
    /// A kind of algorithm that both sides must share.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case keyExchange, hostKey, cipher, mac, compression

        /// The kind's name in a sentence.
        var words: String {
            switch self {
            case .keyExchange: "key exchange method"
            case .hostKey: "host key algorithm"
            case .cipher: "cipher"
            case .mac: "message authentication code"
            case .compression: "compression method"
            }
        }

        /// The keyword of sshd_config(5).
        package var serverKeyword: String {
            switch self {
            case .keyExchange: "KexAlgorithms"
            case .hostKey: "HostKeyAlgorithms"
            case .cipher: "Ciphers"
            case .mac: "MACs"
            case .compression: "Compression"
            }
        }
    }

    /// The first kind without a shared algorithm.
    package struct Mismatch: Sendable, Hashable {
        package let kind: Kind
        /// `client to server` or `server to client`; nil for kinds without a direction.
        let direction: String?
        let client: [String]
        package let server: [String]
    }

    /// The first mismatch between the two sides; nil if there is none, or if a side's lists are unknown.
    package static func mismatch(_ evidence: SSHEvidence) -> Mismatch? {
        guard let client = evidence.clientAlgorithms, let server = evidence.serverAlgorithms else { return nil }
        let up = "client to server"
        let down = "server to client"
        return missing(.keyExchange, nil, client.keyExchange, server.keyExchange)
            ?? missing(.hostKey, nil, client.hostKey, server.hostKey)
            ?? missing(.cipher, up, client.cipherToServer, server.cipherToServer)
            ?? missing(.cipher, down, client.cipherToClient, server.cipherToClient)
            ?? (needsMAC(client.cipherToServer, server.cipherToServer, evidence)
                ? missing(.mac, up, client.macToServer, server.macToServer) : nil)
            ?? (needsMAC(client.cipherToClient, server.cipherToClient, evidence)
                ? missing(.mac, down, client.macToClient, server.macToClient) : nil)
            ?? missing(.compression, up, client.compressionToServer, server.compressionToServer)
            ?? missing(.compression, down, client.compressionToClient, server.compressionToClient)
    }

    /// The client's first choice that the server has too.
    static func chosen(_ client: [String], _ server: [String]) -> String? {
        let offered = Set(server)
        return client.first { offered.contains($0) && !isMarker($0) }
    }

    private static func missing(_ kind: Kind, _ direction: String?, _ client: [String], _ server: [String]) -> Mismatch? {
        guard chosen(client, server) == nil else { return nil }
        return Mismatch(
            kind: kind, direction: direction, client: client.filter { !isMarker($0) }, server: server.filter { !isMarker($0) })
    }

    /// Whether a MAC must be negotiated. A cipher with built-in authentication needs none (RFC 5647 section 5.1, OpenSSH PROTOCOL
    /// section 1.6). But libssh2 1.11 requires a common MAC for chacha20-poly1305 too, and fails without one
    /// (`_libssh2_mac_override` in its mac.c).
    private static func needsMAC(_ client: [String], _ server: [String], _ evidence: SSHEvidence) -> Bool {
        guard let cipher = chosen(client, server) else { return true }
        if cipher.mentions("poly1305") { return evidence.libraryError == .kexFailure }
        return !authenticatesByItself(cipher)
    }

    /// Whether the cipher has built-in authentication, so that it needs no MAC.
    package static func authenticatesByItself(_ cipher: String) -> Bool {
        cipher.mentions("gcm") || cipher.mentions("poly1305")
    }

    /// Whether a name in the list of key exchange methods is only a marker (RFC 8308 section 2.1, OpenSSH PROTOCOL section 1.10).
    package static func isMarker(_ name: String) -> Bool {
        name.hasPrefix("ext-info-") || name.hasPrefix("kex-strict-")
    }
}

/// An algorithm that should not be used any more, with reason and source.
package struct WeakAlgorithm: Sendable, Hashable {
    /// Its name on the wire.
    package let name: String
    /// The weakness, as text after a colon.
    package let reason: String
    /// The source: an RFC, a publication, or release notes.
    package let source: String
    /// Whether it is so weak that it is offered only on request. Other algorithms in the table are merely being phased out.
    package let isObsolete: Bool

    /// The first row for this algorithm; nil for a sound or unknown one.
    static func named(_ name: String, _ kind: AlgorithmAgreement.Kind) -> WeakAlgorithm? {
        rows.first { $0.kind == kind && $0.matches(name) }
            .map { WeakAlgorithm(name: name, reason: $0.reason, source: $0.source, isObsolete: $0.isObsolete) }
    }

    /// The weak algorithms in a list, in its order.
    package static func among(_ names: [String], _ kind: AlgorithmAgreement.Kind) -> [WeakAlgorithm] {
        names.compactMap { named($0, kind) }
    }
}

extension WeakAlgorithm {
    /// Names of one kind; `*` at either end matches any characters.
    struct Row: Sendable {
        let kind: AlgorithmAgreement.Kind
        let patterns: [String]
        let reason: String
        let source: String
        var isObsolete = true

        func matches(_ name: String) -> Bool {
            patterns.contains { Pattern.fits($0, name) }
        }
    }

    private static let sha1Collisions = "SHA-1, for which collisions can be made"

    /// The first matching row applies.
    static let rows: [Row] = [
        // Key exchange
        Row(
            kind: .keyExchange, patterns: ["diffie-hellman-group1-sha1", "gss-group1-sha1-*"],
            reason: "SHA-1, and a prime of 1024 bits that many servers share and state attackers can break",
            source: "RFC 9142; Logjam (CVE-2015-4000)"),
        Row(
            kind: .keyExchange, patterns: ["rsa1024-sha1"], reason: "SHA-1, and an RSA key of 1024 bits",
            source: "RFC 9142"),
        Row(
            kind: .keyExchange,
            patterns: [
                "diffie-hellman-group14-sha1", "gss-group14-sha1-*", "diffie-hellman-group-exchange-sha1", "gss-gex-sha1-*",
            ],
            reason: sha1Collisions, source: "RFC 9142"),
        Row(kind: .keyExchange, patterns: ["*-sha1", "*-sha1-*"], reason: sha1Collisions, source: "RFC 9142"),
        // Host keys
        Row(
            kind: .hostKey, patterns: ["ssh-dss", "ssh-dss-cert-*"],
            reason: "DSA with 1024 bits and SHA-1", source: "FIPS 186-5; OpenSSH 7.0 release notes"),
        Row(
            kind: .hostKey, patterns: ["ssh-rsa", "ssh-rsa-cert-*"],
            reason: "signatures with SHA-1, for which collisions can be made", source: "RFC 8332; OpenSSH 8.8 release notes",
            isObsolete: false),
        // Ciphers
        Row(kind: .cipher, patterns: ["none"], reason: "no encryption", source: "RFC 4253 section 6.3"),
        Row(kind: .cipher, patterns: ["arcfour*"], reason: "RC4, whose output leaks the text", source: "RFC 8758"),
        Row(
            kind: .cipher, patterns: ["3des-*", "des-*", "blowfish-*", "cast128-*", "idea-*"],
            reason: "blocks of 64 bits, which repeat in long sessions",
            source: "Sweet32 (CVE-2016-2183); NIST SP 800-131A"),
        Row(
            kind: .cipher, patterns: ["*-cbc", "rijndael-cbc@*"],
            reason: "blocks chained so that some of the text can be recovered",
            source: "CVE-2008-5161; OpenSSH 6.7 release notes"),
        // MACs
        Row(kind: .mac, patterns: ["none"], reason: "no protection of the data", source: "RFC 4253 section 6.4"),
        Row(kind: .mac, patterns: ["hmac-md5*"], reason: "MD5, which is broken", source: "RFC 6151; OpenSSH 7.2 release notes"),
        Row(
            kind: .mac, patterns: ["hmac-ripemd160*"], reason: "RIPEMD-160, which OpenSSH has dropped",
            source: "OpenSSH 7.6 release notes"),
        Row(
            kind: .mac, patterns: ["*-96", "*-96-etm@*"], reason: "a tag cut to 96 bits", source: "OpenSSH 7.2 release notes"),
        Row(
            kind: .mac, patterns: ["hmac-sha1*"], reason: "SHA-1, which is to be phased out by the end of 2030",
            source: "NIST SP 800-131A; NIST announcement of 2022-12-15", isObsolete: false),
        Row(
            kind: .mac, patterns: ["umac-64*"], reason: "a tag of 64 bits only", source: "RFC 4418",
            isObsolete: false),
    ]
}
