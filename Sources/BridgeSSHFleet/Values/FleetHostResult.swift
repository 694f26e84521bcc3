public import BridgeSSH

/// The end of one host of a fleet run.
public struct FleetHostResult: Sendable, Equatable {
    /// The host as the run names it: unique in the run.
    public var host: String
    /// What became of it.
    public var outcome: FleetHostOutcome
    /// How often the host was tried; 0 for a host that was skipped.
    public var attempts: Int
    /// How the command ended, where it did.
    public var termination: SSHTermination?
    /// The verdict of `failed`, `error` and `unknown`; nil for `ok` and `skipped`.
    public var error: SSHError?
    /// What is kept of the command's standard output.
    public var standardOutput = FleetKeptOutput()
    /// What is kept of the command's standard error.
    public var standardError = FleetKeptOutput()
    /// From the begin of the first attempt to the end of the last; zero for a host that was skipped.
    public var duration: Duration
    /// When the first attempt began, counted from the begin of the run.
    public var beganAt = Duration.zero
    /// Where the host was reached; nil where that was never known.
    public var endpoint: SSHEndpoint?
    /// Where the time of the last attempt went.
    public var timings = SSHStageTimings()
    /// The batch that the host was in, from 1.
    public var batch = 1
    /// What was copied, where files were; its lists have 100 entries at most.
    public var copied: SFTPCopyResult?
    /// What was to be copied; nil where a command was to be run.
    package var transfer: HostTransfer?

    /// An end.
    public init(
        host: String, outcome: FleetHostOutcome, attempts: Int = 0, termination: SSHTermination? = nil, error: SSHError? = nil,
        duration: Duration = .zero
    ) {
        self.host = host
        self.outcome = outcome
        self.attempts = attempts
        self.termination = termination
        self.error = error
        self.duration = duration
    }
}
