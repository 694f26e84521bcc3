import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite("Settings of ssh's configuration that a copy uses") struct CopyPlanTests {
    private func plan(_ file: String, _ options: String...) throws -> CopyPlan {
        let command = try JoinedOptions.parse(["copy"] + options + ["a", "web1:"])
        return try CopyPlan(try #require(command as? CopyCommand), launchEnvironment: .configured(file))
    }

    @Test("ServerAliveInterval 0 turns keepalives off, unless an option asks for them") func keepalive() throws {
        #expect(try plan("ServerAliveInterval 0\n").keepsStill)
        #expect(try plan("", "-oServerAliveInterval=0").keepsStill)
        #expect(try !plan("").keepsStill)
        #expect(try !plan("ServerAliveInterval 5\n").keepsStill)
        let asked = try plan("ServerAliveInterval 0\n", "--keepalive", "3")
        #expect(!asked.keepsStill && asked.run.configuration.keepalive?.interval == .seconds(3))
    }

    @Test("a port after -p, as for ssh, is not taken for a file") func port() throws {
        #expect(throws: UsageProblem.self) { try plan("", "-p", "65122") }
        #expect(try plan("", "-p").options.preservesAttributes)
    }
}
