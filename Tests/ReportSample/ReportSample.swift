import BridgeSSH
import BridgeSSHFleet
import Glibc

/// Writes the journal of an invented run, for scripts/check-report: `report-sample DIRECTORY HOSTS`. Its hosts end in
/// every way, and their names and outputs try to become markup.
@main
struct ReportSample {
    static let hostile = [
        "<script>document.title='owned'</script>", "\"><img src=x onerror=document.title='owned'>", "'; alert(1); '", "&lt;b&gt;",
        "</pre></details><h1>injected</h1>", "]]><x/>", "<!-- ", "\u{202E}moc.elpmaxe", "host\u{1B}[31mred", "שלום-עולם",
        "日本語の名前",
        "e\u{301}\u{301}\u{301}", "nul\u{1}bell\u{7}", String(repeating: "long-", count: 60) + "name", "two\nlines",
        "\u{FFFF}none",
    ]

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else { exit(64) }
        let names = (0..<count).map { $0 % 20 == 3 && $0 / 20 < hostile.count ? hostile[$0 / 20] : "web\($0 + 1)" }
        let subject = RunSubject(
            command: "systemctl restart \"</code><script>document.title='owned'</script>\" && echo done",
            arguments: ["run", "--batches", "1,10%,100%", "web[1-\(count)]"])
        let journal = try SQLiteJournal.create(subject, hosts: names, in: JournalDirectory(arguments[1]))
        // Concurrent writes share a commit.
        for start in stride(from: 0, to: count, by: 500) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for position in start..<min(count, start + 500) {
                    group.addTask {
                        let result = Self.result(names[position], position, of: count)
                        if result.outcome.mayHaveRun { try await journal.arm(result.host) }
                        try await journal.record(result)
                    }
                }
                try await group.waitForAll()
            }
        }
        var tally = FleetTally()
        for (position, name) in names.enumerated() { tally.add(result(name, position, of: count)) }
        try await journal.finish(tally.summary(run: journal.name, duration: .seconds(92), folded: { $0.joined(separator: ",") }))
        print(journal.path)
    }

    static func result(_ name: String, _ position: Int, of count: Int) -> FleetHostResult {
        var result = FleetHostResult(host: name, outcome: .ok, attempts: 1, termination: .exited(0))
        switch position % 97 {
        case 2:
            fail(&result, .failed, SSHError(.commandExitNonzero, host: name, commandMayHaveRun: .yes), .exited(position % 3 + 1))
        case 5: fail(&result, .error, SSHError(.connectRefused, host: name, commandMayHaveRun: .no), nil)
        case 7: fail(&result, .error, SSHError(.authKeyRejected, host: name, commandMayHaveRun: .no), nil)
        case 11: fail(&result, .unknown, SSHError(.sessionConnectionLost, host: name, commandMayHaveRun: .unknown), nil)
        case 13: fail(&result, .error, SSHError(.hostKeyChanged, host: name, commandMayHaveRun: .no), nil)
        case 17: return FleetHostResult(host: name, outcome: .skipped)
        default: break
        }
        // A long tail: most hosts take little time, a few take much.
        let spread = Double(position * 7919 % 1000) / 1000
        let time = 0.15 + spread * 0.4 + (position % 211 == 0 ? 30 * spread : 0)
        result.duration = .milliseconds(Int64(time * 1000))
        result.batch = position == 0 ? 1 : position < count / 10 ? 2 : 3
        result.beganAt = .milliseconds(Int64(Double(position) / Double(count) * 60_000) + Int64(result.batch * 1000))
        result.timings.seconds.resolve = 0.002
        result.timings.seconds.connect = 0.02
        result.timings.seconds.banner = 0.01
        result.timings.seconds.keyExchange = 0.04
        result.timings.seconds.authentication = 0.05
        result.timings.seconds.channel = 0.01
        result.timings.seconds.command = max(0, time - 0.132)
        guard result.outcome != .error else { return result }
        let kind = position % 53 == 0 ? "<b>\(name)</b> & \"other\"\u{1B}[31m" : "done"
        result.standardOutput = FleetKeptOutput(bytes: Array("restarted\n\(kind)\nall services are up\n".utf8))
        if position == 1 {
            result.standardOutput = FleetKeptOutput(bytes: Array(repeating: 0xFF, count: 70_000), total: 9_000_000)
        }
        if result.outcome == .failed {
            result.standardError = FleetKeptOutput(
                bytes: Array("Job failed: </pre><script>document.title='owned'</script>\n".utf8))
        }
        return result
    }

    static func fail(
        _ result: inout FleetHostResult, _ outcome: FleetHostOutcome, _ error: SSHError, _ termination: SSHTermination?
    ) {
        (result.outcome, result.error, result.termination) = (outcome, error, termination)
    }
}
