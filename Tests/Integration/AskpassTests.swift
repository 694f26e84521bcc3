import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Programs that ask instead of the terminal (SSH_ASKPASS of ssh(1)).
@Suite("SSH_ASKPASS")
struct AskpassTests {
    /// A run as alice, with an askpass program that records its arguments, prompt type and messages, and then runs a script.
    private func run(
        _ script: String, options: [String] = [], environment more: [String: String] = ["SSH_ASKPASS_REQUIRE": "force"],
        server: SSHDSandbox.Options = SSHDSandbox.Options(),
        prepare: (SSHDSandbox, ScratchDirectory) async throws -> [String] = { box, _ in
            ["--known-hosts", try await box.knownHosts()]
        }
    ) async throws -> (result: ProcessResult, prompts: [String]) {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(server) { box in
                try await ScratchDirectory.with { scratch in
                    let log = scratch.path("prompts")
                    let helper = try scratch.write(
                        """
                        #!/bin/sh
                        printf '%s|%s|%s\\n' "$#" "$1" "${SSH_ASKPASS_PROMPT-unset}" | tr '\\n' '~' >> \(log); echo >> \(log)
                        \(script)
                        """, to: "helper", mode: 0o700)
                    var variables = ["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]
                    variables.merge(["SSH_ASKPASS": helper, "SSH_ASKPASS_PROMPT": "confirm"]) { $1 }
                    variables.merge(more) { $1 }
                    let arguments = ["-p", "\(box.port)", "-l", "alice", "-F", "none", "--agent", "none"]
                    // In its own session, and so without a terminal.
                    let result = try await ProcessRun.run(
                        "setsid",
                        ["--wait", try BuiltExecutable.path("bridge-ssh"), "run"] + arguments + options
                            + prepare(box, scratch) + ["127.0.0.1", "--", "cat; echo done"],
                        environment: .exactly(variables), input: .bytes(Array("for the command\n".utf8)))
                    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                    return (result, text.split(separator: "\n").map { $0.hasSuffix("~") ? String($0.dropLast()) : String($0) })
                }
            }
        }
    }

    @Test("the password is the first line that the helper prints")
    func password() async throws {
        let (result, prompts) = try await run("printf 'alice-pw\\r\\nmore\\n'; cat")
        #expect(result.exitStatus == 0 && result.output == "for the command\ndone\n", "\(result.errorOutput)")
        #expect(prompts == ["1|Password of alice at 127.0.0.1: |unset"])
        #expect(!result.errorOutput.contains("alice-pw"))
    }

    @Test("a passphrase is asked for once, and again if it is wrong")
    func passphrase() async throws {
        let key = try await TestKey.make(passphrase: "correct horse")
        var server = SSHDSandbox.Options()
        server.authorize(key, for: .alice)
        // The second answer is the right one.
        let script =
            "if [ $(wc -l < $0.count 2>/dev/null || echo 0) -ge 1 ]; then echo 'correct horse'; else echo wrong; fi; echo >> $0.count"
        let (result, prompts) = try await run(script, server: server) { box, _ in
            ["--known-hosts", try await box.knownHosts(), "-i", try box.identityFile(key)]
        }
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        #expect(prompts.count == 2 && prompts.allSatisfy { $0.contains("Passphrase for ") && $0.hasSuffix(": |unset") })
        #expect(prompts.last?.contains("Wrong passphrase. Try again.") == true)
    }

    @Test("an unknown host key needs a yes, and a helper with other answers is asked a limited number of times")
    func hostKey() async throws {
        let yes = "case \"$1\" in *fingerprint:*) echo yes;; *) echo alice-pw;; esac"
        let (accepted, prompts) = try await run(yes) { _, scratch in ["--known-hosts", scratch.path("known")] }
        #expect(accepted.exitStatus == 0, "\(accepted.errorOutput)")
        #expect(prompts.count == 2 && prompts[0].contains("SHA256:"))
        let (refused, more) = try await run("echo alice-pw") { _, scratch in ["--known-hosts", scratch.path("known")] }
        #expect(refused.exitStatus == 196 && more.count == 3, "\(refused.errorOutput)")
    }

    @Test("a failing, missing or forbidden helper gives no answer", arguments: ["exit 1", "kill -9 $$"])
    func noAnswer(_ script: String) async throws {
        let (result, prompts) = try await run("echo alice-pw; \(script)")
        // Once, although the server takes a password by two methods.
        #expect(result.exitStatus == 197 && prompts.count == 1, "\(result.errorOutput) \(prompts)")
        #expect(result.errorOutput.contains("ssh.auth.interaction-required"), "\(result.errorOutput)")
        let (missing, _) = try await run("", environment: ["SSH_ASKPASS_REQUIRE": "force", "SSH_ASKPASS": "/no/helper"])
        #expect(missing.exitStatus == 197 && missing.errorOutput.contains("/no/helper cannot be started"))
        for environment in [["SSH_ASKPASS_REQUIRE": "never", "DISPLAY": ":0"], [:]] {
            let (unused, none) = try await run("echo alice-pw", environment: environment)
            #expect(unused.exitStatus == 197 && none.isEmpty)
        }
        let (batch, silent) = try await run("echo alice-pw", options: ["--batch"])
        #expect(batch.exitStatus == 197 && silent.isEmpty)
    }

    @Test(
        "an endless helper gives no answer; one whose children stay gives its own", .timeLimit(.minutes(2)))
    func endless() async throws {
        let (much, _) = try await run("exec head -c 10000000 /dev/zero")
        #expect(much.exitStatus == 197 && much.errorOutput.contains("its answer is ignored"), "\(much.errorOutput)")
        let (forEver, _) = try await run("yes | cat")
        #expect(forEver.exitStatus == 197, "\(forEver.errorOutput)")
        // The child has the pipe, and the helper has ended.
        try await ScratchDirectory.with { scratch in
            let child = scratch.path("child")
            let (left, prompts) = try await run("echo alice-pw; sleep 1000 & echo $! > \(child); exit 0")
            if let number = pid_t((try String(contentsOfFile: child, encoding: .utf8)).dropLast()) { kill(number, SIGKILL) }
            #expect(left.exitStatus == 0 && prompts.count == 1, "\(left.errorOutput)")
        }
    }

    @Test("without a terminal and with a display the helper is asked")
    func display() async throws {
        let (result, prompts) = try await run("echo alice-pw", environment: ["DISPLAY": ":99"])
        #expect(result.exitStatus == 0 && prompts.count == 1, "\(result.errorOutput)")
    }

    @Test("several keyboard-interactive questions are several calls, with the server's text before them")
    func questions() async throws {
        let (result, prompts) = try await run("echo alice-pw", server: .withPAM) { box, _ in
            ["--known-hosts", try await box.knownHosts(), "-o", "PreferredAuthentications=keyboard-interactive"]
        }
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        #expect(prompts == ["1|(alice@127.0.0.1) Password: |unset"])
    }
}

extension SSHDSandbox.Options {
    /// With keyboard-interactive.
    fileprivate static var withPAM: Self {
        var options = Self("KbdInteractiveAuthentication yes\nPasswordAuthentication no")
        options.usePAM = true
        return options
    }
}
