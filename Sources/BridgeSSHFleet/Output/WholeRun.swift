import BridgeSSH

/// Adds up a run that was resumed: the hosts that were not run again, and the ends of the others.
struct WholeRun: Sendable {
    private(set) var tally: FleetTally
    /// What was known of hosts that are run again.
    private var before: [String: FleetHostResult] = [:]

    /// - Parameters:
    ///   - earlier: the hosts on which the command ran or may have run.
    ///   - names: the hosts that are run now.
    ///   - tally: one that has counted nothing yet.
    init(_ earlier: [FleetHostResult], running names: [String], tally: FleetTally) {
        var tally = tally
        let names = Set(names)
        for result in earlier {
            if names.contains(result.host) { before[result.host] = result } else { tally.add(result) }
        }
        self.tally = tally
    }

    mutating func add(_ result: FleetHostResult) {
        // Where it ran before, it has run.
        tally.add(result.outcome.mayHaveRun ? result : before[result.host] ?? result)
    }
}
