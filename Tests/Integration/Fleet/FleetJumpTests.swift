import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A fleet behind a jump host, with only an agent's key to offer.
@Suite("A fleet through a jump host") struct FleetJumpTests {
    @Test("hosts share one connection to it, and the agent signs for all of them")
    func agent() async throws {
        let key = try await TestKey.make()
        var options = FleetFixture.options
        options.authorize(key, for: .alice)
        try await AgentProcess.run(keys: [key]) { agent in
            try await FleetFixture.with(options) { fixture in
                fixture.namesKeyFile = false
                let keys = "IdentityAgent \(agent.socket)"
                fixture.add("gate", [keys])
                for number in 1...12 { fixture.add("h\(number)", ["ProxyJump gate", keys]) }
                let way = ["--output", "jsonl", "--journal", "none"]
                let before = fixture.box.connectionCount
                let result = try await fixture.fleet(["run"] + way + ["h[1-12]", "echo $LC_HOST"])
                let lines = try FleetLines(result)
                #expect(lines.outcomes["ok"] == 12, "\(result.errorOutput)")
                for number in 1...12 {
                    #expect(lines.ends["h\(number)"]?.first?["result"]?["stdout"]?.text == "h\(number)\n")
                }
                // One connection to the jump host, and one through it for each host.
                #expect(fixture.box.connectionCount - before == 13)
                try await agent.removeAll()
                let none = try FleetLines(try await fixture.fleet(["run"] + way + ["h[1-12]", "true"]))
                #expect(none.outcomes["error"] == 12)
                #expect(Set((1...12).map { none.code(of: "h\($0)") }).count == 1 && none.code(of: "h1") != nil)
            }
        }
    }

    @Test("hosts behind a jump host that is down are one group, which names it")
    func dead() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("gate", port: 1)
            for number in 1...3 { fixture.add("h\(number)", ["ProxyJump gate"]) }
            let result = try await fixture.fleet(["run", "--journal", "none", "h[1-3]", "true"])
            #expect(result.exitStatus == 193, "\(result.errorOutput)")
            #expect(result.errorOutput.contains("3 hosts: Connection Refused, at the jump host gate (127.0.0.1) port 1"))
        }
    }

    @Test("SIGHUP ends a fleet with the status of that signal")
    func hangup() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let result = try await fixture.fleet(["run", "h1", "echo begun; sleep 600"]) { process in
                try await process.standardOutput.wait(for: "begun")
                process.send(signal: SIGHUP)
            }
            #expect(result.exitStatus == 129, "\(result.errorOutput)")
        }
    }

    @Test("a list shows when a run began, and cuts a command that is longer than a line")
    func list() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let long = String(repeating: "x", count: 30_000)
            #expect(try await fixture.fleet(["run", "h1", "true \(long)"]).exitStatus == 0)
            let result = try await fixture.program(["list"])
            let line = result.output.split(separator: "\n").first ?? ""
            #expect(line.count <= 240 && line.hasSuffix("…"), "\(line.count) \(result.errorOutput)")
            #expect(line.contains(#/ [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} /#), "\(line)")
        }
    }
}
