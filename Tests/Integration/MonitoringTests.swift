import Foundation
import SSHTestSupport
import Testing

/// Results of runs for other systems: monitoring, CI systems, schedulers.
@Suite("Monitoring and CI") struct MonitoringTests {
    private static func check(_ box: SSHDSandbox, _ arguments: [String]) async throws -> ProcessResult {
        let known = try await box.knownHosts()
        return try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"),
            ["check", "-F", "none", "--known-hosts", known, "--agent", "none", "-i", box.clientKeyFile] + arguments)
    }

    @Test("a check prints one line with state, code and times, and has a plugin's status")
    func check() async throws {
        try await SSHDSandbox.run { box in
            let place = "alice@\(box.host)"
            let good = try await Self.check(box, ["-p", "\(box.port)", place])
            #expect(good.exitStatus == 0 && good.errorOutput.isEmpty, "\(good.errorOutput)")
            #expect(good.output.hasPrefix("SSH OK - \(place): logged in in "))
            let times = try #require(good.output.firstMatch(of: /authentication=([0-9.]+)s;;;0/))
            #expect(Double(times.1) ?? 0 > 0)
            let slow = try await Self.check(box, ["-p", "\(box.port)", "-c", "1ms", place])
            #expect(slow.exitStatus == 2 && slow.output.hasPrefix("SSH CRITICAL"))
            let refused = try await Self.check(box, ["-p", "1", place])
            #expect(refused.exitStatus == 2 && refused.output.hasPrefix("SSH CRITICAL - \(place): [ssh.connect.refused] "))
            let wrong = try await Self.check(box, ["--port", "x", place])
            #expect(wrong.exitStatus == 3 && wrong.output.hasPrefix("SSH UNKNOWN - [ssh.local.usage] "))
            for result in [good, slow, refused, wrong] { #expect(result.output.filter { $0 == "\n" }.count == 1) }
        }
    }

    @Test("a fleet's check writes a file of metrics, with the reason as a label")
    func metrics() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("web\(number)") }
            fixture.add("refused1", port: 1)
            let file = try fixture.directory("out") + "/ssh.prom"
            let result = try await fixture.fleet(["check", "-q", "--prometheus", file, "web[1-2],refused1"])
            #expect(result.exitStatus == 1)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.contains("bridge_ssh_host_up{host=\"web1\",outcome=\"ok\",code=\"\"} 1"))
            #expect(lines.contains("bridge_ssh_host_up{host=\"refused1\",outcome=\"error\",code=\"ssh.connect.refused\"} 0"))
            #expect(lines.contains("bridge_ssh_hosts{outcome=\"ok\"} 2"))
            let sample = /[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.]+/
            #expect(lines.allSatisfy { $0.hasPrefix("# ") || $0.wholeMatch(of: sample) != nil })
        }
    }

    @Test("a failed run is an annotation and a row of the job summary; standard output stays the command's")
    func annotations() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("web\(number)") }
            fixture.add("refused1", port: 1)
            let summary = try fixture.directory("out") + "/summary.md"
            let words = try await fixture.words(["run", "--output", "live", "web[1-2],refused1", "echo done"])
            var environment = fixture.variables
            environment["GITHUB_ACTIONS"] = "true"
            environment["GITHUB_STEP_SUMMARY"] = summary
            let fleet = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh-fleet"), words, environment: .exactly(environment))
            #expect(fleet.errorOutput.contains("::error title=ssh.connect.refused::refused1: "))
            #expect(!fleet.output.contains("::error"))
            let single = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), try await fixture.words(["run", "refused1", "true"]),
                environment: .exactly(environment))
            #expect(single.exitStatus == 193 && single.errorOutput.contains("::error title=ssh.connect.refused::refused1: "))
            let text = try String(contentsOfFile: summary, encoding: .utf8)
            #expect(text.components(separatedBy: "### ").count == 3)
            #expect(text.contains("1 of 3 hosts is not ok\\: the command did not run on 1\\."))
        }
    }

    @Test("the guide's rules for schedulers retry jobs that did not run, and never jobs that may have run or failed")
    func schedulers() async throws {
        let guide = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/guides/scripting.md"),
            encoding: .utf8)
        let rules = [
            /exit_codes: \[([0-9, ]+)\]/, /action: Count\n.*values: \[([0-9, ]+)\]/, /RequeueExit=([0-9,]+)/,
            /REQUEUE_EXIT_VALUES = ([0-9 ]+)/,
        ]
        let retried = try rules.map { rule -> Set<Int32> in
            let found = try #require(guide.firstMatch(of: rule))
            return Set(found.1.split { ", ".contains($0) }.compactMap { Int32($0) })
        }
        try await FleetFixture.with { fixture in
            fixture.add("web1")
            fixture.add("refused1", port: 1)
            let log = "/tmp/ran-\(fixture.box.port)"
            // A scheduler that retries the statuses of its rule, at most twice.
            func tries(_ rule: Set<Int32>, _ host: String, _ command: String) async throws -> [Int32?] {
                var count: Int32 = 0
                while true {
                    let words = try await fixture.words(["run", "--batch", "--exit-status", "strict", host, command])
                    let result = try await ProcessRun.run(
                        try BuiltExecutable.path("bridge-ssh"), words, environment: .exactly(fixture.variables))
                    count += 1
                    if count == 3 || !(result.exitStatus.map(rule.contains) ?? false) { return [count, result.exitStatus] }
                }
            }
            for (index, rule) in retried.enumerated() {
                #expect(!rule.contains(198) && !rule.contains(1) && !rule.contains(0))
                let refused = try await tries(rule, "refused1", "true")
                #expect(refused == [3, 193])
                let failed = try await tries(rule, "web1", "echo x >> \(log)-\(index); exit 193")
                #expect(failed == [1, 1])
                // The connection is lost while the command runs.
                let lost = try await tries(rule, "web1", "echo x >> \(log)-\(index); kill -9 $PPID")
                #expect(lost == [1, 198])
                let counted = try await tries(rule, "web1", "test $(wc -l < \(log)-\(index)) = 2")
                #expect(counted == [1, 0])
            }
        }
    }
}
