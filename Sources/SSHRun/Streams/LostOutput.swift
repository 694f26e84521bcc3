package import BridgeSSH

/// Our standard output cannot be written while a command runs, and what became of the command.
package struct LostOutput: Error {
    private let systemError: Int32
    private let termination: SSHTermination?

    /// How long a command may go on without its output, for its exit status.
    private static let patience = Duration.seconds(1)

    /// Waits a moment for the command's end; its output is discarded.
    init(systemError: Int32, of execution: SSHExecution, _ clock: any Clock<Duration>) async {
        self.systemError = systemError
        termination = await Self.end(of: execution, clock)
    }

    private static func end(of execution: SSHExecution, _ clock: any Clock<Duration>) async -> SSHTermination? {
        await withTaskGroup(of: SSHTermination?.self) { group in
            group.addTask {
                do { for try await _ in execution.standardOutput {} } catch { return nil }
                return await execution.exit()
            }
            group.addTask {
                try? await clock.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    func verdict(on command: String, at endpoint: SSHEndpoint) -> SSHError {
        var evidence = SSHEvidence(local: .outputUnwritable(systemError: systemError), endpoint: endpoint)
        evidence.command = SSHCommandEvidence(command: command, ended: termination)
        if termination == nil { evidence.command?.teardown = .channelClosed }
        return SSHFailureClassifier.classify(evidence)
    }
}

extension SSHCommandEvidence {
    /// A command that was started.
    ///
    /// - Parameter termination: nil where its end is not known.
    package init(command: String, ended termination: SSHTermination?) {
        self.init(command: command)
        progress = .accepted
        switch termination {
        case .exited(let status): exitStatus = status
        case .signalled(let signal): exitSignal = signal
        case .unknown, nil: break
        }
    }
}
