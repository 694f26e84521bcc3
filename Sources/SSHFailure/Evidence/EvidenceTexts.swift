internal import ErrorCore

/// A transformation of every text in a piece of evidence.
///
/// This file has the only list of these texts. A test finds omissions by reflection.
package protocol EvidenceTexts {
    /// A text from the server, or from a program that relays the server's text.
    func transformPeerText(_ text: inout String, _ extent: TextExtent)
    /// A local text: a name, a path, a command or a setting.
    func transformLocalText(_ text: inout String, _ extent: TextExtent)
}

/// The limits of a text: its length, and whether it has several lines.
package enum TextExtent {
    /// A name, such as an algorithm's.
    case name
    /// A sentence or a path.
    case sentence
    /// A text of several lines.
    case lines

    /// The greatest length, in bytes.
    package var limit: Int {
        switch self {
        case .name: 256
        case .sentence: 4096
        case .lines: 16384
        }
    }

    /// The greatest number of list entries that are kept.
    package static let count = 256
}

extension EvidenceTexts {
    func transformPeerText(_ texts: inout some TextHolder, _ extent: TextExtent) {
        texts.changeTexts(most: TextExtent.count) { transformPeerText(&$0, extent) }
    }

    func transformLocalText(_ texts: inout some TextHolder, _ extent: TextExtent) {
        texts.changeTexts(most: .max) { transformLocalText(&$0, extent) }
    }

    /// Transforms the peer's texts in several properties of one value.
    func transformPeerText<Value, Texts: TextHolder>(
        _ value: inout Value, _ extent: TextExtent, in paths: [WritableKeyPath<Value, Texts>]
    ) {
        for path in paths { transformPeerText(&value[keyPath: path], extent) }
    }

    func transformPeerText(_ text: String, _ extent: TextExtent) -> String {
        var text = text
        transformPeerText(&text, extent)
        return text
    }

    func transformLocalText(_ text: String, _ extent: TextExtent) -> String {
        var text = text
        transformLocalText(&text, extent)
        return text
    }
}

extension SSHEvidence {
    package mutating func change(_ texts: some EvidenceTexts) {
        event = event.changed(texts)
        texts.transformLocalText(&host, .sentence)
        texts.transformLocalText(&name, .sentence)
        texts.transformLocalText(&user, .sentence)
        if var call = library {
            texts.transformLocalText(&call.function, .name)
            texts.transformLocalText(&call.name, .name)
            texts.transformPeerText(&call.message, .sentence)
            library = call
        }
        texts.transformPeerText(&identification, .sentence)
        texts.transformPeerText(&linesBeforeIdentification, .sentence)
        serverAlgorithms?.change(texts)
        clientAlgorithms?.change(texts)
        chosenAlgorithms?.change(texts)
        if var message = disconnect {
            texts.transformPeerText(&message.description, .sentence)
            disconnect = message
        }
        if var place = hop {
            texts.transformLocalText(&place.via, .sentence)
            texts.transformLocalText(&place.target, .sentence)
            hop = place
        }
        if var process = proxy {
            texts.transformLocalText(&process.command, .sentence)
            texts.transformPeerText(&process.standardError, .lines)
            proxy = process
        }
        for index in addresses.indices { texts.transformLocalText(&addresses[index].address, .sentence) }
        hostKey?.change(texts)
        authentication?.change(texts)
        command?.change(texts)
        if var left = copy {
            texts.transformLocalText(&left.partialFiles, .sentence)
            copy = left
        }
        if var cause = setting {
            texts.transformLocalText(&cause.keyword, .name)
            texts.transformLocalText(&cause.place, .sentence)
            texts.transformPeerText(&cause.excluded, .name)
            setting = cause
        }
        texts.transformLocalText(&libraryVersion, .name)
        texts.transformLocalText(&subcommand, .name)
        texts.transformPeerText(&notices, .sentence)
    }
}

