/// The server's answer to SSH_MSG_CHANNEL_OPEN, with our number of the channel.
enum ChannelAnswer: Sendable, Hashable {
    case success(number: UInt32)
    case failure(number: UInt32, reason: UInt32, description: String)
}

extension Session {
    /// Applies the messages that libssh2 discarded.
    func note(_ message: ObservedPayload) {
        switch message {
        case .authenticationFailure(let methods, let partialSuccess):
            lastAuthenticationFailure = (methods, partialSuccess)
        case .authenticationBanner(let text):
            authentication.banner = String(((authentication.banner ?? "") + text).prefix(4096))
            if authentication.attempts.last?.outcome == .unanswered {
                authentication.bannerAfterAttempt = String(((authentication.bannerAfterAttempt ?? "") + text).prefix(4096))
            }
        case .channelOpened(let number):
            lastOpened = .success(number: number)
            wire.ledger.open(number)
        case .channelOpenFailed(let number, let reason, let description):
            lastOpened = .failure(number: number, reason: reason, description: description)
        case .endOfData(let number):
            channel(number)?.hasReceivedEnd = true
        case .channelClosed(let number):
            channel(number)?.hasReceivedClose = true
        case .exitStatus(let number, let status):
            channel(number)?.exitStatus = Int(status)
            channel(number)?.noteExit()
        case .exitSignal(let number, let signal):
            channel(number)?.exitSignal = signal
            channel(number)?.noteExit()
        }
    }

    private func channel(_ number: UInt32) -> SessionChannel? { channels.values.first { $0.number == number } }

    /// The host key algorithms that we offered, and those that the server lists.
    package var hostKeyAlgorithms: (offered: [String], listed: [String]) {
        (clientAlgorithms?.hostKey ?? [], wire.opening.algorithms?.hostKey ?? [])
    }

    package func noteHostKey(_ evidence: HostKeyEvidence) {
        hostKeyEvidence = evidence
    }

    /// The user is authenticated: keepalives start here.
    package func authenticated(keepalive: KeepaliveOptions?) {
        if stage != .channel { enter(.channel) }
        if let keepalive { startKeepalive(interval: keepalive.interval.boundedSeconds, limit: keepalive.countMax) }
    }

    /// Fills in what the session has seen.
    package func describe(_ evidence: inout Evidence) {
        collectUnread()
        evidence.stream = wire.end
        evidence.identification = wire.filter.identification
        evidence.linesBeforeIdentification = wire.filter.linesBefore
        if wire.openingOutcome == .more || wire.openingOutcome == .notSSH { evidence.firstBytes = wire.filter.firstBytes }
        evidence.bytesReceived = wire.receivedCount
        evidence.keyExchangeBegun = wire.keyExchangeBegun
        evidence.keyExchangeAnswered = wire.opening.isAnswered
        evidence.serverAlgorithms = wire.opening.algorithms
        evidence.clientAlgorithms = clientAlgorithms
        evidence.chosenAlgorithms = chosenAlgorithms
        evidence.disconnect = wire.disconnect
        evidence.hostKey = hostKeyEvidence
        evidence.hostKeyReceived = hostKeyReceived || hostKeyEvidence != nil
        if authentication.attempts.last?.outcome == .unanswered {
            evidence.awaited = lastSign.duration(to: .now).seconds
        }
        if authentication != AuthenticationEvidence() || !wire.debugMessages.isEmpty {
            var authentication = authentication
            authentication.debugMessages = wire.debugMessages
            evidence.authentication = authentication
        }
    }
}
