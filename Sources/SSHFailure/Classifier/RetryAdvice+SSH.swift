package import ErrorCore

extension RetryAdvice {
    /// The catalogue's advice for a code, or that of the server's words for a DISCONNECT; never where the next attempt would
    /// only offer again what was refused.
    package static func advice(for code: SSHError.Code, _ evidence: SSHEvidence) -> RetryAdvice {
        let advice = unguarded(code, evidence)
        let wouldRepeatRefusal = evidence.login.wouldOfferRefusedAgain || evidence.hop?.earlierHopRefused == true
        return advice.allowsRetry && wouldRepeatRefusal ? .never : advice
    }

    private static func unguarded(_ code: SSHError.Code, _ evidence: SSHEvidence) -> RetryAdvice {
        let disconnects: Set<SSHError.Code> = [.kexDisconnected, .sessionDisconnected, .authConnectionDropped]
        if disconnects.contains(code), let message = evidence.disconnect { return DisconnectTexts.advice(message) }
        return FailureCatalogue.definition(of: code).retry
    }
}

extension SSHAuthenticationEvidence {
    /// Whether another login would repeat a refusal that counts against the account. A key that was refused before another
    /// one got in is no such thing: that is how an agent's keys are tried.
    package var wouldOfferRefusedAgain: Bool {
        let isAuthenticated = attempts.contains { $0.outcome == .accepted }
        return attempts.contains { $0.outcome == .refused && !($0.method == "publickey" && isAuthenticated) }
    }
}
