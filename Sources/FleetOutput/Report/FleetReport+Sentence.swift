import BridgeSSHFleet

extension FleetReport {
    /// `5 of 40 hosts are not ok: the command failed on 3 and did not run on 2.`
    package var sentence: String {
        let (hosts, outcomes) = (names.count, self.outcomes)
        func count(_ outcome: FleetHostOutcome) -> Int { outcomes[outcome] ?? 0 }
        let bad = hosts - count(.ok)
        guard bad > 0 else {
            return hosts == 0
                ? "The run has no hosts." : hosts == 1 ? "The host is ok." : "All \(hosts) hosts are ok."
        }
        let (subject, error, unknown) =
            switch run.kind {
            case "run", "script": ("the command", "did not run", "may have run")
            case "check": ("the login", "was not possible", "may have been made")
            default: ("the copy", "was not begun", "may have been made in part")
            }
        let parts: [(FleetHostOutcome, String)] = [
            (.failed, "failed"), (.error, error), (.unknown, unknown), (.skipped, "was never tried"),
        ]
        let told = parts.filter { count($0.0) > 0 }.map { "\($0.1) on \(count($0.0))" }
        let list = told.count < 2 ? told.joined() : told.dropLast().joined(separator: ", ") + " and " + (told.last ?? "")
        return "\(bad) of \(Formatted.hosts(hosts)) \(bad == 1 ? "is" : "are") not ok: \(subject) \(list)."
    }

    /// A cause and the hosts that failed with it.
    package struct Cause: Sendable {
        package let code: String
        package let title: String
        package let message: String
        package let remedy: String
        /// The folded names.
        package let hosts: String
        package let count: Int
    }

    /// The failures by cause, most frequent first, then the hosts whose end is not known.
    package var causes: [Cause] {
        let known = notices.failures.sorted.map { group in
            Cause(
                code: group.code, title: group.title, message: group.message ?? group.title,
                remedy: group.remedy.commandLine, hosts: folded(group.hosts), count: group.hosts.count)
        }
        let unended = hosts.filter { $0.outcome == .unknown && $0.code == nil }
        guard let first = unended.first else { return known }
        return known + [
            Cause(
                code: "unknown", title: "No end is known", message: first.message ?? first.ending, remedy: "Look there first.",
                hosts: folded(unended.map(\.name)), count: unended.count)
        ]
    }
}