extension SSHEvidence.Event {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        switch self {
        case .connectionFailed, .deadlinePassed, .libraryFailed, .protocolViolated, .streamEnded, .identificationUnreadable,
            .hostKeyRejected,
            .credentialsExhausted, .requestRefused, .keepaliveUnanswered, .helperEnded, .commandEnded, .outputLimitExceeded,
            .lineTooLong, .outputUnwritable:
            return self
        case .hostNameInvalid(let problem): return .hostNameInvalid(problem: texts.transformLocalText(problem, .sentence))
        case .resolutionFailed(let code, let name, let message):
            return .resolutionFailed(code: code, name: name, message: texts.transformLocalText(message, .sentence))
        case .knownHostsUnreadable(let path, let number):
            return .knownHostsUnreadable(path: texts.transformLocalText(path, .sentence), systemError: number)
        case .knownHostsUnwritable(let path, let number):
            return .knownHostsUnwritable(path: texts.transformLocalText(path, .sentence), systemError: number)
        case .keyUnusable(let problem): return .keyUnusable(problem.changed(texts))
        case .agentFailed(let problem): return .agentFailed(problem.changed(texts))
        case .promptUnanswerable(let prompt): return .promptUnanswerable(prompt: texts.transformPeerText(prompt, .sentence))
        case .channelRefused(let reason, let description):
            return .channelRefused(reason: reason, description: texts.transformPeerText(description, .sentence))
        case .cancelled(let signal): return .cancelled(signal: signal.map { texts.transformLocalText($0, .name) })
        case .usage(let field, let problem):
            return .usage(
                field: texts.transformLocalText(field, .sentence), problem: texts.transformLocalText(problem, .sentence))
        case .configurationRefuses(let file, let line, let reason):
            return .configurationRefuses(
                file: texts.transformLocalText(file, .sentence), line: line, reason: texts.transformLocalText(reason, .sentence))
        case .configurationInvalid(let file, let line, let problem):
            return .configurationInvalid(
                file: texts.transformLocalText(file, .sentence), line: line, problem: texts.transformLocalText(problem, .sentence)
            )
        case .proxyFailed(let command, let status, let text):
            return .proxyFailed(
                command: texts.transformLocalText(command, .sentence), exitStatus: status,
                standardError: texts.transformPeerText(text, .lines))
        case .fileFailed(var problem):
            texts.transformLocalText(&problem.operation, .name)
            // Names of remote files come from the server's listings.
            if problem.side == .remote {
                texts.transformPeerText(&problem.path, .sentence)
            } else {
                texts.transformLocalText(&problem.path, .sentence)
            }
            texts.transformPeerText(&problem.detail, .sentence)
            return .fileFailed(problem)
        case .closed(let problem): return .closed(problem: texts.transformLocalText(problem, .sentence))
        case .internalFailure(let problem): return .internalFailure(problem: texts.transformPeerText(problem, .sentence))
        }
    }
}

extension SSHAlgorithmLists {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.transformPeerText(
            &self, .name,
            in: [
                \.keyExchange, \.hostKey, \.cipherToServer, \.cipherToClient, \.macToServer, \.macToClient, \.compressionToServer,
                \.compressionToClient,
            ])
    }
}

extension SSHChosenAlgorithms {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.transformPeerText(&self, .name, in: [\.keyExchange, \.hostKey, \.cipherToServer, \.cipherToClient])
        texts.transformPeerText(&self, .name, in: [\.macToServer, \.macToClient])
    }
}

extension SSHHostKeyEvidence {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.transformPeerText(&algorithm, .name)
        texts.transformLocalText(&fingerprint, .name)
        texts.transformLocalText(&expected, .name)
        verdict = verdict.changed(texts)
    }
}

extension SSHHostKeyVerdict {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        switch self {
        case .trusted(let place): .trusted(place.changed(texts))
        case .changed(let presented, let known):
            .changed(presented: texts.transformLocalText(presented, .name), known: known.map { $0.changed(texts) })
        case .revoked(let place): .revoked(place.changed(texts))
        case .otherTypeKnown(let known): .otherTypeKnown(known.map { $0.changed(texts) })
        case .unknown(let skipped, let authority):
            .unknown(skippedLines: skipped, certificateAuthority: authority?.changed(texts))
        }
    }
}

