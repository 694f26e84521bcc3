internal import ErrorCore

/// A transformation of every text in a piece of evidence.
///
/// This file has the only list of these texts. A test finds omissions by reflection.
package protocol EvidenceTexts {
    /// A text from the server, or from a program that relays the server's text.
    func peer(_ text: inout String, _ extent: TextExtent)
    /// A local text: a name, a path, a command or a setting.
    func own(_ text: inout String, _ extent: TextExtent)
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
    func peer(_ texts: inout some TextHolder, _ extent: TextExtent) {
        texts.changeTexts(most: TextExtent.count) { peer(&$0, extent) }
    }

    func own(_ texts: inout some TextHolder, _ extent: TextExtent) { texts.changeTexts(most: .max) { own(&$0, extent) } }

    /// Transforms the peer's texts in several properties of one value.
    func peer<Value, Texts: TextHolder>(_ value: inout Value, _ extent: TextExtent, in paths: [WritableKeyPath<Value, Texts>]) {
        for path in paths { peer(&value[keyPath: path], extent) }
    }

    func peer(_ text: String, _ extent: TextExtent) -> String {
        var text = text
        peer(&text, extent)
        return text
    }

    func own(_ text: String, _ extent: TextExtent) -> String {
        var text = text
        own(&text, extent)
        return text
    }
}

extension SSHEvidence {
    package mutating func change(_ texts: some EvidenceTexts) {
        event = event.changed(texts)
        texts.own(&host, .sentence)
        texts.own(&name, .sentence)
        texts.own(&user, .sentence)
        if var call = library {
            texts.own(&call.function, .name)
            texts.own(&call.name, .name)
            texts.peer(&call.message, .sentence)
            library = call
        }
        texts.peer(&identification, .sentence)
        texts.peer(&linesBeforeIdentification, .sentence)
        serverAlgorithms?.change(texts)
        clientAlgorithms?.change(texts)
        chosenAlgorithms?.change(texts)
        if var message = disconnect {
            texts.peer(&message.description, .sentence)
            disconnect = message
        }
        if var place = hop {
            texts.own(&place.via, .sentence)
            texts.own(&place.target, .sentence)
            hop = place
        }
        if var process = proxy {
            texts.own(&process.command, .sentence)
            texts.peer(&process.standardError, .lines)
            proxy = process
        }
        for index in addresses.indices { texts.own(&addresses[index].address, .sentence) }
        hostKey?.change(texts)
        authentication?.change(texts)
        command?.change(texts)
        if var left = copy {
            texts.own(&left.partialFiles, .sentence)
            copy = left
        }
        if var cause = setting {
            texts.own(&cause.keyword, .name)
            texts.own(&cause.place, .sentence)
            texts.peer(&cause.excluded, .name)
            setting = cause
        }
        texts.own(&libraryVersion, .name)
        texts.own(&subcommand, .name)
        texts.peer(&notices, .sentence)
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
        case .hostNameInvalid(let problem): return .hostNameInvalid(problem: texts.own(problem, .sentence))
        case .resolutionFailed(let code, let name, let message):
            return .resolutionFailed(code: code, name: name, message: texts.own(message, .sentence))
        case .knownHostsUnreadable(let path, let number):
            return .knownHostsUnreadable(path: texts.own(path, .sentence), systemError: number)
        case .knownHostsUnwritable(let path, let number):
            return .knownHostsUnwritable(path: texts.own(path, .sentence), systemError: number)
        case .keyUnusable(let problem): return .keyUnusable(problem.changed(texts))
        case .agentFailed(let problem): return .agentFailed(problem.changed(texts))
        case .promptUnanswerable(let prompt): return .promptUnanswerable(prompt: texts.peer(prompt, .sentence))
        case .channelRefused(let reason, let description):
            return .channelRefused(reason: reason, description: texts.peer(description, .sentence))
        case .cancelled(let signal): return .cancelled(signal: signal.map { texts.own($0, .name) })
        case .usage(let field, let problem):
            return .usage(field: texts.own(field, .sentence), problem: texts.own(problem, .sentence))
        case .configurationRefuses(let file, let line, let reason):
            return .configurationRefuses(file: texts.own(file, .sentence), line: line, reason: texts.own(reason, .sentence))
        case .configurationInvalid(let file, let line, let problem):
            return .configurationInvalid(file: texts.own(file, .sentence), line: line, problem: texts.own(problem, .sentence))
        case .proxyFailed(let command, let status, let text):
            return .proxyFailed(
                command: texts.own(command, .sentence), exitStatus: status, standardError: texts.peer(text, .lines))
        case .fileFailed(var problem):
            texts.own(&problem.operation, .name)
            // Names of remote files come from the server's listings.
            if problem.side == .remote { texts.peer(&problem.path, .sentence) } else { texts.own(&problem.path, .sentence) }
            texts.peer(&problem.detail, .sentence)
            return .fileFailed(problem)
        case .closed(let problem): return .closed(problem: texts.own(problem, .sentence))
        case .internalFailure(let problem): return .internalFailure(problem: texts.peer(problem, .sentence))
        }
    }
}

