/// Private key files and the agent, looked at on this side. Sources: ssh-keygen(1), ssh-agent(1), ssh-add(1).
enum CredentialRules {
    static let all = keys + agents

    static let keys: [FailureRule] =
        keyRow(.keyNotFound, .notFound, "There is no key file {path}.") { path in
            "Check the path given with --identity, or make a key: ssh-keygen -t ed25519 -f \(path)"
        }
        + keyRow(.keyUnreadable, .unreadable, "The key file {path} cannot be read.") {
            "Check its owner and permissions: ls -l \($0)"
        }
        + keyRow(.keyIsPublicKey, .isPublicKey, "{path} holds the public half of a key; logging in takes the private half.") {
            $0.hasSuffix(".pub") ? "Give the file without .pub: \($0.dropLast(4))" : "Give the private key file instead."
        }
        + keyRow(.keyFormatUnsupported, .formatUnsupported, "The key {path} is in a format that is not read here.") { _ in
            "Convert it to OpenSSH's format, or make a new key: ssh-keygen -t ed25519"
        }
        + keyRow(.keyFormatInvalid, .formatInvalid, "{path} is not a private key, or it is damaged.") {
            "See what it is: `head -1 \($0)`; restore it from a copy, or make a new key with ssh-keygen."
        }
        + keyRow(.keyPassphraseRequired, .passphraseRequired, "The key {path} is encrypted, and no passphrase was given for it.")
    {
        "Run in a terminal to be asked, give --passphrase-file, or load the key into an agent: ssh-add \($0)"
    }
        + keyRow(.keyPassphraseWrong, .passphraseWrong, "The passphrase does not open the key {path}.") {
            "Check the passphrase: ssh-keygen -y -f \($0)"
        }
        + keyRow(
            .keyCipherUnsupported, .cipherUnsupported, "The key {path} is encrypted in a way that is not supported here."
        ) {
            "Encrypt it anew, with a common cipher and few rounds: ssh-keygen -p -Z aes256-ctr -a 16 -f \($0)"
        }
        + keyRow(.keyTypeUnsupported, .typeUnsupported, "The key {path} is of a type that cannot be used here.") { _ in
            "Use what the message names, or an Ed25519, ECDSA or RSA key: ssh-keygen -t ed25519"
        }
        + keyRow(.keyPublicKeyMismatch, .publicKeyMismatch, "The file {path}.pub belongs to another key than {path}.") {
            "Write the right one: ssh-keygen -y -f \($0) > \($0).pub"
        }
        + keyRow(.keyPermissionsTooOpen, .permissionsTooOpen, "Others can read the private key {path}.") {
            "Keep it to yourself: chmod 600 \($0)"
        }
        + [LocalRules.unforeseen]

    static let agents: [FailureRule] = [
        agentRow(
            .agentUnavailable, .unavailable, "The SSH agent cannot be reached.",
            "Start one and load a key: eval \"$(ssh-agent)\" && ssh-add"),
        agentRow(.agentEmpty, .empty, "The SSH agent holds no key.", "Load one: ssh-add ~/.ssh/id_ed25519"),
        agentRow(
            .agentRefused, .refused, "The SSH agent refused to sign.",
            "Unlock it (ssh-add -X), or confirm the use of the key where the agent asks for it."),
        LocalRules.unforeseen,
    ]

    /// `{path}` in the message stands for the file.
    private static func keyRow(
        _ code: SSHError.Code, _ reason: KeyProblem.Reason, _ message: String,
        hint: @escaping @Sendable (String) -> String
    ) -> [FailureRule] {
        [
            FailureRule(code, .exact, source: "KeyProblem.\(reason.rawValue)", when: { problem($0)?.reason == reason }) {
                evidence in
                guard let problem = problem(evidence) else { return LocalRules.unforeseenWords(evidence) }
                let path = problem.path.oneLine()
                let start = message.split(separator: "{path}", omittingEmptySubsequences: false).joined(separator: path)
                // The detail of these two says the same in other words.
                if reason == .notFound || reason == .passphraseWrong { return Words(start, hint: hint(path.shellWord)) }
                return Words(withDetail(start, problem.detail, problem.systemError), hint: hint(path.shellWord))
            }
        ]
    }

    private static func agentRow(
        _ code: SSHError.Code, _ reason: AgentProblem.Reason, _ message: String, _ hint: String
    ) -> FailureRule {
        FailureRule(code, .exact, source: "AgentProblem.\(reason.rawValue)", when: { agentProblem($0)?.reason == reason }) {
            let problem = agentProblem($0)
            return Words(withDetail(message, problem?.detail ?? "", problem?.systemError), hint: hint)
        }
    }

    private static func problem(_ evidence: Evidence) -> KeyProblem? {
        guard case .keyUnusable(let problem) = evidence.event else { return nil }
        return problem
    }

    private static func agentProblem(_ evidence: Evidence) -> AgentProblem? {
        if case .agentFailed(let problem) = evidence.event { return problem }
        return evidence.authentication?.agentProblem
    }

    private static func withDetail(_ message: String, _ detail: String, _ number: Int32?) -> String {
        let reason = detail.isEmpty ? number.map(SystemError.text) ?? "" : detail.oneLine()
        return reason.isEmpty || reason.ended == message ? message : "\(message) \(reason.sentence.ended)"
    }
}
