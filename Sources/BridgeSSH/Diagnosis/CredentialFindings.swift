/// Findings about authentication: the methods that the server accepts, and the outcome of each credential.
enum CredentialFindings {
    static func methods(_ seen: Observations) -> [SSHFinding] {
        let login = seen.login
        var findings: [SSHFinding] = []
        if let offered = login.methodsOffered {
            findings.append(
                SSHFinding(
                    .methods, .ok, "The server offers \(offered.map { $0.oneLine(40) }.listed(10)).",
                    details: [.init("methodsOffered", .texts(offered))]))
        } else if seen.isLoggedIn {
            findings.append(
                SSHFinding(
                    .methods, .weak, "The server lets \(seen.endpoint.user.oneLine(40)) in without asking for anything.",
                    remedy: "Give the account a password or a key, and set \(line: "PermitEmptyPasswords no") in sshd_config."))
        }
        if !findings.isEmpty, let banner = login.banner {
            findings.append(
                SSHFinding(
                    .methods, .ok, "Before the login it says: \"\(banner.oneLine(200))\".",
                    details: [.init("banner", .text(banner))]))
        }
        return findings
    }

    static func all(_ seen: Observations) -> [SSHFinding] {
        guard seen.login.methodsOffered != nil || seen.isLoggedIn else { return unusable(seen) }
        let keys = seen.facts.keys.filter { $0.use != .missing }
        var findings = keys.flatMap { key($0, seen) }
        if let problem = seen.login.agentProblem { findings.append(agent(problem)) }
        findings += others(seen)
        if let finding = missing(seen) { findings.append(finding) }
        return findings
    }

    /// Findings about unusable local keys that no failure mentions.
    private static func unusable(_ seen: Observations) -> [SSHFinding] {
        // The key that ended the login has a finding of its own.
        guard seen.error?.stage != .key else { return [] }
        return seen.facts.keys.compactMap { key in
            guard case .unusable(let problem) = key.use else { return nil }
            return unusable(key, problem)
        }
    }

    // MARK: Keys

    private static func key(_ key: KeyConsideration, _ seen: Observations) -> [SSHFinding] {
        var findings: [SSHFinding] = []
        switch key.use {
        case .candidate: findings += candidate(key, seen)
        case .unusable(let problem): findings.append(unusable(key, problem))
        case .missing: break
        case .notAnIdentity:
            findings.append(notTried(key, "only identities are offered (IdentitiesOnly)"))
        case .unsupported:
            findings.append(notTried(key, "its kind cannot be offered here: \(OfferableKey.advice(on: key.algorithm ?? ""))"))
        case .notAccepted:
            findings.append(notTried(key, "PubkeyAcceptedAlgorithms allows none of its algorithms"))
        case .duplicate: findings.append(notTried(key, "it is the same key as an earlier one"))
        }
        if key.algorithm == PublicKeyAlgorithm.rsa, let bits = key.bits, bits < WeakKey.minimumRSABits {
            findings.append(
                SSHFinding(
                    .credentials, .weak, WeakKey.text(name(key), bits),
                    remedy: "Make a better one, and put its public half into authorized_keys: \(run: "ssh-keygen -t ed25519")"))
        }
        return findings
    }

    private static func candidate(_ key: KeyConsideration, _ seen: Observations) -> [SSHFinding] {
        let attempts = seen.login.attempts.filter { $0.method == "publickey" && $0.fingerprint == key.fingerprint }
        guard !attempts.isEmpty else { return [notTried(key, reason(seen, method: .publicKey))] }
        return attempts.map { attempt in
            var details = facts(key) + [.init("outcome", .text(attempt.outcome.rawValue))]
            if let algorithm = attempt.signatureAlgorithm { details.append(.init("signatureAlgorithm", .text(algorithm))) }
            let (level, words) = verdict(on: attempt, seen)
            return SSHFinding(.credentials, level, "\(name(key)) \(words)", details: details)
        }
    }

    private static func unusable(_ key: KeyConsideration, _ problem: SSHKeyProblem) -> SSHFinding {
        let verdict = SSHFailureClassifier.classify(SSHEvidence(event: .keyUnusable(problem), stage: .key))
        return SSHFinding(
            .credentials, .notice, verdict.message, remedy: verdict.remedyText,
            details: facts(key) + [.init("outcome", .text("not-tried")), .init("reason", .text(problem.reason.rawValue))])
    }

