import BridgeSSH
import ErrorCore

/// The JSON object of a copy, `bridge-ssh-copy/1`: see docs/json-schema-copy.json.
struct CopyReport {
    /// Nil if the arguments did not say.
    private var direction: String?
    /// Of a relay.
    private var sourceHost: String?
    private var endpoint = SSHEndpoint(unchecked: "", user: "")
    private var named = ""
    private var sources: [String] = []
    private var target = ""
    private var outcome: CopyOutcome

    init(_ plan: CopyPlan, _ outcome: CopyOutcome) {
        direction = plan.direction.rawValue
        sourceHost = plan.sourceRun?.endpoint.host
        endpoint = plan.run.endpoint
        named = plan.run.destination
        (sources, target) = (plan.sources, plan.destination)
        self.outcome = outcome
    }

    /// The report on a copy that never started.
    init(error: SSHError) {
        outcome = CopyOutcome()
        outcome.error = error
    }

    /// The object.
    var json: JSONValue {
        let (result, progress) = (outcome.result, outcome.progress)
        let failures = result?.failures ?? []
        let error = outcome.error ?? failures.first
        return .members([
            "schema": .string("bridge-ssh-copy/1"),
            "direction": direction.map { .string($0) } ?? .null,
            "destination": .string(named), "host": .string(endpoint.host), "user": .string(endpoint.user),
            "port": .integer(endpoint.port),
            "sources": .array(sources.map { .string($0) }), "target": .string(target),
            "sourceHost": sourceHost.map { .string($0) } ?? .null,
            "outcome": .string(error != nil ? "failed" : outcome.isComplete ? "succeeded" : "incomplete"),
            "files": .integer(result?.files ?? progress.files),
            "directories": .integer(result?.directories ?? 0),
            "symbolicLinks": .integer(result?.symbolicLinks ?? 0),
            "bytes": .integer(Int(clamping: result?.bytes ?? progress.bytes)),
            "resumedBytes": .integer(Int(clamping: result?.resumedBytes ?? 0)),
            "verifiedFiles": .integer(result?.verifiedFiles ?? 0),
            "unverifiedFiles": .integer(result?.unverifiedFiles ?? 0),
            "leftOut": .integer(result?.leftOut ?? 0),
            "failureCount": .integer(result?.failureCount ?? 0),
            "attempts": .integer(outcome.attempts),
            "partialFiles": .array((result?.partialFiles ?? []).sorted().map { .string($0) }),
            "notices": .array((result?.notices ?? []).map { .string(TerminalText.inert($0, limit: 4096)) }),
            "durationSeconds": .number(outcome.durationSeconds),
            "timings": outcome.timings.json,
            "error": error?.json ?? .null,
            "failures": .array(failures.map(\.json)),
        ])
    }
}
