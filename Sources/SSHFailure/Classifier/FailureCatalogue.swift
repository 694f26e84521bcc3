package import ErrorCore
import Synchronization

/// Every failure code that this version can give. Each code has at least one rule.
package enum FailureCatalogue {
    /// All codes, in the order of the stages of a run.
    package static let codes: [SSHError.Code] = {
        var seen: Set<SSHError.Code> = []
        let given = SSHFailureClassifier.allRules.map(\.code).filter { seen.insert($0).inserted }
        let byStage = Dictionary(grouping: given, by: \.stage)
        return SSHStage.allCases.flatMap { byStage[$0] ?? [] }
    }()

    private static let bySpelling = Dictionary(codes.map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    /// The definitions so far, by code. Each is made once: a log may have a million failures.
    private static let made = Mutex<[String: FailureDefinition]>([:])

    /// The definition of a code; for a code that this version does not know, that of an unclassified failure.
    package static func definition(of code: SSHError.Code) -> FailureDefinition {
        if let known = made.withLock({ $0[code.rawValue] }) { return known }
        guard let definition = (code.written ?? bySpelling[code.rawValue]?.written)?() else { return unknownCode }
        made.withLock { $0[code.rawValue] = definition }
        return definition
    }

    /// The definition of an unknown code, from another version. It promises nothing.
    private static let unknownCode = FailureDefinition(
        .internalError, .internal, retry: .never, exit: .unclassified,
        title: "SSH Failure", meaning: "An SSH failure that this version does not know.", remedy: "Update bridge-ssh.",
        example: "a code of a later version")
}

extension SSHError.Code {
    /// Every code that this version can give, in the order of the stages of a run.
    public static var known: [SSHError.Code] { FailureCatalogue.codes }
    /// One sentence that is true of every failure with this code.
    public var meaning: String { FailureCatalogue.definition(of: self).meaning }
    /// The kind of failure, in one to four words.
    public var title: String { FailureCatalogue.definition(of: self).title }
}

extension SSHError {
    var definition: FailureDefinition { FailureCatalogue.definition(of: code) }
}

extension RetryAdvice {
    /// The catalogue's retry advice for a code, or for a DISCONNECT the advice that follows from the server's message. It is
    /// `never` if the next attempt would offer a refused credential again.
    package static func advice(for code: SSHError.Code, _ evidence: SSHEvidence) -> RetryAdvice {
        let advice = unguarded(code, evidence)
        let wouldRepeatRefusal = evidence.login.repeatsRefusedOffer || evidence.hop?.earlierHopRefused == true
        return advice.allowsRetry && wouldRepeatRefusal ? .never : advice
    }

    private static let disconnects: Set<SSHError.Code> = [.kexDisconnected, .sessionDisconnected, .authConnectionDropped]

    private static func unguarded(_ code: SSHError.Code, _ evidence: SSHEvidence) -> RetryAdvice {
        if disconnects.contains(code), let message = evidence.disconnect { return DisconnectTexts.advice(message) }
        return FailureCatalogue.definition(of: code).retry
    }
}

extension SSHAuthenticationEvidence {
    /// Whether another login would repeat a refusal that counts against the account. Keys that were refused before another key
    /// was accepted do not count: trying an agent's keys works like this.
    package var repeatsRefusedOffer: Bool {
        let isAuthenticated = attempts.contains { $0.outcome == .accepted }
        return attempts.contains { $0.outcome == .refused && !($0.method == "publickey" && isAuthenticated) }
    }
}

extension SSHError {
    /// The exit status of `bridge-ssh run`, in the convention `bridge`.
    public var exitStatus: SSHExitStatus { exitStatus(.bridge) }

    /// The exit status of `bridge-ssh run`.
    ///
    /// A remote status that arrived is passed on whatever the verdict, unless a deadline, a cancellation, the output limit or a
    /// lost connection ended the run.
    ///
    /// - Parameter commands: what to do with a remote status.
    public func exitStatus(_ convention: SSHExitStatus.Convention, commands: SSHExitStatus.CommandStatus = .remote)
        -> SSHExitStatus
    {
        if passesRemoteStatus, let command = evidence.command,
            let status = SSHExitStatus.ended(command.termination, commands: commands)
        {
            return status
        }
        if convention == .ssh { return .unclassified }
        if code == .localCancelled, case .cancelled(let signal) = evidence.event {
            return .ended(by: signal)
        }
        return definition.exitStatus
    }

    /// Whether the verdict is about a command that ended on its own.
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