extension SSHKnownHostsLocation {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        Self(file: texts.transformLocalText(file, .sentence), line: line)
    }
}

extension SSHKnownHostKey {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        Self(
            algorithm: texts.transformLocalText(algorithm, .name), fingerprint: texts.transformLocalText(fingerprint, .name),
            location: location.changed(texts))
    }
}

extension SSHKeyProblem {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        Self(
            reason: reason, path: texts.transformLocalText(path, .sentence), detail: texts.transformLocalText(detail, .sentence),
            systemError: systemError, isNotAccepted: isNotAccepted)
    }
}

extension SSHAgentProblem {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        Self(reason: reason, detail: texts.transformLocalText(detail, .sentence), systemError: systemError)
    }
}

extension SSHAuthenticationEvidence {
    package mutating func change(_ texts: some EvidenceTexts) {
        texts.transformPeerText(&methodsOffered, .name)
        texts.transformPeerText(&methodsRemaining, .name)
        texts.transformLocalText(&methodsHeld, .name)
        texts.transformPeerText(&banner, .lines)
        texts.transformPeerText(&bannerAfterAttempt, .lines)
        texts.transformPeerText(&debugMessages, .sentence)
        texts.transformPeerText(&prompts, .sentence)
        agentProblem = agentProblem?.changed(texts)
        keyProblems = keyProblems.map { $0.changed(texts) }
        for index in attempts.indices { attempts[index].change(texts) }
    }
}

extension SSHAuthenticationAttempt {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.transformPeerText(&method, .name)
        texts.transformLocalText(&credential, .sentence)
        texts.transformLocalText(&fingerprint, .name)
        texts.transformLocalText(&keyType, .name)
        texts.transformLocalText(&signatureAlgorithm, .name)
        if var defect = certificateDefect {
            texts.transformLocalText(&defect.detail, .sentence)
            certificateDefect = defect
        }
    }
}

extension SSHCommandEvidence {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.transformLocalText(&command, .lines)
        texts.transformPeerText(&standardErrorTail, .lines)
        texts.transformPeerText(&standardOutputTail, .lines)
        if var signal = exitSignal {
            texts.transformPeerText(&signal.name, .name)
            texts.transformPeerText(&signal.message, .sentence)
            exitSignal = signal
        }
        if var seen = shell {
            texts.transformLocalText(&seen.device, .name)
            texts.transformPeerText(&seen, .sentence, in: [\.prompt, \.rejection])
            texts.transformPeerText(&seen.lastLine, .sentence)
            shell = seen
        }
    }
}

/// A value with texts: one text, an optional one, or a list.
protocol TextHolder {
    /// - Parameter most: the greatest number of list entries to keep.
    mutating func changeTexts(most: Int, _ change: (inout String) -> Void)
}

extension String: TextHolder {
    mutating func changeTexts(most: Int, _ change: (inout String) -> Void) { change(&self) }
}

extension Optional: TextHolder where Wrapped: TextHolder {
    mutating func changeTexts(most: Int, _ change: (inout String) -> Void) { self?.changeTexts(most: most, change) }
}

extension Array: TextHolder where Element: TextHolder {
    mutating func changeTexts(most: Int, _ change: (inout String) -> Void) {
        if count > most { removeLast(count - most) }
        for index in indices { self[index].changeTexts(most: most, change) }
    }
}

/// Makes every text inert: no control characters, no characters that reorder text, and a bounded length.
struct InertTexts: EvidenceTexts {
    func transformPeerText(_ text: inout String, _ extent: TextExtent) { transformLocalText(&text, extent) }

    func transformLocalText(_ text: inout String, _ extent: TextExtent) {
        text = TerminalText.inert(text, limit: extent.limit, keepsLines: extent == .lines)
    }
}

extension SSHEvidence {
    /// The same evidence with inert texts, for an error.
    var inert: SSHEvidence {
        var evidence = self
        evidence.change(InertTexts())
        return evidence
    }
}
