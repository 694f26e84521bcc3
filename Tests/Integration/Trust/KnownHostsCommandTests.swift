import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Programs that print further known host keys (KnownHostsCommand of ssh_config(5)).
@Suite("KnownHostsCommand")
struct KnownHostsCommandTests {
    /// A run as alice with an empty known_hosts and a KnownHostsCommand with this script, which records its arguments.
    private func run(
        _ script: (SSHDSandbox) -> String, options: [String] = []
    ) async throws -> (result: ProcessResult, calls: [String]) {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(SSHDSandbox.Options("", hostKeys: [.ed25519, .ecdsa])) { box in
                try await ScratchDirectory.with { scratch in
                    let log = scratch.path("calls")
                    let text = "#!/bin/sh\necho \"$@\" >> \(log)\n\(script(box))\n"
                    let program = try scratch.write(text, to: "known", mode: 0o700)
                    let empty = try scratch.write("", to: "empty")
                    let arguments = [
                        "run", "-F", "none", "--batch", "--agent", "none", "-p", "\(box.port)", "-l", "alice", "-i",
                        box.clientKeyFile,
                        "--known-hosts", empty, "-o", "KnownHostsCommand=\(program) '%I x' %H %t %f %K 100%%", "127.0.0.1",
                        "true",
                    ]
                    let result = try await ProcessRun.run(
                        try BuiltExecutable.path("bridge-ssh"), arguments,
                        environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]))
                    let calls = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                    return (result, calls.split(separator: "\n").map(String.init))
                }
            }
        }
    }

    @Test("a host known only to the program is trusted, by the key type that it prints")
    func trusted() async throws {
        let (result, calls) = try await run { "echo \"[127.0.0.1]:\($0.port) \($0.hostKeys[1].publicKey)\"" }
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        #expect(calls.count == 2 && calls[0].hasPrefix("ORDER x [127.0.0.1]:") && calls[0].hasSuffix(" NONE NONE NONE 100%"))
        #expect(calls[1].contains(" ecdsa-sha2-nistp256 SHA256:") && calls[1].hasPrefix("HOSTNAME x "), "\(calls)")
    }

    @Test("a key that it revokes is revoked, and one that it does not print is unknown")
    func judged() async throws {
        let (revoked, _) = try await run {
            "echo \"@revoked * \($0.hostKeys[0].publicKey)\"; echo \"@revoked * \($0.hostKeys[1].publicKey)\""
        }
        #expect(revoked.exitStatus == 196 && revoked.errorOutput.contains("ssh.host-key.revoked"), "\(revoked.errorOutput)")
        let (unknown, _) = try await run { _ in "echo web1 nonsense" }
        #expect(unknown.exitStatus == 196 && unknown.errorOutput.contains("ssh.host-key.unknown"), "\(unknown.errorOutput)")
    }

    @Test("a failing program ends the connection, with its message", arguments: ["echo no database >&2; exit 3", "kill -9 $$"])
    func fails(_ script: String) async throws {
        let (result, calls) = try await run { "echo \"[127.0.0.1]:\($0.port) \($0.hostKeys[0].publicKey)\"; \(script)" }
        #expect(result.exitStatus == 199 && result.errorOutput.contains("ssh.local.config-invalid"), "\(result.errorOutput)")
        #expect(result.errorOutput.contains("exited with status") && calls.count == 1)
    }

    @Test("a path that is not absolute and a token without meaning are reported before anything is done")
    func wrong() async throws {
        for command in ["known", "/bin/true %z", "/bin/true 'x"] {
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"),
                ["run", "-F", "none", "--batch", "-o", "KnownHostsCommand=\(command)", "127.0.0.1", "true"],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]))
            #expect(result.exitStatus == 199 && result.errorOutput.contains("ssh.local.config-invalid"), "\(result.errorOutput)")
        }
    }
}
