/// OpenSSH's messages about user authentication.
enum OpenSSHLoginRows {
    static let rows: [TranscriptRow] = progress + login

    private static let progress: [TranscriptRow] = passed + questions

    private static let passed: [TranscriptRow] = [
        TranscriptRow("Authenticated with partial success.", "sshconnect2.c; 6.6–8.7") { _, facts in partial(nil, &facts) },
        TranscriptRow("Authenticated using {method} with partial success.", "sshconnect2.c; 8.8–10") { found, facts in
            partial(found["method"]?.trimming("\""), &facts)
        },
        TranscriptRow("Warning: Permanently added {name} to the list of known hosts.", "sshconnect.c; 6.6–10") { _, facts in
            facts.stage = .authentication
            return nil
        },
    ]

    /// The prompts of ssh, as a terminal shows them.
    private static let questions: [TranscriptRow] =
        [
            TranscriptRow("…Enter passphrase for key '{path}':", "sshconnect2.c; 6.6–10") { found, facts in
                facts.passphrasesAsked += 1
                facts.lockedKey = found["path"] ?? ""
                if facts.trace.isPresent { facts.trace.login.ask() }
                return nil
            },
            TranscriptRow("{account}'s password:", "sshconnect2.c; 6.6–10") { found, facts in
                // A program put the refusal and the next question into one line.
                if found["account"]?.mentions("Permission denied, please try again.") == true {
                    (facts.passwordRefused, facts.isAskedAgain) = (true, true)
                }
                facts.passwordAsked = true
                // ssh asks only after the host key was accepted.
                facts.passed = [.hostKey]
                return nil
            },
        ]
        + ["…) Password:", "…) Verification code:", "…) One-time password", "Password:", "Verification code:"].map {
            TranscriptRow($0, "the server's questions (RFC 4256); with the account before them since 8.5") { _, facts in
                facts.questionAsked = true
                if facts.trace.isPresent { facts.trace.login.ask() }
                return nil
            }
        }

    private static func partial(_ method: String?, _ facts: inout TranscriptFacts) -> TranscriptReading? {
        if facts.trace.isPresent { facts.trace.login.acceptPartly(method) }
        facts.partialSuccess = true
        facts.stage = .authentication
        return nil
    }

    /// The methods of RFC 4252 and RFC 4462, as servers name them.
    private static let known: Set<String> = [
        "publickey", "password", "keyboard-interactive", "hostbased", "gssapi-with-mic", "gssapi-keyex",
    ]

    private static let login: [TranscriptRow] = [
        TranscriptRow("Permission denied, please try again.", "sshconnect2.c; 6.6–10") { _, facts in
            (facts.passwordRefused, facts.isAskedAgain) = (true, true)
            facts.stage = .authentication
            return nil
        },
        TranscriptRow("…Permission denied ({methods}).", "sshconnect2.c; 6.6–10", ends: true) { found, facts in
            denied((found["methods"] ?? "").split(separator: ",").map(String.init), &facts)
        },
        TranscriptRow("…Permission denied ({methods}", "sshconnect2.c, without its full stop, as programs repeat it") {
            found, facts in
            let said = (found["methods"] ?? "").split(separator: ")", maxSplits: 1, omittingEmptySubsequences: false)
            let methods = said[0].split(separator: ",").map { String($0).trimming(" ") }
            // `; exit status 255`, `: Connection reset by peer`
            let isFollowed = [";", ":", " ->", " at ", " in ", " - "].contains { said.last?.hasPrefix($0) == true }
            guard said.count == 2, isFollowed || String(said[1]).trimming("\"'`.,;!]}) ").isEmpty, !methods.isEmpty,
                methods.allSatisfy(known.contains)
            else { return facts.decline() }
            return denied(methods, &facts)
        },
        TranscriptRow("Too many authentication failures", "sshconnect2.c, packet.c; 6.6–10", ends: true) { _, _ in
            TranscriptReading.tooManyAttempts()
        },
        TranscriptRow("…Too many authentication failures", "auth.c: the server's words; 6.6–10", ends: true) { _, _ in
            TranscriptReading.tooManyAttempts()
        },
        TranscriptRow("…Your password has expired", "session.c, Linux-PAM; 6.6–10") { _, _ in .passwordExpired() },
        TranscriptRow("…You are required to change your password immediately", "Linux-PAM pam_unix") { _, _ in
            .passwordExpired()
        },
        TranscriptRow("Password change required but no TTY available.", "session.c; 6.6–10", ends: true) { _, _ in
            .passwordExpired()
        },
    ]

