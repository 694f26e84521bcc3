#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Local problems with private key files and the agent. Sources: ssh-keygen(1), ssh-agent(1), ssh-add(1).
enum CredentialRules {
    static let all = keys + agents

    static let keys: [FailureRule] =
        keyRow(.keyNotFound, .notFound, "There is no key file {path}.") { path, evidence in
            // ssh-keygen does not create directories.
            problem(evidence)?.detail == SSHKeyProblem.lacksDirectory
                ? "Check the path given \(source(evidence)): its directory does not exist."
                : "Check the path given \(source(evidence)), or make a key: \(run: "ssh-keygen -t ed25519 -f \(path)")"
        }
        + keyRow(.keyUnreadable, .unreadable, "The key file {path} cannot be read.") { path, evidence in
            isDirectory(evidence)
                ? "Name the key file in it: \(run: "ls \(path)")" : "Check its owner and permissions: \(run: "ls -l \(path)")"
        }
        + keyRow(.keyIsPublicKey, .isPublicKey, "{path} holds a public key; authentication needs the private key.") { path, _ in
            path.hasSuffix(".pub")
                ? "Give the file without .pub: \(String(path.dropLast(4)))" : "Give the private key file instead."
        }
        + keyRow(.keyFormatUnsupported, .formatUnsupported, "The key {path} is in a format that is not supported.") { _, _ in
            "Convert it to OpenSSH's format, or make a new key: \(run: "ssh-keygen -t ed25519")"
        }
        + keyRow(.keyFormatInvalid, .formatInvalid, "{path} is not a private key, or it is damaged.") { path, _ in
            "See what it is: \(run: "head -1 \(path)"); restore it from a copy, or make a new key."
        }
        + keyRow(.keyPassphraseRequired, .passphraseRequired, "The key {path} is encrypted, and no passphrase was given for it.")
    { path, _ in
        """
        \(commandLine: "Run in a terminal to be asked", library: .askingInteraction), give \(option: .passphraseFile, "FILE"), \
        or load the key into an agent: \(run: "ssh-add \(path)")
        """
    }
        + keyRow(.keyPassphraseWrong, .passphraseWrong, "The passphrase does not decrypt the key {path}.") { path, _ in
            "Check the passphrase: \(run: "ssh-keygen -y -f \(path)")"
        }
        + keyRow(
            .keyCipherUnsupported, .cipherUnsupported, "The encryption of the key {path} is not supported."
        ) { path, _ in
            "Encrypt it again, with a common cipher and few rounds: \(run: "ssh-keygen -p -Z aes256-ctr -a 16 -f \(path)")"
        }
        + keyRow(.keyTypeUnsupported, .typeUnsupported, "The key {path} is of a type that is not supported.") {
            _, evidence in
            let given: RemedyText = evidence.setting == nil ? "" : "It is given \(source(evidence)). "
            return """
                \(given)Use a type that the message names, or an Ed25519, ECDSA or RSA key: \(run: "ssh-keygen -t ed25519"). \
                \(.openSSH("Or use", "supports more types."))
                """
        }
        + keyRow(.keyPublicKeyMismatch, .publicKeyMismatch, "The file {path}.pub belongs to another key than {path}.") {
            path, _ in
            "Write it again: \(run: "ssh-keygen -y -f \(path) > \(path).pub")"
        }
        + keyRow(.keyPermissionsTooOpen, .permissionsTooOpen, "Other users can read the private key {path}.") { path, _ in
            "Make it private: \(run: "chmod 600 \(path)")"
        }
        + [LocalRules.unforeseen]

    static let agents = [agentUnavailable, agentEmpty, agentRefused, LocalRules.unforeseen]

    static let agentUnavailable = agentRow(
        .agentUnavailable, .unavailable, "The SSH agent cannot be reached.",
        "Start one and load a key: \(run: "eval \"$(ssh-agent)\" && ssh-add")")
    private static let agentEmpty = agentRow(
        .agentEmpty, .empty, "The SSH agent holds no key.",
        "Load one: \(run: "ssh-add"); a locked agent shows none: \(run: "ssh-add -X")")
    static let agentRefused = agentRow(
        .agentRefused, .refused, "The SSH agent refused to sign.",
        "Confirm the use of the key when the agent asks for it; the agent's log may contain more.")

    /// `{path}` in the message is replaced by the file's path. Other clients do not always name the file.
    private static func keyRow(
        _ code: SSHError.Code, _ reason: SSHKeyProblem.Reason, _ message: String,
        hint: @escaping @Sendable (_ path: String, SSHEvidence) -> RemedyText
    ) -> [FailureRule] {
        [
            FailureRule(code, .exact, source: "SSHKeyProblem.\(reason.rawValue)", when: { problem($0)?.reason == reason }) {
                evidence in
                guard let problem = problem(evidence) else { return LocalRules.unforeseenText(evidence) }
                let path = problem.path.oneLine()
                let start = path.isEmpty ? unnamed(message) : message.replacing("{path}", with: path)
                // For these, the detail repeats the message.
                let isSaid = [.notFound, .passphraseWrong, .passphraseRequired].contains(reason)
                return VerdictText(
                    isSaid ? start : withDetail(start, problem.detail, problem.systemError),
                    hint: problem.path == SSHKeyProblem.inMemory
                        ? memoryHint(reason) : hint(path.isEmpty ? placeholder : path.shellWord, evidence))
            }
        ]
    }

