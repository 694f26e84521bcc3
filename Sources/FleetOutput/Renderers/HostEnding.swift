import BridgeSSHFleet

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