    /// The list has the methods that can continue. Without -v ssh does not show what it offered.
    private static func denied(_ methods: [String], _ facts: inout TranscriptFacts) -> TranscriptReading {
        if let words = facts.passwordExpired, !words.mentions("Enter ") { return .passwordExpired() }
        if facts.trace.isPresent, !facts.trace.isNested, facts.trace.login.partialSuccess || !facts.partialSuccess {
            facts.trace.login.end()
            return .denied(methods, after: facts.trace.login)
        }
        if facts.partialSuccess { return .moreFactors(methods, .likely) }
        if facts.passwordRefused {
            // Without a terminal ssh offers an empty password, and prints the same message.
            let typed = methods.contains("password") || !methods.contains("keyboard-interactive")
            return refused(
                typed ? "password" : "keyboard-interactive", methods, facts.passwordAsked ? .likely : .guess,
                facts.passwordAsked ? [] : ["a key was refused, or is not taken, and there was no terminal to type a password on"]
            )
        }
        // Another login's question, if the server does not take answers.
        if facts.questionAsked, methods != ["publickey"] { return refused("keyboard-interactive", methods, .likely) }
        if facts.passphrasesAsked > 0 {
            return .key(
                .passphraseWrong, facts.lockedKey, "", facts.passphrasesAsked > 2 ? .likely : .guess,
                alternatives: ["the key is refused"])
        }
        guard methods.contains("publickey") else {
            return TranscriptReading.methodNotOffered(
                methods, .guess,
                alternatives: ["a key was accepted and another factor is missing", "there was no terminal to type a password on"]
            ).ranked(.plain)
        }
        return refused(
            "publickey", methods, .guess, ["there was no key to offer, or it needs a passphrase (ssh -v shows it)"])
    }

    private static func refused(
        _ method: String, _ methods: [String], _ confidence: SSHError.Confidence, _ alternatives: [String] = []
    ) -> TranscriptReading {
        TranscriptReading(.plain, .credentialsExhausted, at: .authentication, confidence, alternatives: alternatives) {
            var login = SSHAuthenticationEvidence()
            login.methodsOffered = methods
            login.methodsRemaining = methods
            login.methodsHeld = [method]
            login.attempts = [SSHAuthenticationAttempt(method: method, credential: "that was offered", outcome: .refused)]
            $0.authentication = login
        }
    }
}

extension TranscriptReading {
    /// The meaning of `Permission denied (METHODS).` after a login in the log of `ssh -v`.
    static func denied(_ methods: [String], after login: LoginTrace) -> Self {
        if let key = login.unsigned { return unusable(key, login) }
        if login.attempts.isEmpty, login.skippedKey { return .sha1() }
        if login.attempts.isEmpty, !login.excludedKeys.isEmpty { return excluded(login.excludedKeys) }
        if login.attempts.isEmpty, !login.holdsKey, login.looksForKeys, let problem = login.agentProblem {
            return .agent(problem.reason, problem.detail)
        }
        // The server accepts none of the methods that ssh was set to.
        if login.attempts.isEmpty, !login.holdsKey, !login.looksForKeys { return notOffered(methods) }
        // If nothing was refused, an unreadable key is more specific.
        return TranscriptReading(login.attempts.isEmpty ? .plain : .telling, .credentialsExhausted, at: .authentication) {
            $0.authentication = login.evidence(remaining: methods)
        }
    }

    private static func excluded(_ keys: [String]) -> Self {
        .direct(.telling, .authNoCredentials) {
            VerdictText(
                "There is no credential for \($0.account): the local setting PubkeyAcceptedAlgorithms leaves out "
                    + "\(keys.map { $0.oneLine(100) }.listed(4)).",
                hint: "Give a key that the setting allows (\(option: .identity, "FILE")), or change the setting.")
        }
    }

    private static func notOffered(_ methods: [String]) -> Self {
        var reading = TranscriptReading.direct(
            .plain, .authMethodNotOffered, .likely, alternatives: ["there was no credential"]
        ) {
            VerdictText(
                "\($0.server) accepts \(methods.map { $0.oneLine(60) }.listed()); ssh had a credential for none of these.",
                hint: "Give a key or a password that the server accepts, or check PreferredAuthentications.")
        }
        reading.isUnproved = true
        return reading
    }

    /// The server accepts the key, and ssh could not sign with it.
    private static func unusable(_ key: SSHAuthenticationAttempt, _ login: LoginTrace) -> Self {
        var reading: TranscriptReading =
            if login.isHeldElsewhere {
                .agent(.refused, "it did not sign")
            } else {
                .key(login.passphrasesAsked > 0 ? .passphraseWrong : .passphraseRequired, key.credential, "", .exact)
            }
        // The line about the agent or the file is more specific.
        reading.rank = .plain
        return reading
    }
}
