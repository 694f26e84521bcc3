import BridgeSSHFleet
import ErrorCore

/// A run as JUnit XML, which CI systems read. Every host is a test case, even if it was never reached.
///
/// `failed` is a failure, `error` and `unknown` are errors, `skipped` is skipped; the type is the failure code. The end of a
/// host's output is its `system-out` and `system-err`. The elements and their order follow `junit-10.xsd`, the schema of Jenkins'
/// xunit plug-in.
package enum ReportJUnit {
    /// The content of the file.
    ///
    /// - Throws: `SSHError` if a kept output cannot be read back.
    package static func bytes(of report: FleetReport) throws -> [UInt8] {
        var outputs = CaseOutputs(report)
        var xml = Markup()
        let hosts = report.hosts
        let outcomes = report.outcomes
        func count(_ outcome: FleetHostOutcome) -> String { "\(outcomes[outcome] ?? 0)" }
        let errors = "\((outcomes[.error] ?? 0) + (outcomes[.unknown] ?? 0))"
        let time = ReportChart.thousandths(report.run.duration.boundedSeconds)
        let name = "bridge-ssh fleet \(report.run.kind): \(TerminalText.inert(report.run.command, limit: 200))"
        xml.fixed("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        try xml.element(
            "testsuites",
            // The schema has no number of skipped cases here.
            ["name": name, "tests": "\(hosts.count)", "failures": count(.failed), "errors": errors, "time": time]
        ) { xml in
            try xml.element(
                "testsuite",
                [
                    "name": name, "tests": "\(hosts.count)", "failures": count(.failed), "errors": errors,
                    "skipped": count(.skipped), "time": time,
                    // In UTC, because the schema has no time zone.
                    "timestamp": String(FleetTimestamp.text(report.run.startedAt).prefix(19)),
                ]
            ) { xml in
                xml.element("properties") { xml in
                    xml.empty("property", ["name": "run", "value": report.run.name])
                    xml.empty("property", ["name": "command", "value": report.run.command])
                    if let status = report.run.exitStatus { xml.empty("property", ["name": "exitStatus", "value": "\(status)"]) }
                }
                for host in hosts { try add(host, report.run, outputs.take(host), &xml) }
            }
        }
        return xml.bytes
    }

    private static func add(
        _ host: FleetReport.Host, _ run: FleetReport.Run, _ output: CaseOutputs.OutputTails, _ xml: inout Markup
    ) {
        let attributes: Markup.Attributes = [
            "classname": "bridge-ssh.fleet.\(run.kind)", "name": VisibleText.name(host.name),
            "time": ReportChart.thousandths(host.duration),
        ]
        xml.element("testcase", attributes) { xml in
            switch host.outcome {
            case .ok: break
            case .skipped: xml.empty("skipped", ["message": "never begun"])
            case .failed: xml.element("failure", problem(host), text: detail(host))
            case .error, .unknown: xml.element("error", problem(host), text: detail(host))
            }
            if let text = output.standardOutput { xml.element("system-out", text: text) }
            if let text = output.standardError { xml.element("system-err", text: text) }
        }
    }

    private static func problem(_ host: FleetReport.Host) -> Markup.Attributes {
        ["type": host.code ?? "ssh.fleet.\(host.outcome.rawValue)", "message": message(host)]
    }

    /// A message may quote what the host wrote.
    private static func message(_ host: FleetReport.Host) -> String {
        host.message.map { CaseOutputs.withoutAttachments(Redactor.standard.text($0)) } ?? host.ending
    }

    private static func detail(_ host: FleetReport.Host) -> String {
        let tries = host.attempts == 1 ? "1 try" : "\(host.attempts) tries"
        return [
            message(host),
            "\(host.outcome.rawValue) (\(ReportPage.explanation(host.outcome))): \(host.ending), after \(tries)", host.remedy,
        ].compactMap(\.self)
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
