import Foundation
import SSHTestSupport
import Testing

/// A jump host and a destination that have the same user, name and address, and different passwords.
@Suite("Passwords of a chain")
struct ChainPasswordTests {
    /// PAM records every password that it receives.
    private static func server(_ name: String, password: String) -> SSHDSandbox.Options {
        var options = SSHDSandbox.Options("PubkeyAuthentication no\nKbdInteractiveAuthentication no")
        options.users = [SandboxUser(name: "alice", id: 2001, password: password)]
        options.usePAM = true
        options.hostKeyName = name
        let rest = ["account", "password", "session"].map { "\($0) required pam_unix.so\n" }.joined()
        options.files["/etc/pam.d/sshd"] = SandboxFile(
            "auth required pam_exec.so expose_authtok quiet /etc/record\nauth required pam_unix.so\n" + rest)
        options.files["/etc/record"] = SandboxFile("#!/bin/sh\n{ cat; echo; } | tr '\\0' '\\n' >> /tmp/offered\n", mode: 0o755)
        return options
    }

    private func offered(_ box: SSHDSandbox) throws -> [String] {
        let text = try String(contentsOf: box.temporaryDirectory.appendingPathComponent("offered"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    /// Answers like a person who is asked for the jump host's password first; any further question is an error.
    private static let helper = """
        #!/bin/sh
        echo "$1" >> "$0.log"
        case $(wc -l < "$0.log") in 1) echo jump-pw;; 2) echo inner-pw;; *) echo one-too-many;; esac

        """

    @Test(
        "each password is offered only to its own hop, even if the chain is made again", arguments: [[], ["--persist", "10m"]])
    func ownHop(options: [String]) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(Self.server("jump", password: "jump-pw")) { jump in
                try await SSHDSandbox.run(Self.server("inner", password: "inner-pw")) { inner in
                    try await FaultProxy.run(to: inner.port) { proxy in
                        let result = try await run(options, jump, inner, proxy)
                        #expect(result.exitStatus == 0, "\(result.errorOutput)")
                        #expect(inner.marks() == 2, "\(result.errorOutput)")
                        let (atJump, atInner) = (try offered(jump), try offered(inner))
                        #expect(atJump == ["jump-pw", "jump-pw"])
                        #expect(atInner == ["inner-pw", "inner-pw"])
                    }
                }
            }
        }
    }

    private func run(
        _ options: [String], _ jump: SSHDSandbox, _ inner: SSHDSandbox, _ proxy: FaultProxy
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { scratch in
            let helper = try scratch.write(Self.helper, to: "helper", mode: 0o700)
            let file = try scratch.write(
                """
                Host *
                  HostName 127.0.0.1
                  User alice
                  IdentityAgent none
                  PreferredAuthentications password
                Host jump
                  Port \(jump.port)
                  UserKnownHostsFile \(try await jump.knownHosts())
                Host inner
                  Port \(proxy.port)
                  ProxyJump jump
                  UserKnownHostsFile \(try await inner.knownHosts(port: proxy.port))

                """, to: "config")
            let executable = try BuiltExecutable.path("bridge-ssh")
            let environment = ProcessEnvironment.exactly([
                "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": scratch.url.path,
                "SSH_ASKPASS": helper, "SSH_ASKPASS_REQUIRE": "force",
            ])
            let result = try await ProcessRun.run(
                executable,
                ["run", "-F", file, "--retries", "3", "--idempotent"] + options + ["inner", "--", RetryTests.markAndStay],
                environment: environment
            ) { process in
                try await process.standardOutput.wait(for: "started")
                await proxy.trigger(.reset)
            }
            _ = try await ProcessRun.check(executable, ["persist", "stop", "--all"], environment: environment)
            return result
        }
    }
}
