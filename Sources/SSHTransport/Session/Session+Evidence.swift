/// What a session has seen, for the evidence of a failure.
extension Session {
    /// Applies a message that libssh2 discarded.
    func note(_ message: ObservedPayload) {
        switch message {
        case .authenticationFailure(let methods, let partialSuccess):
            authenticationRecord.refused(methods: methods, partialSuccess: partialSuccess)
        case .authenticationBanner(let text):
            authenticationRecord.banner(text)
        case .channelOpened(let number):
            channels.note(.success(number: number))
            library.discarded.open(number)
        case .channelOpenFailed(let number, let reason, let description):
            channels.note(.failure(number: number, reason: reason, description: description))
        case .endOfData(let number):
            channels.numbered(number)?.receivedEnd()
        case .channelClosed(let number):
            channels.numbered(number)?.receivedClose()
        case .exitStatus(let number, let status):
            // A message that ends before its status is followed by padding, which libssh2, who knows its length, does not read.
            guard let channel = channels.numbered(number), status == 0 || channel.library.exitStatus != 0 else { break }
            channel.receivedExit(status: Int(status))
        case .exitSignal(let number, let signal):
            channels.numbered(number)?.receivedExit(signal: signal)
        }
    }

    /// The software name in the server's identification line: `OpenSSH_9.2p1 Debian-2`.
    package var serverSoftware: String {
        guard let line = wire.opening.filter.identification else { return "" }
        return line.split(separator: "-", maxSplits: 2).dropFirst(2).first.map(String.init) ?? ""
    }

    /// What was offered in key exchange.
    package var offeredAlgorithms: SSHAlgorithmLists? { facts.offered }

    /// The host key algorithms that we offered, and those that the server lists.
    package var hostKeyAlgorithms: (offered: [String], listed: [String]) {
        (facts.offered?.hostKey ?? [], wire.opening.packets.algorithms?.hostKey ?? [])
    }

    /// What is known of the server's host key.
    package var hostKeyEvidence: SSHHostKeyEvidence? { facts.hostKey }

    package func noteHostKey(_ evidence: SSHHostKeyEvidence) { facts.judged(evidence) }

    /// Fills in what the session has seen.
    package func describe(_ evidence: inout SSHEvidence) {
        collectUnread()
        let opening = wire.opening
        evidence.stream = wire.end
        evidence.identification = opening.filter.identification
        evidence.linesBeforeIdentification = opening.filter.linesBefore
        if opening.outcome == .more || opening.outcome == .notSSH { evidence.firstBytes = opening.filter.firstBytes }
        evidence.bytesReceived = wire.receivedCount
        evidence.keyExchangeBegun = opening.keyExchangeBegun
        evidence.keyExchangeAnswered = opening.packets.isAnswered
        evidence.serverAlgorithms = opening.packets.algorithms
        evidence.disconnect = library.discarded.disconnect
        facts.describe(&evidence, awaitsAnswer: authenticationRecord.awaitsAnswer)
        authenticationRecord.describe(&evidence, debugMessages: library.discarded.debugMessages)
    }
}
