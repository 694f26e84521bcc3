extension SSHError {
    /// The exit status of `bridge-ssh run`, in its own convention.
    public var exitStatus: ExitStatus { exitStatus(.bridge) }

    /// The exit status of `bridge-ssh run`.
    ///
    /// A remote status that arrived is passed on whatever the verdict is, except where the run was ended by a deadline, a
    /// cancellation, the output limit or the loss of the connection.
    public func exitStatus(_ convention: ExitStatus.Convention) -> ExitStatus {
        if passesRemoteStatus, let command = evidence.command {
            if let signal = command.exitSignal { return .killed(by: signal) }
            if let status = command.exitStatus { return .remote(status) }
        }
        if convention == .ssh { return .unclassified }
        if code == .localCancelled, case .cancelled(let signal) = evidence.event {
            switch signal {
            case "TERM": return .terminated
            case "HUP": return .hungUp
            case "QUIT": return .quit
            default: return .cancelled
            }
        }
        return definition.exitStatus
    }

    /// Whether the verdict is about a command that ended by itself.
    var passesRemoteStatus: Bool {
        if case .commandEnded = evidence.event {
            return stage != .session
        }
        return false
    }
}
