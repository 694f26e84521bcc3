package import BridgeSSH

/// Standard output of this process could not be written while a command ran. Says what happened to the command.
package struct UnwritableOutput: Error {
    private let systemError: Int32
    private let termination: SSHTermination?

    /// How long to wait for the exit status of a command whose output is lost.
    private static let patience = Duration.seconds(1)

    /// Waits briefly for the command's end, and discards its output.
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
    /// For a command that was started.
    ///
    /// - Parameter termination: nil if its end is unknown.
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
