extension SSHError {
    /// The exit status of `bridge-ssh run`, in its own convention.
    public var exitStatus: ExitStatus { exitStatus(.bridge) }

    /// The exit status of `bridge-ssh run`.
    ///
    /// A remote status that arrived is passed on whatever the verdict is, except where the run was ended by a deadline, a
    /// cancellation, the output limit or the loss of the connection.
    ///
    /// - Parameter commands: what becomes of a remote status.
    public func exitStatus(_ convention: ExitStatus.Convention, commands: ExitStatus.CommandStatus = .remote) -> ExitStatus {
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
        // The status was sshd's own: it let nobody in.
        if code == .authLoginsClosed { return false }
        if case .commandEnded = evidence.event {
            return stage != .session
        }
        return false
    }
}
