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

/// What became of one host of a fleet run. The list is closed: every host of a run ends with exactly one of them.
public enum FleetHostOutcome: String, Sendable, CaseIterable, Codable {
    /// The command ended with exit status 0, and all of its output came.
    case ok
    /// The command ran and ended with another status, or by a signal.
    case failed
    /// SSH failed, and the command did not run.
    case error
    /// SSH failed, and the command may have run.
    case unknown
    /// Work on the host never began.
    case skipped

    /// Whether the command ran or may have run.
    package var mayHaveRun: Bool { self == .ok || self == .failed || self == .unknown }
}

/// What a fleet run keeps of one output stream of one host.
public struct FleetKeptOutput: Sendable, Equatable {
    /// The first bytes, up to the run's output limit.
    public var bytes: [UInt8]
    /// How many bytes came, those past the limit included.
    public var total: Int
    /// SHA-256 of the bytes past the limit; empty where there are none. Two streams are equal if all three are.
    public var restDigest: [UInt8]

    /// What was kept.
    ///
    /// - Parameters:
    ///   - total: nil where all bytes are kept.
    ///   - restDigest: SHA-256 of the bytes that are not.
    public init(bytes: [UInt8] = [], total: Int? = nil, restDigest: [UInt8] = []) {
        self.bytes = bytes
        self.total = total ?? bytes.count
        self.restDigest = restDigest
    }

    /// Whether bytes are missing.
    public var isTruncated: Bool { total > bytes.count }
}

/// What is to be copied to a host, or from it.
package struct HostTransfer: Sendable, Equatable {
    package enum Direction: String, Sendable {
        /// From here to every host.
        case copy
        /// From every host to a directory of its own here.
        case fetch
    }

    package let direction: Direction
    /// The sources as they were typed.
    package let sources: [String]
    /// Where they go; empty for where the host's server starts.
    package let target: String
}
