package import BridgeSSHFleet

/// An invented run: its events, the results of its hosts, and its journal.
package enum SampleRun {
    package static let subject = RunSubject(command: "uptime")

    /// Names joined by commas: folding is tested elsewhere.
    @Sendable package static func joined(_ names: [String]) -> String { names.joined(separator: ",") }

    package static func started(_ hosts: Int, journal: String? = nil) -> FleetEvent {
        .started(.init(run: "20261123-021000-000abc", hosts: hosts, command: "uptime", parallel: 8, journal: journal))
    }

    package static func output(
        _ host: String, _ text: String, _ stream: SSHEvidence.OutputStream = .standardOutput
    ) -> FleetEvent {
        .output(host: host, stream: stream, bytes: Array(text.utf8))
    }

    package static func result(
        _ host: String, _ outcome: FleetHostOutcome = .ok, status: Int? = nil, code: SSHError.Code? = nil, output: String = "",
        error: String = ""
    ) -> FleetHostResult {
        var result = FleetHostResult(host: host, outcome: outcome, attempts: outcome == .skipped ? 0 : 1)
        let status = status ?? (outcome == .ok ? 0 : nil)
        result.termination = status.map { .exited($0) }
        if let code {
            result.error = SSHError(code, host: host, commandMayHaveRun: outcome == .unknown ? .unknown : .no)
        } else if outcome == .failed, let status {
            let ended = SSHCommandResult(command: "uptime", termination: .exited(status), standardError: Array(error.utf8))
            do { try ended.checked() } catch { result.error = error as? SSHError }
        }
        result.standardOutput = FleetKeptOutput(bytes: Array(output.utf8))
        result.standardError = FleetKeptOutput(bytes: Array(error.utf8))
        result.duration = .milliseconds(1500)
        return result
    }

    package static func ended(
        _ host: String, _ outcome: FleetHostOutcome = .ok, status: Int? = nil, code: SSHError.Code? = nil, output: String = "",
        error: String = ""
    ) -> FleetEvent {
        .ended(result(host, outcome, status: status, code: code, output: output, error: error))
    }

    package static func summary(_ results: [FleetHostResult]) -> FleetSummary {
        var tally = FleetTally()
        for result in results { tally.add(result) }
        return tally.summary(run: "20261123-021000-000abc", duration: .seconds(2), folded: joined)
    }

    /// A run that was interrupted: one host in each state.
    package static func interrupted(in directory: JournalDirectory) async throws -> String {
        let hosts = ["ok", "failed", "error", "unknown", "skipped", "armed", "none"]
        let journal = try SQLiteJournal.create(subject, hosts: hosts, in: directory)
        for host in ["ok", "failed", "unknown", "armed"] { try await journal.arm(host) }
        try await journal.record(result("ok"))
        try await journal.record(result("failed", .failed, status: 3))
        try await journal.record(result("error", .error, code: .authKeyRejected))
        try await journal.record(result("unknown", .unknown, code: .sessionConnectionLost))
        try await journal.record(result("skipped", .skipped))
        return journal.path
    }
}
