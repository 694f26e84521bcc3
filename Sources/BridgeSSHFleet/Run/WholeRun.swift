import BridgeSSH
import ErrorCore

/// Adds up a resumed run: the hosts that were not run again, and the new results of the others.
struct WholeRun: Sendable {
    private(set) var tally: FleetTally
    /// The earlier results of hosts that are run again.
    private var before: [String: FleetHostResult] = [:]

    /// - Parameters:
    ///   - earlier: the hosts on which the command ran or may have run.
    ///   - names: the hosts that run now.
    ///   - tally: an empty tally.
    init(_ earlier: [FleetHostResult], running names: [String], tally: FleetTally) {
        var tally = tally
        let names = Set(names)
        for result in earlier {
            if names.contains(result.host) { before[result.host] = result } else { tally.add(result) }
        }
        self.tally = tally
    }

    mutating func add(_ result: FleetHostResult) {
        // If the host was not reached again, its earlier result still counts.
        tally.add(result.outcome.mayHaveRun ? result : before[result.host] ?? result)
    }
}
