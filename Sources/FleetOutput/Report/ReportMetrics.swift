import BridgeSSHFleet
import ErrorCore

/// A run as metrics in Prometheus' text format 0.0.4, for the textfile collector of node_exporter. The reason why a host was not
/// reached is a label. The number of series is bounded: one for each host and metric, and the codes are a closed list.
package enum ReportMetrics {
    /// The content of the file.
    package static func bytes(of report: FleetReport) -> [UInt8] {
        let hosts = report.hosts
        var text = ""
        func metric(_ name: String, _ help: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
        }
        metric("bridge_ssh_host_up", "Whether the login succeeded: 1 for ok, else 0; code says why not.")
        for host in hosts {
            text +=
                "bridge_ssh_host_up{host=\"\(value(host.name))\",outcome=\"\(host.outcome.rawValue)\",code=\"\(value(host.code ?? ""))\"} "
                + (host.outcome == .ok ? "1\n" : "0\n")
        }
        metric("bridge_ssh_host_duration_seconds", "From the beginning of the first attempt to the end of the last.")
        for host in hosts where host.attempts > 0 {
            text += "bridge_ssh_host_duration_seconds{host=\"\(value(host.name))\"} \(ReportChart.thousandths(host.duration))\n"
        }
        metric("bridge_ssh_hosts", "How many hosts have each outcome.")
        for outcome in FleetHostOutcome.allCases {
            text += "bridge_ssh_hosts{outcome=\"\(outcome.rawValue)\"} \(report.outcomes[outcome] ?? 0)\n"
        }
        metric("bridge_ssh_check_started_seconds", "When the check began, in seconds since 1970.")
        text += "bridge_ssh_check_started_seconds \(report.run.startedAt / 1000)\n"
        metric("bridge_ssh_check_duration_seconds", "How long the check took.")
        text += "bridge_ssh_check_duration_seconds \(ReportChart.thousandths(report.run.duration.boundedSeconds))\n"
        return Array(text.utf8)
    }

    /// The value of a label, with backslash, quotation mark and line feed escaped (Prometheus, "Exposition formats").
    private static func value(_ text: String) -> String {
        TerminalText.inert(text, limit: 1024).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
