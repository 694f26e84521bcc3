import Foundation
import SSHTestSupport
import Testing

@Suite struct SSHDSandboxTests {
    @Test func logsInWithAKeyAndRunsACommand() async throws {
        try await SSHDSandbox.run { box in
            let result = try await ssh(box, "alice", ["id -un; hostname; echo $$"])
            let lines = result.output.split(separator: "\n")
            #expect(lines.prefix(2) == ["alice", "box"])
            #expect(result.termination == .exited(0))
        }
    }
}

/// Runs OpenSSH's client on a sandbox.
func ssh(
    _ box: SSHDSandbox, _ user: String, options: [String] = [], identity: String? = nil, _ command: [String]
) async throws -> ProcessResult {
    let known = try await box.knownHosts()
    return try await ProcessRun.run(
        "ssh",
        ["-F", "none", "-i", identity ?? box.clientKeyFile, "-o", "UserKnownHostsFile=\(known)", "-o", "BatchMode=yes"]
            + ["-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=yes"] + options
            + ["-p", "\(box.port)", "\(user)@\(box.host)"] + command,
        environment: .exactly(["PATH": "/usr/bin:/bin"]))
}