    private static func agent(_ problem: SSHAgentProblem) -> SSHFinding {
        let verdict = SSHFailureClassifier.classify(SSHEvidence(event: .agentFailed(problem), stage: .authentication))
        return SSHFinding(
            .credentials, .notice, verdict.message, remedy: verdict.remedyText,
            details: [.init("origin", .text("agent")), .init("reason", .text(problem.reason.rawValue))])
    }

    private static func notTried(_ key: KeyConsideration, _ reason: String) -> SSHFinding {
        SSHFinding(
            .credentials, .notReached, "\(name(key)) was not tried: \(reason).",
            details: facts(key) + [.init("outcome", .text("not-tried")), .init("reason", .text(reason))])
    }

    /// Default key files that do not exist.
    private static func missing(_ seen: Observations) -> SSHFinding? {
        let paths = seen.facts.keys.filter { $0.use == .missing }.map(\.label)
        guard !paths.isEmpty else { return nil }
        return SSHFinding(
            .credentials, .ok, "Also looked for, but missing: \(paths.map { $0.oneLine(100) }.listed(8)).",
            details: [.init("missing", .texts(paths))])
    }

    private static func name(_ key: KeyConsideration) -> String {
        let label = key.label.oneLine(100)
        guard let fingerprint = key.fingerprint, let algorithm = key.algorithm else { return label }
        return "\(label) (\(PublicKeyAlgorithm.displayName(of: algorithm)) \(fingerprint))"
    }

    private static func facts(_ key: KeyConsideration) -> [SSHFinding.Detail] {
        var details: [SSHFinding.Detail] = [
            .init("credential", .text(key.label)), .init("origin", .text(key.isFromAgent ? "agent" : "file")),
        ]
        if let fingerprint = key.fingerprint { details.append(.init("fingerprint", .text(fingerprint))) }
        if let algorithm = key.algorithm { details.append(.init("keyType", .text(algorithm))) }
        if let bits = key.bits { details.append(.init("bits", .integer(bits))) }
        return details
    }

    // MARK: Passwords and answers

    private static func others(_ seen: Observations) -> [SSHFinding] {
        let attempts = seen.login.attempts.filter { $0.method != "publickey" }
        var findings = attempts.map { attempt in
            let (level, words) = verdict(on: attempt, seen)
            let what = attempt.method == "password" ? "The password" : "The answers to the server's questions"
            return SSHFinding(
                .credentials, level, "\(what) \(attempt.method == "password" ? words : words.replacing("was ", with: "were "))",
                details: [.init("credential", .text(attempt.method)), .init("outcome", .text(attempt.outcome.rawValue))])
        }
        if seen.facts.holdsPassword, attempts.isEmpty {
            let reason = reason(seen, method: .password)
            findings.append(
                SSHFinding(
                    .credentials, .notReached, "The password was not tried: \(reason).",
                    details: [
                        .init("credential", .text("password")), .init("outcome", .text("not-tried")),
                        .init("reason", .text(reason)),
                    ]))
        }
        return findings
    }

    /// The server's answer: the rest of a sentence that begins with the offered credential.
    private static func verdict(on attempt: SSHAuthenticationAttempt, _ seen: Observations) -> (SSHFinding.Level, String) {
        switch attempt.outcome {
        case .accepted: (.ok, "was accepted.")
        case .partial: (.ok, "was accepted, and the server asked for more.")
        case .refused: (.notice, "was refused; each refusal counts against the server's MaxAuthTries.")
        case .unanswered: (.notice, "was offered, and no answer came.")
        case .unusable where attempt.method == "publickey": (.notice, "would have been accepted, but no signature could be made.")
        case .unusable: (.notice, "was not needed: the server asked nothing.")
        }
    }

    /// Why an available credential was not offered.
    private static func reason(_ seen: Observations, method: SSHAuthenticationMethod) -> String {
        let login = seen.login
        let serverTakes = { (name: String) in (login.methodsOffered ?? []).contains(name) }
        if login.methodsOffered == nil { return "the server asked for nothing" }
        if !seen.methods.contains(method) { return "the configuration leaves \(method.rawValue) out" }
        let isTaken = serverTakes(method.rawValue) || method == .password && serverTakes("keyboard-interactive")
        let cameFirst = login.attempts.last { $0.outcome == .accepted }
        if let cameFirst { return "\(cameFirst.credential.oneLine(100)) was accepted before its turn" }
        if !isTaken, login.methodsRemaining?.contains(method.rawValue) != true {
            return "the server does not accept \(method.rawValue)"
        }
        return "the login had ended before its turn"
    }
}
