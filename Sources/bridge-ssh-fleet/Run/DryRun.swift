internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine

/// Describes a run without performing it.
struct DryRun {
    let job: FleetJob
    let hosts: [NamedHost]
    let plan: EnginePlan
    let limits: FleetLimits
    let between: String?
    /// The input of every host, for a person; nil for none.
    let input: String?
    let isRoot: Bool

    func show() { FleetProcess.show(lines.joined(separator: "\n") + "\n") }

    var lines: [String] {
        let names = hosts.map(\.name)
        var lines = [
            "would \(job.intent) on \(names.count) host\(names.count == 1 ? "" : "s")",
            "  hosts     " + ((try? HostSet(names.map { FleetHost(name: $0) }).folded) ?? names.joined(separator: ",")),
        ]
        if let (files, bytes) = job.transfer?.amount {
            lines.append("  files     \(Formatted.files(files)), \(Formatted.bytes(Int(clamping: bytes))) to each host")
        }
        if let transfer = job.transfer, transfer.direction == .fetch {
            let shown = names.prefix(4).map { transfer.target(for: $0) } + (names.count > 4 ? ["…"] : [])
            lines.append("  into      " + shown.joined(separator: ", "))
        }
        let most = plan.parallel.map(String.init) ?? "8 to \(AdaptiveParallelism.maximum)"
        var pace = "\(most) at once"
        if let rate = plan.rate { pace += ", at most \(rate) a second" }
        if plan.splay > .zero { pace += ", each up to \(plan.splay.components.seconds) s later" }
        lines.append("  pace      " + pace)
        let batches = BatchPlan(plan.batches, hosts: plan.hosts).ranges.map(\.count)
        if batches.count > 1 {
            let shown = batches.prefix(8).map(String.init).joined(separator: ", ") + (batches.count > 8 ? ", …" : "")
            lines.append("  batches   \(batches.count): \(shown)" + (between.map { "; in between: \($0)" } ?? ""))
        }
        for (rule, number) in plan.stop { lines.append("  stops     at \(number): \(rule)") }
        if limits.retries > 0 {
            lines.append(
                "  retries   up to \(limits.retries) a host, \(RetryBudget.size(hosts: plan.hosts)) in all"
                    + (limits.isIdempotent ? ", also where the command may have run" : ""))
        }
        if let wait = limits.loginWait {
            lines.append("  waits     up to \(wait.components.seconds) s for each host to accept the login")
        }
        if let input { lines.append("  input     \(input), to each host") }
        if isRoot { lines.append("  as root   through sudo") }
        return lines
    }
}
