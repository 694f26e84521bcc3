/// What a run writes down of its hosts, so that an interrupted run can go on without running a host twice.
package protocol RunJournal: Sendable {
    /// Returns when it is durable that the command may be sent to the host. Many hosts share one commit.
    ///
    /// - Throws: `SSHError` if it cannot be written; the command must not be sent then.
    func arm(_ host: String) async throws
    /// Takes down that a file has been copied whole to or from a host. It is durable soon; what is lost is copied again.
    func copied(_ file: String, size: UInt64, on host: String)
    /// The sizes of the files that were copied whole in an interrupted run, by their sources' paths.
    func copied(on host: String) async throws -> [String: UInt64]
    /// Takes down what the hosts read on standard input, once that is known: SHA-256 of it, or nil for nothing.
    func read(_ digest: [UInt8]?) async throws
    /// Takes the host's outcome down. Returns when it is durable.
    func record(_ result: FleetHostResult) async throws
    /// Writes the summary, and ends the journal. Nothing is written after it.
    func finish(_ summary: FleetSummary) async throws
}

extension RunJournal {
    package func read(_ digest: [UInt8]?) async throws {}
    package func copied(_ file: String, size: UInt64, on host: String) {}
    package func copied(on host: String) async throws -> [String: UInt64] { [:] }
}
