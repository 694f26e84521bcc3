/// What a journal says of its run as a whole.
package struct RunInfo: Sendable, Equatable {
    package let name: String
    /// The path of the journal.
    package let path: String
    package let subject: RunSubject
    package let hosts: Int
    /// Milliseconds since 1970.
    package let startedAt: Int64
    /// Nil for a run that was interrupted, or is under way.
    package let finishedAt: Int64?
    package let exitStatus: Int?
    /// Whether the hosts' output is kept.
    package let keepsOutput: Bool
    /// All five outcomes, with how many hosts have each. Hosts without a record count as skipped.
    package let outcomes: [FleetHostOutcome: Int]
}
