extension TranscriptReading {
    /// What `Permission denied (METHODS).` means after a login that `ssh -v` shows.
    static func denied(_ methods: [String], after login: LoginTrace) -> Self {
        if let key = login.unsigned { return unusable(key, login) }
        if login.attempts.isEmpty, login.skippedKey { return .sha1() }
        if login.attempts.isEmpty, !login.holdsKey, let problem = login.agentProblem { return .agent(.unavailable, problem) }
        // The methods that ssh was set to are none that the server accepts.
        if login.attempts.isEmpty, !login.holdsKey, !login.looksForKeys { return notOffered(methods) }
        // Where nothing was refused, a key that could not be read tells more.
        return TranscriptReading(login.attempts.isEmpty ? .plain : .telling, .credentialsExhausted, at: .authentication) {
            $0.authentication = login.evidence(remaining: methods)
        }
    }

    private static func notOffered(_ methods: [String]) -> Self {
        var reading = TranscriptReading.direct(
            .plain, .authMethodNotOffered, .likely, alternatives: ["there was no credential"]
        ) {
            Words(
                "\($0.endpoint) accepts \(methods.map { $0.oneLine(60) }.listed()); ssh had a credential for none of these.",
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
        // The line on the agent or the file says more.
        reading.rank = .plain
        return reading
    }
}
