import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The log file and the error log of `bridge-ssh run`.
@Suite("Records")
struct RecordsTests {
    static let secrets = ["pw-of-mine-1", "phrase-of-mine-2", "arg-of-mine-3"]

    private func lines(_ path: String) throws -> [[String: Any]] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("stages, the failure and its facts are recorded, without secrets")
    func failure() async throws {
        try await SSHDSandbox.run { box in
            let (log, errors) = (box.directory.path("log"), box.directory.path("errors"))
            let key = try await TestKey.make(passphrase: Self.secrets[1])
            let options = [
                "--log-file", log, "--error-log", errors, "-i", try box.identityFile(key),
                "--password-file", try box.directory.write(Self.secrets[0], to: "password"),
                "--passphrase-file", try box.directory.write(Self.secrets[1], to: "passphrase"),
            ]
            let run = try await box.commandLine(options, "echo --password=\(Self.secrets[2]) >&2; exit 3")
            let result = try await run.result()
            #expect(result.exitStatus == 3)
            #expect(try mode(log) == 0o600 && mode(errors) == 0o600)
            let logged = try lines(log)
            for stage in ["resolve", "connect", "banner", "keyExchange", "authentication", "channel", "command"] {
                let line = try #require(logged.first { $0["ssh_stage"] as? String == stage }, "\(stage)")
                #expect(line["elapsed_seconds"] is Double && line["level"] as? String == "debug" && line["time"] is String)
            }
            let error = try #require(logged.last)
            #expect(error["error_code"] as? String == "ssh.command.exit-nonzero")
            #expect(error["category"] as? String == "command")
            #expect(error["severity"] as? String == "error" && error["level"] as? String == "error")
            #expect(error["ssh_host"] as? String == "127.0.0.1")
            #expect(error["exit_code"] as? Int == 3)
            #expect((error["ssh_command"] as? String)?.hasPrefix("echo --password=") == true)
            let reported = try lines(errors)
            #expect(reported.count == 1 && reported[0]["code"] as? String == "ssh.command.exit-nonzero")
            for path in [log, errors] {
                let text = try String(contentsOfFile: path, encoding: .utf8)
                for secret in Self.secrets { #expect(!text.contains(secret), "\(path)") }
            }
        }
    }

    @Test("a success leaves no line in the error log")
    func success() async throws {
        try await SSHDSandbox.run { box in
            let (log, errors) = (box.directory.path("log"), box.directory.path("errors"))
            let result = try await box.commandLine(["--log-file", log, "--error-log", errors]).result()
            #expect(result.exitStatus == 0)
            #expect(try lines(errors).isEmpty)
            #expect(try lines(log).last?["message"] as? String == "succeeded")
        }
    }

    @Test("each attempt is recorded")
    func attempts() async throws {
        try await FaultServer.run(.finishesAtOnce) { server in
            try await ScratchDirectory.with { scratch in
                let (log, errors) = (scratch.path("log"), scratch.path("errors"))
                _ = try await CommandLineRun(
                    options: ["--retries", "1", "--log-file", log, "--error-log", errors], port: server.port
                ).result()
                let retry = try #require(try lines(log).first { $0["wait_seconds"] != nil })
                #expect(retry["error_code"] as? String == "ssh.banner.closed" && retry["attempt"] as? Int == 1)
                #expect(try lines(errors).count == 1)
                let facts = try #require(try lines(errors)[0]["metadata"] as? [String: String])
                #expect(facts["attempts"] == "2" && facts["exit_status"] == "193" && facts["ssh_command"] == "true")
            }
        }
    }

    @Test("an unwritable file is wrong usage, before any connection", arguments: ["--log-file", "--error-log"])
    func unwritable(option: String) async throws {
        try await FaultServer.run(.finishesAtOnce) { server in
            for path in ["/nonexistent/log", "/", "/proc/version/log"] {
                let result = try await CommandLineRun(options: [option, path, "--json"], port: server.port).result()
                #expect(result.exitStatus == 199)
                #expect(result.output.contains("ssh.local.usage") && result.output.contains(option), "\(result.output)")
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test("wrong usage is recorded too")
    func usage() async throws {
        try await ScratchDirectory.with { scratch in
            let errors = scratch.path("errors")
            let result = try await CommandLineRun(options: ["--error-log", errors], port: 1, command: "").result()
            #expect(result.exitStatus == 199)
            #expect(try lines(errors).first?["code"] as? String == "ssh.local.usage")
        }
    }
}
