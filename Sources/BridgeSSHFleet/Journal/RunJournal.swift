/// What a run writes down of its hosts, so that an interrupted run can go on without running a host twice.
package protocol RunJournal: Sendable {
    /// Returns when it is durable that the command may be sent to the host. Many hosts share one commit.
    ///
    /// - Throws: `SSHError` if it cannot be written; the command must not be sent then.
    func arm(_ host: String) async throws
    /// Takes the host's outcome down. Returns when it is durable.
    func record(_ result: HostResult) async throws
    /// Writes the summary, and ends the journal. Nothing is written after it.
    func finish(_ summary: FleetSummary) async throws
}
