/// The server's host key against known_hosts. Source: sshd(8), SSH_KNOWN_HOSTS FILE FORMAT.
enum HostKeyRules {
    static let all = verdicts + files

    static let verdicts: [FailureRule] = [
        FailureRule(
            .hostKeyUnknown, .exact, source: "the fingerprints of --yes", when: { $0.hostKey?.expected.isEmpty == false }
        ) { evidence in
            let expected = (evidence.hostKey?.expected ?? []).map { $0.oneLine() }.listed(3)
            return VerdictText(
                "\(evidence.endpoint) did not present a key with the fingerprint \(expected); it presented \(key(evidence)).",
                hint: "Check the fingerprint with the server's administrator; nothing was written.")
        },
        FailureRule(.hostKeyRevoked, .exact, source: "sshd(8): @revoked", when: { revoked($0) != nil }) {
            let place = revoked($0)?.description ?? ""
            return VerdictText(
                "The host key of \($0.endpoint), \(key($0)), is marked as revoked in \(place.oneLine()).",
                hint: "Do not log in: the holder of this key may not be the server. Ask its administrator for the new key.")
        },
        FailureRule(
            .hostKeyChanged, .exact, source: "SSHConnectionConfiguration.trustedHostKeys", when: { isPinned(changed($0)) }
        ) {
            VerdictText(
                "The host key of \($0.endpoint) is \(key($0)), which is not among the trusted keys: \(pins(changed($0))).",
                hint: pinHint)
        },
        FailureRule(
            .hostKeyOtherTypeKnown, .exact, source: "SSHConnectionConfiguration.trustedHostKeys",
            when: { isPinned(otherType($0)) }
        ) {
            VerdictText(
                "The host key of \($0.endpoint) is \(key($0)), and the trusted ones are of other types: \(pins(otherType($0))).",
                hint: pinHint, alternatives: ["the installed libssh2 cannot verify the trusted type"])
        },
        FailureRule(.hostKeyChanged, .exact, source: "sshd(8)", when: { changed($0) != nil }) { evidence in
            let known = (changed(evidence) ?? []).map { "\($0.fingerprint) (\($0.algorithm)) in \($0.location)".oneLine() }
            return VerdictText(
                "The host key of \(evidence.endpoint) has changed: it is now \(key(evidence)), but known_hosts has \(known.listed(3)).",
                hint: """
                    Another machine may be answering in its place. Only if its administrator confirms the new fingerprint, replace \
                    the old key: \(.replacing(evidence.trustArguments)); or remove it: \
                    \(run: removal(evidence, changed(evidence)?.first?.location), .mayBeWrong)
                    """,
                alternatives: [
                    "the server was reinstalled", "the name or address now belongs to another machine",
                    "another machine answers in the server's place",
                ])
        },
        FailureRule(.hostKeyOtherTypeKnown, .exact, source: "sshd(8)", when: { otherType($0) != nil }) { evidence in
            let known = otherType(evidence) ?? []
            let listed = known.map { "\($0.algorithm) in \($0.location)".oneLine() }.listed(4)
            return VerdictText(
                "\(evidence.endpoint) is known, but not by the key that it presented, \(key(evidence)); known_hosts lists \(listed).",
                hint: "\(comparison(evidence)) Then add it: \(.trusting(evidence.trustArguments))",
                alternatives: ["the server got a key of another type", "the installed libssh2 cannot verify the listed type"])
        },
        FailureRule(
            .hostKeyUnknown, .exact, source: "the answer to the question was no", when: { $0.hostKey?.declined == true }
        ) {
            VerdictText(
                "You answered no: the host key of \($0.endpoint), \(key($0)), is not trusted. No credential was sent.",
                hint: "\(comparison($0)) To trust it later: \(.trusting($0.trustArguments))")
        },
        FailureRule(.hostKeyUnknown, .exact, source: "sshd(8)", when: { $0.hostKey != nil }) { evidence in
            VerdictText(
                "\(evidence.endpoint) is not known yet; it presented the key \(key(evidence)).\(remarks(evidence))",
                hint: "\(comparison(evidence)) If it is the same, \(acceptance(evidence)).\(certificateHint(evidence))")
        },
        FailureRule(.hostKeyUnknown, .guess, source: "no host key in the evidence") {
            VerdictText(
                "The host key of \($0.endpoint) was not accepted.",
                hint: "\(.withMoreLog) to see the key and the files that were read.")
        },
    ]

