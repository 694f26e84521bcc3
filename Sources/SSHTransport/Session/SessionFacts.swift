/// What a session has observed in its opening, and when the server last gave a sign. Pure.
struct SessionFacts {
    /// What was offered in key exchange.
    private(set) var offered: SSHAlgorithmLists?
    /// The negotiated algorithms, once key exchange is done.
    private(set) var agreed: SSHChosenAlgorithms?
    private(set) var hostKey: SSHHostKeyEvidence?
    /// Whether libssh2 had the server's host key when a call of key exchange failed.
    private var hostKeyCame = false
    /// When bytes came last, or the last credential was offered.
    private var lastSign = Moment.now

    mutating func offer(_ algorithms: SSHAlgorithmLists) { offered = algorithms }
    mutating func agree(on algorithms: SSHChosenAlgorithms) { agreed = algorithms }

    /// Key exchange has failed; of a session one does.
    mutating func keyExchangeFailed(hostKeyCame: Bool) { self.hostKeyCame = hostKeyCame }

    /// The host key has been looked at.
    mutating func judged(_ evidence: SSHHostKeyEvidence) { hostKey = evidence }

    /// Bytes have come, or a credential is about to be offered: from here on the server's silence counts.
    mutating func sign() { lastSign = .now }

    func describe(_ evidence: inout SSHEvidence, awaitsAnswer: Bool) {
        evidence.clientAlgorithms = offered
        evidence.chosenAlgorithms = agreed
        evidence.hostKey = hostKey
        evidence.hostKeyReceived = hostKeyCame || hostKey != nil
        if awaitsAnswer { evidence.awaited = lastSign.seconds(to: .now) }
    }
}
