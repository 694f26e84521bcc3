internal import BridgeSSH
internal import ErrorCore
internal import SSHRun

extension AttemptReport {
    /// - Parameter wasArmed: whether the command may have been sent.
    func conclusion(wasArmed: Bool) -> AttemptConclusion {
        var conclusion = conclusionOfCommand(wasArmed: wasArmed)
        guard direction != nil, let error = conclusion.error else { return conclusion }
        // Of a copy that ended in the midst it is not known what the host has; a host that only gives files has what it had.
        conclusion.outcome = error.isOfFile ? .failed : wasArmed && mayHaveWritten ? .unknown : .error
        conclusion.termination = nil
        return conclusion
    }

    /// Whether a copy may have made anything at its host.
    private var mayHaveWritten: Bool {
        guard let copied else { return true }
        return copied.files + copied.directories + copied.symbolicLinks > 0 || !copied.partialFiles.isEmpty
    }

    private func conclusionOfCommand(wasArmed: Bool) -> AttemptConclusion {
        switch end {
        case .ended(let termination, nil): return AttemptConclusion(.ok, ranNothing ? nil : termination)
        case .ended(.unknown, let error?): return AttemptConclusion(.unknown, .unknown, error)
        case .ended(let termination, let error?): return AttemptConclusion(.failed, termination, error)
        case .failed(let error): return AttemptConclusion(error)
        case .outputClosed, .cancelled(nil): return AttemptConclusion(local(.cancelled(signal: nil)))
        case .cancelled(let signal): return AttemptConclusion(local(.cancelled(signal: signal)))
        case .unforeseen(let problem):
            var conclusion = AttemptConclusion(local(.internalFailure(problem: problem)))
            if wasArmed { conclusion.outcome = .unknown }
            return conclusion
        }
    }

    private func local(_ event: SSHEvidence.Event) -> SSHError {
        guard let endpoint else { return SSHFailureClassifier.classify(SSHEvidence(local: event, stage: .local)) }
        return SSHFailureClassifier.classify(SSHEvidence(local: event, endpoint: endpoint))
    }
}

extension SSHError {
    /// Whether a file could not be copied, while the connection went on.
    fileprivate var isOfFile: Bool {
        guard case .fileFailed = evidence.event else { return false }
        return category == .file
    }
}

/// What an attempt means for its host.
struct AttemptConclusion {
    var outcome: FleetHostOutcome
    var termination: SSHTermination?
    var error: SSHError?

    init(_ outcome: FleetHostOutcome, _ termination: SSHTermination? = nil, _ error: SSHError? = nil) {
        self.outcome = outcome
        self.termination = termination
        self.error = error
    }

    /// A failure of SSH's: whether the command ran decides.
    init(_ error: SSHError) {
        self.error = error
        let command = error.evidence.command
        if let signal = command?.exitSignal { termination = .signalled(signal) }
        if let status = command?.exitStatus { termination = .exited(status) }
        switch error.commandMayHaveRun {
        case .no: outcome = .error
        case .unknown: outcome = .unknown
        // It ended by itself; with status 0 output is missing, so that it is not known whether all went well.
        case .yes: outcome = command?.exitStatus == 0 ? .unknown : .failed
        }
    }

    /// What the engine has to know of it.
    var attemptEnd: AttemptEnd {
        AttemptEnd(
            outcome, code: error?.code.rawValue, isElevationRefused: error?.cause?.code == Self.elevationRefused,
            retry: error?.retry ?? .never, trouble: error.flatMap(Self.trouble), reason: error.map(LoginWait.reason) ?? .other)
    }

    private static let elevationRefused = "remote.sudo-refused"

    /// Whether a failure is the fault of more than its host.
    private static func trouble(_ error: SSHError) -> AttemptEnd.Trouble? {
        switch error.code {
        case .bannerServerBusy, .bannerSourcePenalised: return .serverBusy
        case .connectTimedOut, .bannerTimedOut, .kexTimedOut, .authTimedOut: return .timedOut
        case .connectLocalResources: return .shortage(reason: "this machine has run out of descriptors, ports or memory")
        case .agentUnavailable: return .local(reason: "the SSH agent is gone")
        case .resolveTemporaryFailure: return .local(reason: "names cannot be resolved")
        case .connectNetworkUnreachable:
            // A host that has only addresses of a family that this machine does not have says nothing of the network.
            let isOther = error.evidence.addresses.contains { !$0.address.hasPrefix("[") }
            return isOther ? .local(reason: "the network is unreachable") : nil
        default: return nil
        }
    }
}