extension SSHAlgorithmLists {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.peer(
            &self, .name,
            in: [
                \.keyExchange, \.hostKey, \.cipherToServer, \.cipherToClient, \.macToServer, \.macToClient, \.compressionToServer,
                \.compressionToClient,
            ])
    }
}

extension SSHChosenAlgorithms {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.peer(&self, .name, in: [\.keyExchange, \.hostKey, \.cipherToServer, \.cipherToClient])
        texts.peer(&self, .name, in: [\.macToServer, \.macToClient])
    }
}

extension SSHHostKeyEvidence {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.peer(&algorithm, .name)
        texts.own(&fingerprint, .name)
        texts.own(&expected, .name)
        verdict = verdict.changed(texts)
    }
}

extension SSHHostKeyVerdict {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        switch self {
        case .trusted(let place): .trusted(place.changed(texts))
        case .changed(let presented, let known):
            .changed(presented: texts.own(presented, .name), known: known.map { $0.changed(texts) })
        case .revoked(let place): .revoked(place.changed(texts))
        case .otherTypeKnown(let known): .otherTypeKnown(known.map { $0.changed(texts) })
        case .unknown(let skipped, let authority):
            .unknown(skippedLines: skipped, certificateAuthority: authority?.changed(texts))
        }
    }
}

extension SSHKnownHostsLocation {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self { Self(file: texts.own(file, .sentence), line: line) }
}

extension SSHKnownHostKey {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        Self(
            algorithm: texts.own(algorithm, .name), fingerprint: texts.own(fingerprint, .name), location: location.changed(texts))
    }
}

extension SSHKeyProblem {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        Self(
            reason: reason, path: texts.own(path, .sentence), detail: texts.own(detail, .sentence), systemError: systemError)
    }
}

extension SSHAgentProblem {
    fileprivate func changed(_ texts: some EvidenceTexts) -> Self {
        Self(reason: reason, detail: texts.own(detail, .sentence), systemError: systemError)
    }
}

extension SSHAuthenticationEvidence {
    package mutating func change(_ texts: some EvidenceTexts) {
        texts.peer(&methodsOffered, .name)
        texts.peer(&methodsRemaining, .name)
        texts.own(&methodsHeld, .name)
        texts.peer(&banner, .lines)
        texts.peer(&bannerAfterAttempt, .lines)
        texts.peer(&debugMessages, .sentence)
        texts.peer(&prompts, .sentence)
        agentProblem = agentProblem?.changed(texts)
        keyProblems = keyProblems.map { $0.changed(texts) }
        for index in attempts.indices { attempts[index].change(texts) }
    }
}

extension SSHAuthenticationAttempt {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.peer(&method, .name)
        texts.own(&credential, .sentence)
        texts.own(&fingerprint, .name)
        texts.own(&keyType, .name)
        texts.own(&signatureAlgorithm, .name)
        if var defect = certificateDefect {
            texts.own(&defect.detail, .sentence)
            certificateDefect = defect
        }
    }
}

extension SSHCommandEvidence {
    fileprivate mutating func change(_ texts: some EvidenceTexts) {
        texts.own(&command, .lines)
        texts.peer(&standardErrorTail, .lines)
        texts.peer(&standardOutputTail, .lines)
        if var signal = exitSignal {
            texts.peer(&signal.name, .name)
            texts.peer(&signal.message, .sentence)
            exitSignal = signal
        }
        if var seen = shell {
            texts.own(&seen.device, .name)
            texts.peer(&seen, .sentence, in: [\.prompt, \.rejection])
            texts.peer(&seen.lastLine, .sentence)
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
    func peer(_ text: inout String, _ extent: TextExtent) { own(&text, extent) }

    func own(_ text: inout String, _ extent: TextExtent) {
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
