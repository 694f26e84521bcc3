package import BridgeSSHFleet

/// Converts the events of a run to objects of docs/json-schema-fleet.json, `bridge-ssh-fleet/1`.
package struct FleetJSON: Sendable {
    /// The command of the run, which is repeated in each host's object.
    private var command = ""
    /// The SSH client that makes the run's connections.
    private var via = "libssh2"

    package init(command: String = "") { self.command = command }

    /// The object of an event.
    ///
    /// - Parameter time: milliseconds since 1970.
    package mutating func object(_ event: FleetEvent, time: Int64) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "schema", value: .string("bridge-ssh-fleet/1")),
            .init(name: "event", value: .string(Self.name(event))),
            .init(name: "time", value: .string(FleetTimestamp.text(time))),
        ]
        func add(_ name: String, _ value: JSONValue) { members.append(.init(name: name, value: value)) }
        switch event {
        case .started(let start):
            (command, via) = (start.command, start.via)
            add("run", .string(start.run))
            add("hosts", .integer(start.hosts))
            add("command", .string(start.command))
            add("parallel", .integer(start.parallel))
            add("stopRules", .array(start.stopRules.map { .members(["rule": .string($0.rule), "at": .integer($0.at)]) }))
            add("journal", start.journal.map { .string($0) } ?? .null)
            add("stdin", start.stdin.map { .string($0) } ?? .null)
        case .output(let host, let stream, let bytes):
            add("host", .string(host))
            add("stream", .string(stream.rawValue))
            if let text = String(validating: bytes, as: UTF8.self) {
                add("text", .string(text))
            } else {
                add("base64", .base64(bytes))
            }
        case .ended(let result): members += ended(result)
        case .paused(let reason), .resumed(let reason): add("reason", .string(reason))
        case .batch(let number, let count, let hosts):
            add("reason", .string("batch \(number) of \(count)"))
            add("number", .integer(number))
            add("of", .integer(count))
            add("hosts", .integer(hosts))
        case .stopped(let rule, let reason):
            add("reason", .string(reason))
            add("rule", rule.map { .string($0) } ?? .null)
        case .summary(let summary): members += Self.members(summary)
        }
        return .object(members)
    }

    /// The members for a host's result, without schema and time.
    package func ended(_ result: FleetHostResult) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init(name: "host", value: .string(result.host)),
            .init(name: "outcome", value: .string(result.outcome.rawValue)),
            .init(name: "attempts", value: .integer(result.attempts)),
            .init(name: "result", value: result.outcome == .skipped ? .null : result.json(command: command, via: via)),
        ]
        let omitted = [("stdout", result.standardOutput), ("stderr", result.standardError)].filter { $0.1.isTruncated }
        if !omitted.isEmpty {
            let values = omitted.map { JSONValue.Member(name: $0.0, value: Self.omitted($0.1)) }
            members.append(.init(name: "omitted", value: .object(values)))
        }
        return members
    }

    private static func omitted(_ output: FleetKeptOutput) -> JSONValue {
        .members([
            "bytes": .integer(output.total - output.bytes.count),
            "sha256": output.restDigest.isEmpty ? nil : .string(output.restDigest.hexadecimal),
        ])
    }

    private static func members(_ summary: FleetSummary) -> [JSONValue.Member] {
        [
            .init(name: "run", value: .string(summary.run)),
            .init(name: "hosts", value: .integer(summary.hosts)),
            .init(name: "outcomes", value: json(summary.outcomes)),
            .init(name: "groups", value: .array(summary.groups.map(json))),
            .init(name: "durationSeconds", value: .seconds(summary.duration.boundedSeconds)),
            .init(name: "exitStatus", value: .integer(Int(summary.exitStatus))),
            .init(
                name: "whole",
                value: summary.whole.map { .members(["hosts": .integer($0.hosts), "outcomes": json($0.outcomes)]) } ?? .null),
        ]
    }

    private static func json(_ outcomes: [FleetHostOutcome: Int]) -> JSONValue {
        .object(FleetHostOutcome.allCases.map { .init(name: $0.rawValue, value: .integer(outcomes[$0] ?? 0)) })
    }

    private static func json(_ group: FleetSummary.Group) -> JSONValue {
        .members([
            "outcome": .string(group.outcome.rawValue), "code": group.code.map { .string($0) } ?? .null,
            "exitStatus": group.exitStatus.map { .integer($0) } ?? .null, "hosts": .string(group.hosts),
            "count": .integer(group.count),
        ])
    }

    private static func name(_ event: FleetEvent) -> String {
        switch event {
        case .started: "started"
        case .output: "output"
        case .ended: "ended"
        case .paused: "paused"
        case .resumed: "resumed"
        case .batch: "batch"
        case .stopped: "stopped"
        case .summary: "summary"
        }
    }
}