    static let files: [FailureRule] = [
        FailureRule(
            .hostKeyKnownHostsUnwritable, .exact, source: "open(2), write(2), rename(2)", when: { unwritable($0) != nil }
        ) {
            let (path, number) = unwritable($0) ?? ("", 0)
            let problem = "\(path.oneLine()) cannot be written: \(SystemError.ofFile(number))."
            // Without a key, the file was to be changed, and not a connection made.
            let isKnown = $0.hostKey != nil
            return VerdictText(
                isKnown
                    ? "\($0.endpoint) is not known yet, and its key, \(key($0)), cannot be remembered: \(problem)"
                    : "\(problem) It is unchanged.",
                hint: """
                    \(SystemError.isOutOfSpace(number) ? "Free some space for it" : "Make the file and its directory writable"), \
                    or name another \(commandLine: "known_hosts file", library: .otherFile).
                    """)
        },
        FailureRule(.hostKeyKnownHostsUnreadable, .exact, source: "open(2)") { evidence in
            guard case .knownHostsUnreadable(let path, let number) = evidence.event else {
                return LocalRules.unforeseenText(evidence)
            }
            return VerdictText(
                "The file of host keys \(path.oneLine()) cannot be read: \(SystemError.ofFile(number)).",
                hint: "Check the path and its permissions: \(run: "ls -l \(path.oneLine().shellWord)")")
        },
    ]

    private static func unwritable(_ evidence: SSHEvidence) -> (String, Int32)? {
        guard case .knownHostsUnwritable(let path, let number) = evidence.event else { return nil }
        return (path, number)
    }

    private static func revoked(_ evidence: SSHEvidence) -> SSHKnownHostsLocation? {
        guard case .revoked(let place)? = evidence.hostKey?.verdict else { return nil }
        return place
    }

    private static func changed(_ evidence: SSHEvidence) -> [SSHKnownHostKey]? {
        guard case .changed(_, let known)? = evidence.hostKey?.verdict else { return nil }
        return known
    }

    private static func otherType(_ evidence: SSHEvidence) -> [SSHKnownHostKey]? {
        guard case .otherTypeKnown(let known)? = evidence.hostKey?.verdict else { return nil }
        return known
    }

    /// Whether the program itself gave the trusted keys. In that case no file is read.
    private static func isPinned(_ known: [SSHKnownHostKey]?) -> Bool {
        known?.first?.location.file == SSHKnownHostsLocation.pins
    }

    private static func pins(_ known: [SSHKnownHostKey]?) -> String {
        (known ?? []).map { "\($0.fingerprint) (\($0.algorithm))".oneLine() }.listed(3)
    }

    private static let pinHint: RemedyText =
        "Another machine may be answering in its place. Only if its administrator confirms the key, put it into trustedHostKeys."

    /// The key that the server presented.
    private static func key(_ evidence: SSHEvidence) -> String {
        evidence.hostKey.map { "\($0.fingerprint) (\($0.algorithm))".oneLine() } ?? "a key that was not kept"
    }

    /// The advice on how to see the fingerprint on the server.
    private static func comparison(_ evidence: SSHEvidence) -> RemedyText {
        let type = evidence.hostKey?.algorithm ?? ""
        let name = type.contains("ed25519") ? "ed25519" : type.hasPrefix("ecdsa") ? "ecdsa" : "rsa"
        let command = "ssh-keygen -lf /etc/ssh/ssh_host_\(name)_key.pub"
        return "Compare the fingerprint with the server's own (there: \(run: command, .mayBeWrong, on: .server))."
    }

    /// The advice on how to accept an unknown key.
    private static func acceptance(_ evidence: SSHEvidence) -> RemedyText {
        let policy: RemedyText = "\(option: .hostKeyPolicy, "accept-new", .mayBeWrong, isQuoted: false)"
        let commandLine: RemedyText =
            evidence.subcommand == "trust"
            ? "give it with \(setting: .yes, isQuoted: false)"
            : "remember it: \(.trusting(evidence.trustArguments)); or run again with \(policy)"
        return """
            \(commandLine: commandLine, library: "connect again with the host key policy .acceptNew, or .ask and an SSHInteraction")
            """
    }

    private static func removal(_ evidence: SSHEvidence, _ place: SSHKnownHostsLocation?) -> String {
        let file = place.map { " -f \($0.file.oneLine().shellWord)" } ?? ""
        return "ssh-keygen -R \(evidence.knownHostsName.oneLine().shellWord)\(file)"
    }

    private static func certificateHint(_ evidence: SSHEvidence) -> RemedyText {
        guard case .unknown(_, .some)? = evidence.hostKey?.verdict else { return "" }
        return " \(.openSSH("Or use", "supports host certificates."))"
    }

    /// Other observations about the files that may explain why no line was found.
    private static func remarks(_ evidence: SSHEvidence) -> String {
        guard case .unknown(let skippedLines, let authority)? = evidence.hostKey?.verdict else { return "" }
        var remarks = ""
        if let authority {
            remarks +=
                " \(authority.description.oneLine()) names a certificate authority for it; host certificates are not "
                + "supported."
        }
        if skippedLines > 0 {
            let lines = skippedLines == 1 ? "1 line" : "\(skippedLines) lines"
            remarks += " \(lines) of known_hosts could not be understood and had no effect."
        }
        return remarks
    }
}
