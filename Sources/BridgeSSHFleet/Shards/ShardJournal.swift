import BridgeSSH

/// The journal of a shard. It arms no host that another journal has claimed.
package struct ShardJournal: RunJournal {
    private let journal: any RunJournal
    private let claims: ShardClaims

    package init(_ journal: any RunJournal, _ claims: ShardClaims) {
        self.journal = journal
        self.claims = claims
    }

    /// - Throws: what the journal throws; `HostIsClaimed` if another journal has claimed the host.
    package func arm(_ host: String) async throws {
        let isTaken: Bool
        do { isTaken = try await claims.take(host) } catch let problem as JournalProblem { throw problem.verdict }
        guard isTaken else { throw HostIsClaimed(host: host) }
        try await journal.arm(host)
    }

    package func record(_ result: FleetHostResult) async throws {
        try await journal.record(result)
        // It is durable now that the command did not run.
        if result.outcome == .error || result.outcome == .skipped { await claims.release(result.host) }
    }

    package func copied(_ file: String, size: UInt64, on host: String) { journal.copied(file, size: size, on: host) }
    package func copied(on host: String) async throws -> [String: UInt64] { try await journal.copied(on: host) }
    package func read(_ digest: [UInt8]?) async throws { try await journal.read(digest) }
    package func finish(_ summary: FleetSummary) async throws {
        claims.end()
        try await journal.finish(summary)
    }
}

/// Another journal has claimed the host, so its process may run the command there, or may have run it.
struct HostIsClaimed: Error {
    let host: String

    var verdict: SSHError {
        SSHError(
            .commandOutcomeUnknown,
            message: "Another copy of this shard has begun \(VisibleText.name(host)), and the command may have run there; it was "
                + "not sent again.",
            remedy: """
                Look at the host. Once the shards are merged, \(run: "bridge-ssh fleet resume --again unknown", .mayBeWrong) runs it \
                again.
                """,
            host: host, commandMayHaveRun: .unknown)
    }
}
