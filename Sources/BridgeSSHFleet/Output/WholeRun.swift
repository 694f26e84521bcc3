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

/// How a host ended, as text for a heading or a line.
struct HostEnding: Hashable {
    let outcome: FleetHostOutcome
    let code: String?
    let termination: SSHTermination?

    init(_ result: FleetHostResult) {
        outcome = result.outcome
        code = result.error?.code.rawValue
        termination = result.termination
    }

    /// `ok`, `exit status 3`, `killed by SIGKILL`, `ssh.session.connection-lost`.
    var text: String {
        switch (outcome, termination) {
        case (.ok, _): return "ok"
        case (.skipped, _): return "skipped"
        case (_, .exited(let status)?) where status != 0: return "exit status \(status)"
        case (_, .signalled(let signal)?):
            let name = signal.name.hasPrefix("SIG") ? String(signal.name.dropFirst(3)) : signal.name
            return "killed by SIG" + VisibleText.name(name)
        default: return code ?? outcome.rawValue
        }
    }
}
