internal import ErrorCore

/// The JSON object of a copy, `bridge-ssh-copy/1`: see docs/json-schema-copy.json.
package struct CopyReport: Sendable {
    /// From where to where.
    package enum Direction: String, Sendable {
        case upload, download
        /// From one host to another, through this one.
        case relay
    }

    /// Nil if the arguments did not say.
    package var direction: Direction?
    /// Of a relay.
    package var sourceHost: String?
    package var endpoint = SSHEndpoint(unchecked: "", user: "")
    /// The host as it was typed.
    package var named = ""
    /// What made the connection: `libssh2`, or `ssh` of OpenSSH.
    package var via = "libssh2"
    package var sources: [String] = []
    package var target = ""
    private let outcome: CopyOutcome

    package init(_ outcome: CopyOutcome) { self.outcome = outcome }

    /// The report on a copy that never started.
    package init(error: SSHError) { self.init(CopyOutcome(error: error)) }

    /// The object.
    package var json: JSONValue {
        let (result, progress) = (outcome.result, outcome.progress)
        let failures = result?.failures ?? []
        let error = outcome.error ?? failures.first
        return .members([
            "schema": .string("bridge-ssh-copy/1"),
            "direction": direction.map { .string($0.rawValue) } ?? .null,
            "destination": .string(named), "host": .string(endpoint.host), "user": .string(endpoint.user),
            "port": .integer(endpoint.port), "via": .string(via),
            "sources": .array(sources.map(Self.path)), "target": Self.path(target),
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
            "partialFiles": .array((result?.partialFiles ?? []).sorted().map(Self.path)),
            "notices": .array((result?.notices ?? []).map { .string(TerminalText.inert($0, limit: 4096)) }),
            "durationSeconds": .number(outcome.durationSeconds),
            "timings": outcome.timings.json,
            "error": error?.json ?? .null,
            "failures": .array(failures.map(\.json)),
        ])
    }

    private static func path(_ path: String) -> JSONValue { .string(PathText.shown(path)) }
}