    /// The name of a file in a command if it is not known.
    private static let placeholder = "FILE"

    /// The message about a file without a name.
    private static func unnamed(_ message: String) -> String {
        if message.contains("{path}.pub") { return message.replacing("{path}", with: placeholder) }
        let message = message.replacing(" {path}", with: "")
        return message.hasPrefix("{path}") ? message.replacing("{path}", with: "The file") : message
    }

    /// The remedy for a key in memory: there is no file for a command.
    private static func memoryHint(_ reason: SSHKeyProblem.Reason) -> RemedyText {
        switch reason {
        case .passphraseRequired: "Give its passphrase with it: SSHIdentity(privateKey:passphrase:)."
        case .passphraseWrong: "Check the passphrase."
        case .cipherUnsupported: "Give it encrypted with a common cipher and few rounds, or decrypted."
        case .typeUnsupported: "Give an Ed25519, ECDSA or RSA key."
        default: "Give the whole content of a private key file: OpenSSH's format, PEM or PKCS #8."
        }
    }

    private static func agentRow(
        _ code: SSHError.Code, _ reason: SSHAgentProblem.Reason, _ message: String, _ hint: RemedyText
    ) -> FailureRule {
        FailureRule(code, .exact, source: "SSHAgentProblem.\(reason.rawValue)", when: { agentProblem($0)?.reason == reason }) {
            let problem = agentProblem($0)
            return VerdictText(withDetail(message, problem?.detail ?? "", problem?.systemError), hint: hint)
        }
    }

    /// The source of the path.
    private static func source(_ evidence: SSHEvidence) -> RemedyText {
        evidence.setting == nil
            ? "\(commandLine: "with", library: "in") \(setting: .identity, isQuoted: false)" : "by \(evidence.settingText)"
    }

    private static func isDirectory(_ evidence: SSHEvidence) -> Bool { problem(evidence)?.systemError == EISDIR }

    private static func problem(_ evidence: SSHEvidence) -> SSHKeyProblem? {
        guard case .keyUnusable(let problem) = evidence.event else { return nil }
        return problem
    }

    private static func agentProblem(_ evidence: SSHEvidence) -> SSHAgentProblem? {
        if case .agentFailed(let problem) = evidence.event { return problem }
        return evidence.authentication?.agentProblem
    }

    private static func withDetail(_ message: String, _ detail: String, _ number: Int32?) -> String {
        let reason = detail.isEmpty ? number.map(SystemError.text) ?? "" : detail.oneLine()
        return reason.isEmpty || reason.ended == message ? message : "\(message) \(reason.sentence.ended)"
    }
}

/// Certificates that a server refused. The server never gives a reason, but the certificate's own content often explains it.
enum CertificateRules {
    static let refused: [FailureRule] = [
        FailureRule(
            .authKeyRejected, .likely, source: "OpenSSH sshkey.c: sshkey_cert_check_authority",
            when: { AuthenticationRules.refused($0, "publickey") && $0.login.lastDefective != nil }
        ) { evidence in
            let attempt = evidence.login.lastDefective
            let defect = attempt?.certificateDefect
            return VerdictText(
                "\(evidence.server) did not accept \(attempt?.described ?? "the certificate") for \(evidence.person): "
                    + "\(defect?.detail.oneLine(300) ?? "").",
                hint: remedy(defect, evidence), alternatives: alternatives)
        },
        FailureRule(
            .authKeyRejected, .exact, source: "RFC 4252 section 7; OpenSSH PROTOCOL.certkeys",
            when: { AuthenticationRules.refused($0, "publickey") && $0.login.lastRefused?.isCertificate == true }
        ) { evidence in
            VerdictText(
                AuthenticationRules.refusal(evidence, unnamed: "the certificate"),
                hint: """
                    See that \(setting: "TrustedUserCAKeys") in sshd_config there names the authority that signed it; sshd's log says \
                    why it refused.
                    """,
                alternatives: alternatives + AuthenticationRules.keyAlternatives(evidence))
        },
    ]

    private static let alternatives = [
        "the server does not trust the authority that signed the certificate (TrustedUserCAKeys)",
        "the server expects other principals (AuthorizedPrincipalsFile)", "the certificate is revoked there (RevokedKeys)",
    ]

    private static func remedy(_ defect: SSHCertificateDefect?, _ evidence: SSHEvidence) -> RemedyText {
        switch defect?.reason {
        case .otherPrincipals, nil:
            "Have the key certified for \(evidence.userWord), or log in as one of those."
        case .notYetValid: "Wait until then, check this machine's clock, or have the key certified again."
        case .expired: "Have the key certified again, or check this machine's clock."
        }
    }

    /// Certificates that are available but that this libssh2 cannot offer. The server may require one of them.
    static func notOffered(_ evidence: SSHEvidence) -> [String] {
        evidence.login.keyProblems.filter { $0.reason == .typeUnsupported && $0.path.hasSuffix("-cert.pub") }.map {
            "the certificate \($0.path.oneLine(200)) could not be offered: \($0.detail.oneLine(300))"
        }
    }
}
