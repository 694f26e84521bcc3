package import ErrorCore

/// Every failure code that this version can give. A code is in it because a rule gives it.
package enum FailureCatalogue {
    /// All codes, in the order of a run.
    package static let codes: [SSHError.Code] = {
        var seen: Set<SSHError.Code> = []
        let given = SSHFailureClassifier.allRules.map(\.code).filter { seen.insert($0).inserted }
        let byStage = Dictionary(grouping: given, by: \.stage)
        return SSHStage.allCases.flatMap { byStage[$0] ?? [] }
    }()

    private static let bySpelling = Dictionary(codes.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    /// What holds for a code; for one that this version does not know, what holds for an unclassified failure.
    package static func definition(of code: SSHError.Code) -> FailureDefinition {
        (code.written ?? bySpelling[code.rawValue]?.written)?() ?? unknownCode
    }

    /// What holds for a code of another version: nothing is known, so nothing is promised.
    private static let unknownCode = FailureDefinition(
        .internalError, .internal, retry: .never, exit: .unclassified,
        title: "SSH Failure", meaning: "An SSH failure that this version does not know.", remedy: "Update bridge-ssh.",
        example: "a code of a later version")
}

extension SSHError.Code {
    /// Every code that this version can give, in the order of a run.
    public static var known: [SSHError.Code] { FailureCatalogue.codes }
    /// One sentence that holds for every failure of this code.
    public var meaning: String { FailureCatalogue.definition(of: self).meaning }
    /// What a failure of this code is, in one to four words.
    public var title: String { FailureCatalogue.definition(of: self).title }
}

extension SSHError {
    /// What holds for every failure of its code.
    var definition: FailureDefinition { FailureCatalogue.definition(of: code) }
}

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

extension SSHError {
    /// The exit status of `bridge-ssh run`, in its own convention.
    public var exitStatus: SSHExitStatus { exitStatus(.bridge) }

    /// The exit status of `bridge-ssh run`.
    ///
    /// A remote status that arrived is passed on whatever the verdict is, except where the run was ended by a deadline, a
    /// cancellation, the output limit or the loss of the connection.
    ///
    /// - Parameter commands: what becomes of a remote status.
    public func exitStatus(_ convention: SSHExitStatus.Convention, commands: SSHExitStatus.CommandStatus = .remote)
        -> SSHExitStatus
    {
        if passesRemoteStatus, let command = evidence.command {
            if commands == .strict, command.exitSignal != nil || command.exitStatus != nil { return .commandFailure }
            if let signal = command.exitSignal { return .killed(by: signal) }
            if let status = command.exitStatus { return .remote(status) }
        }
        if convention == .ssh { return .unclassified }
        if code == .localCancelled, case .cancelled(let signal) = evidence.event {
            return .ended(by: signal)
        }
        return definition.exitStatus
    }

    /// Whether the verdict is about a command that ended by itself.
    var passesRemoteStatus: Bool {
        // The status was the server's own: logins were closed.
        if code == .authLoginsClosed { return false }
        // A shell's own status is not the command's.
        if evidence.command?.shell != nil { return false }
        if case .commandEnded = evidence.event {
            return stage != .session
        }
        return false
    }
}
