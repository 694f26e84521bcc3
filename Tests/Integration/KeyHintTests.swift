import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The hint for a refused key, with the name as the person typed it.
@Suite("The hint for a refused key")
struct KeyHintTests {
    @Test("a key named without a directory is shown as a file, and the suggested command finds it", arguments: ["id", "id.pub"])
    func bareName(name: String) async throws {
        try await SSHDSandbox.run { box in
            let testRun = try await box.testRun()
            let key = try await TestKey.make(name: "stranger")
            try await AgentProcess.run(keys: [key]) { agent in
                try await ScratchDirectory.with { scratch in
                    _ = try scratch.write(key.publicKey + "\n", to: "id.pub")
                    let result = try await ProcessRun.run(
                        try BuiltExecutable.path("bridge-ssh"),
                        [
                            "run", "-F", "none", "--batch", "-p", "\(testRun.port)", "-l", "alice", "--agent", agent.socket,
                            "--known-hosts", testRun.knownHosts[0], "-i", name, testRun.host, "true",
                        ],
                        environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]),
                        directory: scratch.url.path)
                    let text = String(decoding: result.standardError, as: UTF8.self)
                        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    #expect(result.exitStatus == 197)
                    #expect(text.contains("did not accept the key ./\(name) ("), "\(text)")
                    #expect(text.contains("ssh-copy-id -i ./id.pub -p \(testRun.port) -F /dev/null"), "\(text)")
                    #expect(text.contains("-o UserKnownHostsFile=\(testRun.knownHosts[0]) alice@127.0.0.1"), "\(text)")
                }
            }
        }
    }
}
