public import BridgeSSH

/// The result of one host of a fleet run.
public struct FleetHostResult: Sendable, Equatable {
    /// The host as the run names it; unique in the run.
    public var host: String
    /// The outcome of the host.
    public var outcome: FleetHostOutcome
    /// The number of attempts; 0 for a host that was skipped.
    public var attempts: Int
    /// The end of the command; nil if it is unknown or no command ran.
    public var termination: SSHTermination?
    /// The error of `failed`, `error` and `unknown`; nil for `ok` and `skipped`.
    public var error: SSHError?
    /// The part of the command's standard output that was kept.
    public var standardOutput = FleetKeptOutput()
    /// The part of the command's standard error that was kept.
    public var standardError = FleetKeptOutput()
    /// From the start of the first attempt to the end of the last; zero for a host that was skipped.
    public var duration: Duration
    /// When the first attempt began, since the start of the run.
    public var beganAt = Duration.zero
    /// The destination's endpoint; nil if it was never known.
    public var endpoint: SSHEndpoint?
    /// The durations of the last attempt's stages.
    public var timings = SSHStageTimings()
    /// The number of the host's batch, from 1.
    public var batch = 1
    /// The result of copying, if files were copied; its lists have at most 100 entries.
    public var copied: SFTPCopyResult?
    /// The device's shell that the command was typed into; nil for an exec request.
    package var shell: SSHShellEvidence?
    /// The server's offer of post-quantum key exchange; nil if it is not known.
    package var postQuantum: PostQuantumOffer?
    /// What became of the host keys that the server announced; nil if known_hosts had them all.
    package var hostKeyUpdate: HostKeyUpdate?
    /// The variables of `--env` that the host refused to set.
    package var refusedVariables: [String] = []
    /// The files to copy; nil if a command was to run.
    package var transfer: HostTransfer?

    /// A result.
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

/// The outcome of one host of a fleet run. The list is closed: every host of a run ends with exactly one of them.
public enum FleetHostOutcome: String, Sendable, CaseIterable, Codable {
    /// The command ended with exit status 0, and all of its output arrived.
    case ok
    /// The command ran and ended with another status, or was ended by a signal.
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

/// The part of one host's output stream that a fleet run keeps.
public struct FleetKeptOutput: Sendable, Equatable {
    /// The first bytes, up to the run's output limit.
    public var bytes: [UInt8]
    /// The number of bytes that arrived, including those past the limit.
    public var total: Int
    /// SHA-256 of the bytes past the limit; empty if there are none. Two streams are equal if all three properties are.
    public var restDigest: [UInt8]

    /// The kept output.
    ///
    /// - Parameters:
    ///   - bytes: the first bytes, up to the run's output limit.
    ///   - total: the number of bytes that arrived; nil if all were kept.
    ///   - restDigest: SHA-256 of the bytes that were not kept.
    public init(bytes: [UInt8] = [], total: Int? = nil, restDigest: [UInt8] = []) {
        self.bytes = bytes
        self.total = total ?? bytes.count
        self.restDigest = restDigest
    }

    /// Whether bytes are missing.
    public var isTruncated: Bool { total > bytes.count }
}

/// The files to copy to or from a host.
package struct HostTransfer: Sendable, Equatable {
    package enum Direction: String, Sendable {
        /// From this machine to every host.
        case copy
        /// From every host to its own directory on this machine.
        case fetch
    }

    package let direction: Direction
    /// The sources as they were typed.
    package let sources: [String]
    /// The target path; empty for the directory in which the host's server starts.
    package let target: String
}

/// An event of a fleet run. `started` is always the first event and `summary` the last one.
public enum FleetEvent: Sendable {
    /// The run begins.
    case started(Start)
    /// A piece of a host's output, as it arrived.
    case output(host: String, stream: SSHEvidence.OutputStream, bytes: [UInt8])
    /// A host has its outcome. Every host of the run gets exactly one.
    case ended(FleetHostResult)
    /// A cause on this machine pauses the run. No further host begins until `resumed`.
    case paused(reason: String)
    /// The cause on this machine has ended, and hosts begin again.
    case resumed(reason: String)
    /// The next batch begins.
    case batch(number: Int, of: Int, hosts: Int)
    /// No further host begins. Hosts that were not begun are skipped.
    case stopped(rule: String?, reason: String)
    /// The run is over.
    case summary(FleetSummary)

    /// The beginning of a run.
    public struct Start: Sendable {
        /// The run's name in the journal, `resume` and `@run:`.
        public var run: String
        /// The number of hosts of the run.
        public var hosts: Int
        /// The command, as a person would read it.
        public var command: String
        /// The initial number of hosts that run at once.
        public var parallel: Int
        /// The rules that end the run early, and the number of hosts at which each applies.
        public var stopRules: [(rule: String, at: Int)]
        /// The path of the journal; nil without one.
        public var journal: String?
        /// The input of every host's command: `-` for this process's standard input, or the path of a file. Nil for no input, and
        /// for a script, which is itself sent on standard input.
        public var stdin: String?
        /// Whether anything is done on each host after its login.
        package var runsAfterLogin = true
        /// What makes the connections: `libssh2`, or OpenSSH's `ssh`.
        package var via = "libssh2"

        /// The start of a run.
        public init(
            run: String, hosts: Int, command: String, parallel: Int, stopRules: [(rule: String, at: Int)] = [],
            journal: String? = nil
        ) {
            self.run = run
            self.hosts = hosts
            self.command = command
            self.parallel = parallel
            self.stopRules = stopRules
            self.journal = journal
        }
    }
}
