package import BridgeSSHFleet

/// A run as one object of the schema docs/json-schema-report.json, `bridge-ssh-fleet-report/1`.
package enum ReportJSON {
    /// Writes the object for a journal's run in pieces, so the outputs of ten thousand hosts are never in memory together.
    ///
    /// - Parameters:
    ///   - report: the report of the same journal.
    ///   - put: takes the next bytes.
    /// - Throws: `JournalProblem`; what `put` throws.
    package static func write(_ report: FleetReport, from reader: JournalReader, _ put: ([UInt8]) throws -> Void) throws {
        let subject = try reader.info().subject
        var head = JSONValue.members([
            "schema": .string("bridge-ssh-fleet-report/1"),
            "run": run(report.run, hosts: report.hosts.count),
            "outcomes": .object(
                FleetHostOutcome.allCases.map { .init(name: $0.rawValue, value: .integer(report.outcomes[$0] ?? 0)) }),
            "causes": .array(report.notices.failures.sorted.map { cause($0, report) }),
        ]).bytes
        head.removeLast()
        try put(head + Array(",\"hosts\":[".utf8))
        var left = Dictionary(report.hosts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var isFirst = true
        func add(_ members: [JSONValue.Member]) throws {
            try put((isFirst ? [] : [UInt8(ascii: ",")]) + [UInt8(ascii: "\n")] + JSONValue.object(members).bytes)
            isFirst = false
        }
        let json = FleetJSON(command: report.run.command)
        try reader.results { result in
            var result = result
            result.transfer = subject.transfer
            guard left.removeValue(forKey: result.host) != nil else { return }
            try add(json.ended(result))
        }
        // The journal contains no result of these hosts.
        for host in report.hosts where left[host.name] != nil {
            try add([
                .init(name: "host", value: .string(host.name)),
                .init(name: "outcome", value: .string(host.outcome.rawValue)),
                .init(name: "attempts", value: .integer(0)),
                .init(name: "result", value: .null),
            ])
        }
        try put(Array("\n]}\n".utf8))
    }

    private static func run(_ run: FleetReport.Run, hosts: Int) -> JSONValue {
        .members([
            "name": .string(run.name),
            "subcommand": .string(run.kind),
            "command": .string(run.command),
            "startedAt": .string(FleetTimestamp.text(run.startedAt)),
            "durationSeconds": .seconds(run.duration.boundedSeconds),
            "hosts": .integer(hosts),
            "exitStatus": run.exitStatus.map { .integer($0) } ?? .null,
            "isUnderWay": .bool(run.isUnderWay),
            "arguments": .array(run.arguments.map { .string($0) }),
            "journal": run.journal.map { .string($0) } ?? .null,
        ])
    }

    private static func cause(_ group: FailureGroups.Group, _ report: FleetReport) -> JSONValue {
        .members([
            "outcome": .string(group.outcome.rawValue),
            "code": .string(group.code),
            "title": .string(group.title),
            "message": group.message.map { .string($0) } ?? .null,
            "remedy": .string(group.remedy.commandLine),
            "remedies": group.remedy.json,
            "hosts": .string(report.folded(group.hosts)),
            "count": .integer(group.hosts.count),
        ])
    }
}
