/// A command to run: what ``SSHCommandRunning/run(_:)`` is given.
public struct SSHCommand: Sendable {
    /// The command line, given to the user's login shell as it is.
    public var command: String
    /// How it is to be run.
    public var options: SSHCommandOptions
    /// What it reads.
    public var standardInput: SSHStandardInput
    /// Whether anything but exit status 0 throws.
    public var check: Bool

    /// A command to run.
    public init(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        check: Bool = false
    ) {
        self.command = command
        self.options = options
        self.standardInput = standardInput
        self.check = check
    }
}

extension SSHCommand {
    /// Why no connection would send it; nil if one would.
    package var refusal: SSHError? {
        options.fault(of: .command(command)).map { fault in
            var evidence = SSHEvidence(local: fault.event, stage: fault.stage ?? .local)
            evidence.command = SSHCommandEvidence(command: command)
            return SSHFailureClassifier.classify(evidence)
        }
    }
}
