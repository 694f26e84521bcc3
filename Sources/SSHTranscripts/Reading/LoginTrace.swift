/// User authentication as `ssh -v` logs it: every offered credential, and the server's answer.
struct LoginTrace: Sendable {
    /// The methods that the server named before anything was offered.
    private(set) var methodsOffered: [String]?
    private(set) var partialSuccess = false
    /// The current method.
    private(set) var method = ""
    /// The credentials with an answer of the server.
    private(set) var attempts: [SSHAuthenticationAttempt] = []
    /// The credential without an answer so far.
    private var pending: SSHAuthenticationAttempt?
    /// A key that the server would have accepted, but that ssh did not sign with.
    private(set) var unsigned: SSHAuthenticationAttempt?
    /// The number of prompts for a passphrase, and whether ssh could not prompt.
    private(set) var passphrasesAsked = 0
    private(set) var cannotAsk = false
    /// Whether ssh prompted in the current attempt.
    private var isAsked = false
    /// Whether an agent or a device holds the last offered key.
    private(set) var isHeldElsewhere = false
    /// Whether ssh has a key to offer.
    private(set) var holdsKey = false
    /// Whether ssh searched for keys.
    private(set) var looksForKeys = false
    /// The file that may contain the next key.
    private var searched: String?
    /// Whether ssh skipped a key because its algorithm is disabled locally.
    private(set) var skippedKey = false
    /// The keys of types in common use that the local PubkeyAcceptedAlgorithms leaves out.
    private(set) var excludedKeys: [String] = []

    /// Why the agent offers no key.
    private(set) var agentProblem: SSHAgentProblem?
    /// The last method with typed credentials that the server refused.
    private(set) var refusedMethod: String?
    /// Whether a banner came after the credential that has no other answer so far.
    private(set) var hasWords = false

    /// The largest number of attempts to keep.
    private static let maximumAttempts = 64

    /// `debug1: Next authentication method: …`
    mutating func begin(_ method: String) {
        end()
        self.method = method
        (isAsked, hasWords) = (false, false)
        if method == "publickey" { looksForKeys = true } else { pending = attempt("that was typed") }
    }

    /// `debug1: Offering public key: PATH TYPE FINGERPRINT …`
    mutating func offer(_ key: String) {
        end()
        holdsKey = true
        method = "publickey"
        hasWords = false
        var offered = attempt(key)
        let words = key.split(separator: " ").map(String.init)
        isHeldElsewhere = words.last == "agent" || words.contains("authenticator")
        if let mark = words.firstIndex(where: { $0.hasPrefix("SHA256:") }) {
            offered.fingerprint = words[mark]
            // Before 7.9 the type comes first and the path last.
            let path = mark < 2 ? words.dropFirst(mark + 1) : words.prefix(mark - 1)
            offered.credential = path.joined(separator: " ")
        }
        pending = offered
    }

    /// `debug1: Trying private key: PATH`: ssh looks for the file.
    mutating func search(_ path: String) {
        end()
        (method, looksForKeys, searched) = ("publickey", true, path)
    }

    /// The file exists, and ssh offers its key without another message.
    mutating func findKey() {
        guard let path = searched, pending == nil else { return }
        searched = nil
        offer(path)
    }

    /// `debug1: Server accepts key: …`
    mutating func accept() { pending?.keyAccepted = true }

    /// `debug1: Authentications that can continue: …`
    mutating func refuse(_ methods: [String]) {
        methodsOffered = methodsOffered ?? methods
        hasWords = false
        if !["", "publickey"].contains(method) { refusedMethod = method }
        guard var refused = pending else { return }
        // sshd lists keyboard-interactive even if it has no questions, and then refuses it at once.
        let isCredential = method != "keyboard-interactive" || isAsked
        if cannotAsk, method != "publickey" { return }
        // ssh offers an accepted key again, but the server wants another.
        if attempts.contains(where: { $0.outcome == .partial && $0.fingerprint != nil && $0.fingerprint == refused.fingerprint })
        {
            return pending = nil
        }
        if isCredential {
            refused.outcome = .refused
            note(refused)
        }
        pending = method == "publickey" ? nil : attempt("that was typed")
    }

    /// `Authenticated using "publickey" with partial success.`
    mutating func acceptPartly(_ method: String?) {
        partialSuccess = true
        var accepted = pending ?? attempt("that was offered")
        if let method { accepted.method = method }
        accepted.outcome = .partial
        note(accepted)
        pending = nil
    }

    /// Notes a prompt that a person or program could answer.
    mutating func ask() {
        isAsked = true
        if pending?.keyAccepted == true || method == "publickey" { passphrasesAsked += 1 }
    }

    /// `debug1: read_passphrase: can't open /dev/tty`
    mutating func askInVain() { cannotAsk = true }

    /// Notes a banner. The one of sshd_config comes before the first credential.
    mutating func hear() { hasWords = pending.map { $0.keyAccepted || $0.method != "publickey" } ?? false }

    mutating func missAgent(_ reason: SSHAgentProblem.Reason, _ detail: String) {
        agentProblem = SSHAgentProblem(reason: reason, detail: detail)
    }

    mutating func hold() { holdsKey = true }

    /// A key that the local PubkeyAcceptedAlgorithms leaves out: by default DSA, and RSA in old versions.
    mutating func skip(type: String, path: String) {
        if ["ssh-dss", "ssh-rsa"].contains(PublicKeyAlgorithm.plain(type)) {
            skippedKey = true
        } else if excludedKeys.count < Self.maximumAttempts {
            excludedKeys.append(path)
        }
    }

    /// The key was not offered, because the two sides share no signature algorithm for it.
    mutating func withdraw() {
        pending = nil
        skippedKey = true
    }

    /// Ends an attempt without an answer.
    mutating func end() {
        guard var last = pending else { return }
        pending = nil
        guard last.method == "publickey" else { return }
        if last.keyAccepted {
            unsigned = last
        } else {
            last.outcome = .refused
            note(last)
        }
    }

    private func attempt(_ credential: String) -> SSHAuthenticationAttempt {
        SSHAuthenticationAttempt(method: method, credential: credential, outcome: .unanswered)
    }

    private mutating func note(_ attempt: SSHAuthenticationAttempt) {
        unsigned = nil
        if attempts.count == Self.maximumAttempts { attempts.removeFirst() }
        attempts.append(attempt)
    }

    /// Whether the server accepts a key, and ssh has not signed with it.
    var isAskingPassphrase: Bool { pending?.keyAccepted == true || unsigned != nil }

    /// The login as evidence, with the methods that can continue.
    func evidence(remaining methods: [String]?) -> SSHAuthenticationEvidence {
        var login = SSHAuthenticationEvidence()
        login.methodsOffered = methodsOffered ?? methods
        login.methodsRemaining = methods
        login.partialSuccess = partialSuccess
        login.attempts = attempts
        if let pending, pending.method == "publickey" || isAsked { login.attempts.append(pending) }
        var held = Set(attempts.map(\.method))
        if holdsKey { held.insert("publickey") }
        login.methodsHeld = held.sorted()
        return login
    }
}
