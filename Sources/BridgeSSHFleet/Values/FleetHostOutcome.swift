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
