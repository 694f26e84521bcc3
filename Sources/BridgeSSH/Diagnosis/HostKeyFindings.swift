/// Findings about the server's host key.
enum HostKeyFindings {
    static func all(_ seen: Observations) -> [SSHFinding] {
        guard let key = seen.evidence?.hostKey else { return [] }
        var findings: [SSHFinding] = []
        let name = "\(PublicKeyAlgorithm.displayName(of: key.algorithm)) \(key.fingerprint)"
        let details: [SSHFinding.Detail] =
            [.init("keyType", .text(key.algorithm)), .init("fingerprint", .text(key.fingerprint))]
            + (key.bits.map { [.init("bits", .integer($0))] } ?? [])
        switch key.verdict {
        case .trusted(let place):
            var details = details
            details += [
                .init("location", .text(place.description)), .init("hashed", .flag(seen.facts.hostNameIsHashed)),
                .init("isNew", .flag(seen.facts.hostKeyWasNew)),
            ]
            let known =
                seen.facts.hostKeyWasNew
                ? SSHFinding(
                    .hostKey, .notice, "\(name) was not known; it is now, at \(place).",
                    advice: "Compare it with what the server's administrator tells you.", details: details)
                : SSHFinding(
                    .hostKey, .ok,
                    "\(name) is known: \(place)\(seen.facts.hostNameIsHashed ? " (the name is hashed)" : "").", details: details)
            findings.append(known)
            if seen.trustedFileIsWritable {
                findings.append(
                    SSHFinding(
                        .hostKey, .weak,
                        "Other users can change \(PrintableText.escape(place.file)), and so decide which servers you trust.",
                        remedy: "Remove their write permission: \(run: "chmod go-w \(place.file.shellWord)")"))
            }
            findings += announced(seen)
        case .unknown where seen.facts.hostKeyWasNew:
            findings.append(
                SSHFinding(
                    .hostKey, .notice, "\(name) is not known. It was accepted once, and could not be stored.",
                    advice: "Make the known_hosts file writable, or add the key to it.", details: details))
        case .changed, .revoked, .otherTypeKnown, .unknown:
            // The error supplies the text.
            findings.append(SSHFinding(.hostKey, .failed, "", details: details + known(key.verdict)))
        }
        if key.algorithm == PublicKeyAlgorithm.rsa, let bits = key.bits, bits < WeakKey.minimumRSABits {
            findings.append(
                SSHFinding(
                    .hostKey, .weak, WeakKey.text("The host key", bits),
                    advice: "On the server, make an Ed25519 key in its place."))
        }
        return findings
    }

    /// A server announces a key before it starts to use it: OpenSSH's way to replace a host key (UpdateHostKeys).
    private static func announced(_ seen: Observations) -> [SSHFinding] {
        guard let update = seen.facts.hostKeyUpdate, !update.announced.isEmpty else { return [] }
        let texts = { (keys: [SSHHostKey]) in keys.map { "\($0.algorithm) \($0.fingerprint)" } }
        let isDone = update.missing.isEmpty
        return [
            SSHFinding(
                .hostKey, isDone ? .info : .notice,
                update.sentences.map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " ")
                    + (isDone ? "" : " It may show such a key later."),
                remedy: isDone
                    ? ""
                    : """
                    \(commandLine: "bridge-ssh trust shows and", library: "SSHKnownHostsWriter.add") remembers them; with UpdateHostKeys \
                    yes every run adds those that are proven.
                    """,
                details: [
                    .init("announced", .texts(texts(update.announced))),
                    .init("learned", .texts(texts(update.learned.map(\.key)))),
                ])
        ]
    }

    private static func known(_ verdict: SSHHostKeyVerdict) -> [SSHFinding.Detail] {
        switch verdict {
        case .changed(_, let keys), .otherTypeKnown(let keys):
            [.init("known", .texts(keys.map { "\($0.algorithm) \($0.fingerprint) \($0.location)" }))]
        case .revoked(let place): [.init("location", .text(place.description))]
        case .trusted, .unknown: []
        }
    }
}

/// Checks the length of keys.
enum WeakKey {
    /// NIST SP 800-131A revision 2, section 3, disallows fewer bits.
    static let minimumRSABits = 2048

    static func text(_ subject: String, _ bits: Int) -> String {
        "\(subject) is an RSA key of \(bits) bits; less than \(minimumRSABits) can be broken (NIST SP 800-131A)."
    }
}
