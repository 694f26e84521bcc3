import BridgeSSH
import Foundation
import SSHTestSupport

/// One call of `bridge-ssh run`, and its results.
struct CommandLineRun: Sendable {
    var options: [String] = []
    var port: Int
    var user = SandboxUser.alice.name
    var command = "true"
    var input = ProcessRun.Input.none

    /// Runs it with a separate home directory, without agent or terminal.
    func result(_ body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }) async throws -> ProcessResult {
        try await ScratchDirectory.with { home in
            let fixed = ["run", "--batch", "--agent", "none", "-p", "\(port)", "-l", user]
            return try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), fixed + options + ["127.0.0.1", "--", command],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8"]), input: input,
                body: body)
        }
    }
}

extension SSHDSandbox {
    /// A call that gets in with the client key, through `port`.
    func commandLine(
        _ options: [String] = [], _ command: String = "true", user: SandboxUser = .alice, through port: Int? = nil,
        input: ProcessRun.Input = .none
    ) async throws -> CommandLineRun {
        let trusted = ["-i", clientKeyFile, "--known-hosts", try await knownHosts(port: port)]
        return CommandLineRun(
            options: trusted + options, port: port ?? self.port, user: user.name, command: command, input: input)
    }

    /// The number of lines that a test's commands have left in a file of the sandbox's `/tmp`.
    func marks() -> Int {
        let text = try? String(contentsOf: temporaryDirectory.appendingPathComponent("marks"), encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    /// The number of connections that sshd has accepted.
    ///
    /// Its log ends lines with CR LF, which are one character.
    var connectionCount: Int {
        log.text.split(whereSeparator: \.isNewline).count { $0.contains("Connection from 127.0.0.1 port") }
    }
}