extension FleetHostResult {
    /// The object for a run or a copy.
    fileprivate func json(command: String, via: String) -> JSONValue {
        if let transfer { return report(of: transfer).json }
        var report = report(command: command)
        report.via = via
        return report.json
    }

    /// The host's result as `bridge-ssh copy --json` reports a copy.
    private func report(of transfer: HostTransfer) -> CopyReport {
        var outcome = CopyOutcome(error: error)
        outcome.result = copied
        outcome.timings = timings
        outcome.durationSeconds = duration.boundedSeconds
        outcome.attempts = max(1, attempts)
        var report = CopyReport(outcome)
        report.direction = transfer.direction == .copy ? .upload : .download
        report.endpoint = endpoint ?? SSHEndpoint(unchecked: error?.evidence.host ?? host, user: error?.evidence.user ?? "")
        report.named = host
        report.sources = transfer.sources
        report.target = transfer.target
        return report
    }

    /// The host's result as `bridge-ssh run --json` reports a run.
    fileprivate func report(command: String) -> RunReport {
        let evidence = error?.evidence
        var report = RunReport(
            host: endpoint?.host ?? evidence?.host ?? host, port: endpoint?.port ?? evidence?.port ?? 22,
            user: endpoint?.user ?? evidence?.user ?? "", command: command, destination: host)
        if let error { report.take(error) }
        if let termination { report.take(termination) }
        report.shell = report.shell ?? shell
        report.postQuantum = postQuantum ?? report.postQuantum
        report.hostKeyUpdate = hostKeyUpdate
        report.standardOutput = standardOutput.bytes
        report.standardError = standardError.bytes
        report.durationSeconds = duration.boundedSeconds
        report.timings = timings
        report.attempts = attempts
        return report
    }
}

/// Writes one JSON object per line, `bridge-ssh-fleet/1`.
package struct JSONLinesRenderer: FleetRenderer {
    private struct Source: Hashable {
        let host: String
        let stream: SSHEvidence.OutputStream
    }

    /// Whether output is written as it arrives.
    package let needsPieces: Bool
    private let now: @Sendable () -> Int64
    private var json = FleetJSON()
    /// The first bytes of an incomplete UTF-8 character, at most three for each stream.
    private var partialLines: [Source: [UInt8]] = [:]

    /// - Parameters:
    ///   - streams: whether output is written as it arrives.
    ///   - now: milliseconds since 1970.
    package init(streams: Bool, now: @escaping @Sendable () -> Int64 = FleetTimestamp.now) {
        needsPieces = streams
        self.now = now
    }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) {
        switch event {
        case .output(let host, let stream, let bytes):
            guard needsPieces else { return }
            let source = Source(host: host, stream: stream)
            let all = (partialLines.removeValue(forKey: source) ?? []) + bytes
            let end = all[...].endOfCharacters
            if end < all.count { partialLines[source] = Array(all[end...]) }
            if end > 0 { write(.output(host: host, stream: stream, bytes: Array(all[..<end])), &pieces) }
        case .ended(let result):
            for stream in SSHEvidence.OutputStream.allCases {
                guard let rest = partialLines.removeValue(forKey: Source(host: result.host, stream: stream)) else { continue }
                write(.output(host: result.host, stream: stream, bytes: rest), &pieces)
            }
            write(event, &pieces)
        default: write(event, &pieces)
        }
    }

    private mutating func write(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) {
        let object = json.object(event, time: now())
        var lines: [RenderedPiece] = []
        object.write(end: "\n") { lines.append(RenderedPiece(.standardOutput, $0)) }
        pieces += lines
    }
}
