/// Where to get an algorithm that both sides lack.
enum AlgorithmAdvice {
    /// The first release of libssh2 that has an algorithm (its RELEASE-NOTES); nil: none yet.
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

    /// What OpenSSH has and no libssh2, with the release since which its ssh offers it by itself (its release notes).
    private static let sinceOpenSSH: [String: String] = [
        "sntrup761x25519-sha512@openssh.com": "8.5", "sntrup761x25519-sha512": "9.9", "mlkem768x25519-sha256": "9.9",
        "umac-64-etm@openssh.com": "6.2", "umac-128-etm@openssh.com": "6.2", "umac-64@openssh.com": "4.7",
        "umac-128@openssh.com": "6.2", "sk-ssh-ed25519@openssh.com": "8.2", "sk-ecdsa-sha2-nistp256@openssh.com": "8.2",
        "chacha20-poly1305@openssh.com": "6.5", "aes128-gcm@openssh.com": "6.2", "aes256-gcm@openssh.com": "6.2",
        "hmac-sha2-256-etm@openssh.com": "6.2", "hmac-sha2-512-etm@openssh.com": "6.2", "rsa-sha2-256": "7.2",
        "rsa-sha2-512": "7.2",
    ]

    /// Where libssh2 is the limit, OpenSSH's ssh may be none.
    private static func otherCarrier(_ server: [String], _ evidence: SSHEvidence) -> String? {
        guard !evidence.libraryVersion.isEmpty,
            let found = server.first(where: { sinceOpenSSH[$0] != nil && !isInstalled($0, evidence) }),
            let release = sinceOpenSSH[found]
        else { return nil }
        return "Or give `--via ssh`: OpenSSH's ssh, which makes the connection then, has \(found) since \(release)."
    }

    /// OpenSSH's hybrid methods: on libssh2's main branch at most.
    private static func isPostQuantum(_ name: String) -> Bool { name.hasPrefix("sntrup") || name.hasPrefix("mlkem") }

    /// The remedy for a mismatch: another libssh2, or another setting on the server.
    static func hint(_ mismatch: AlgorithmAgreement.Mismatch, _ evidence: SSHEvidence) -> String {
        let missed = evidence.setting?.excluded.filter { isInstalled($0, evidence) } ?? []
        if let setting = evidence.setting, missed.isEmpty, !setting.excluded.isEmpty {
            let other = otherCarrier(setting.excluded, evidence).map { " \($0)" } ?? ""
            return "Remove your setting \(evidence.settingWords), or update libssh2; \(installed(evidence)).\(other)"
        }
        if let first = missed.first {
            return "Remove your setting \(evidence.settingWords), or add \(first.oneLine(60)) to it: the server offers that."
        }
        var advice: [String] = []
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
                "On the server, \"Compression no\" or \"Compression delayed\" in sshd_config allows connections without it.")
        } else if let sound = mismatch.client.first(where: { WeakAlgorithm.named($0, mismatch.kind) == nil }) {
            let keyword = mismatch.kind.serverKeyword
            // A plus sign adds to what sshd has by default (sshd_config(5)), so the line stands for itself.
            advice.append(
                mismatch.kind == .hostKey
                    ? "On the server, add \(sound) to \(keyword) in sshd_config, with a host key of that type."
                    : "In the server's sshd_config, in place of the line \(keyword): `\(keyword) +\(sound)`.")
        }
        if let other = otherCarrier(mismatch.server, evidence) { advice.append(other) }
        return advice.isEmpty ? "Offer a \(mismatch.kind.words) that the server has." : advice.joined(separator: " ")
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
