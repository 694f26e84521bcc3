extension Session {
    /// The software name in the server's identification line: `OpenSSH_9.2p1 Debian-2`.
    package var serverSoftware: String {
        guard let line = wire.filter.identification else { return "" }
        return line.split(separator: "-", maxSplits: 2).dropFirst(2).first.map(String.init) ?? ""
    }

    package func noteCredentials(methodsHeld: [String]? = nil, keyProblems: [KeyProblem] = [], agentProblem: AgentProblem? = nil)
    {
        if let methodsHeld { authentication.methodsHeld = methodsHeld }
        authentication.keyProblems += keyProblems
        authentication.agentProblem = agentProblem ?? authentication.agentProblem
    }

    package func noteOffered(_ methods: [String]) {
        authentication.methodsOffered = methods
    }

    /// Records an attempt before it is made, so that a connection that breaks in it shows it.
    package func begin(_ attempt: AuthenticationAttempt) -> Int {
        authentication.attempts.append(attempt)
        authentication.bannerAfterAttempt = nil
        lastSign = .now
        return authentication.attempts.count - 1
    }

    package func finish(
        _ number: Int, _ answer: AuthenticationAnswer, keyAccepted: Bool = false, algorithm: String? = nil,
        said: [String] = [], wasAsked: Bool = true
    ) {
        authentication.attempts[number].keyAccepted = keyAccepted
        authentication.attempts[number].signatureAlgorithm = algorithm
        if !said.isEmpty { authentication.prompts = said }
        switch answer {
        case .success:
            authentication.attempts[number].outcome = .accepted
        case .failure(let methods, let partialSuccess):
            // A keyboard-interactive attempt without a question was offered nothing: no credential was refused.
            authentication.attempts[number].outcome = partialSuccess ? .partial : wasAsked ? .refused : .unusable
            authentication.partialSuccess = authentication.partialSuccess || partialSuccess
            authentication.methodsRemaining = methods ?? authentication.methodsRemaining
        case .passwordChangeRequired:
            authentication.attempts[number].outcome = .refused
            authentication.passwordChangeRequested = true
        case .noSignature:
            authentication.attempts[number].outcome = .unusable
        }
    }
}

extension PublicKeyOffer {
    /// The algorithm and blob with which to offer a key to a server, best first.
    package static func all(for key: SSHPublicKey, server: String) -> [PublicKeyOffer] {
        guard key.algorithm == "ssh-rsa", !Library.knowsRSASHA2 else { return [PublicKeyOffer(key)] }
        let modern = PublicKeyOffer(rsa: key, algorithm: "rsa-sha2-512")
        // OpenSSH takes the blob under the algorithm's name. Others need not, and may still take a SHA-1 signature, which
        // OpenSSH refuses since 8.8; offering it in vain would count as a failed attempt.
        return server.hasPrefix("OpenSSH_") ? [modern] : [modern, PublicKeyOffer(key)]
    }
}
