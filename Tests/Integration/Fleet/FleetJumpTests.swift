import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A fleet behind a jump host, with nothing to offer but an agent's key.
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
                // One to the jump host, and one through it for each.
                #expect(fixture.box.connectionCount - before == 13)
                try await agent.removeAll()
                let none = try FleetLines(try await fixture.fleet(["run"] + way + ["h[1-12]", "true"]))
                #expect(none.outcomes["error"] == 12)
                #expect(Set((1...12).map { none.code(of: "h\($0)") }).count == 1 && none.code(of: "h1") != nil)
            }
        }
    }
}
