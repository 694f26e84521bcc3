import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A host whose HostName differs from the typed name: every text for a person begins with the typed name.
@Suite("Host names as typed")
struct NamedHostTests {
    private struct Setting {
        let box: SSHDSandbox
        let home: ScratchDirectory
        let config: String

        func run(_ arguments: [String], input: [UInt8] = []) async throws -> ProcessResult {
            try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), arguments,
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8"]), input: .bytes(input))
        }
    }

    private func setting(_ extra: String = "", _ body: (Setting) async throws -> Void) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { home in
            let config = try home.write(
                "Host prod-db-7\nHostName 127.0.0.1\nPort \(box.port)\nUser alice\nIdentityFile \(box.clientKeyFile)\n\(extra)",
                to: "config")
            try await body(Setting(box: box, home: home, config: config))
        }
    }

    private func object(_ text: String) throws -> JSON { try JSON(parsing: Data(text.utf8)) }

    @Test("the banner, -v and the doctor name it first, followed by the address")
    func persons() async throws {
        try await setting { setting in
            let options = ["-F", setting.config, "--batch", "--agent", "none", "--known-hosts", "/dev/null"]
            let banner = try await setting.run(["run", "-v"] + options + ["prod-db-7", "true"])
            let text = banner.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(banner.exitStatus == 196)
            #expect(text.contains("prod-db-7 (127.0.0.1) port \(setting.box.port) is not known yet"), "\(text)")
            #expect(text.contains("resolving prod-db-7 (127.0.0.1)"), "\(text)")
            let doctor = try await setting.run(["doctor"] + options.filter { $0 != "--batch" } + ["prod-db-7"])
            #expect(doctor.output.contains("prod-db-7 (127.0.0.1) port \(setting.box.port)"), "\(doctor.output)")
        }
    }

    @Test("JSON has the typed name and the dialled address")
    func programs() async throws {
        try await setting { setting in
            let options = ["-F", setting.config, "--agent", "none", "--known-hosts", try await setting.box.knownHosts()]
            for (subcommand, words) in [("run", ["true"]), ("doctor", []), ("trust", [])] {
                let result = try await setting.run([subcommand, "--json"] + options + ["alice@prod-db-7"] + words)
                let json = try object(result.output)
                #expect(json["destination"] == .string("alice@prod-db-7"), "\(subcommand): \(result.output)")
                #expect(json["host"] == .string("127.0.0.1"), "\(subcommand): \(result.output)")
            }
        }
    }

    @Test("every line of the log and of the error log has both, the process and the run")
    func logs() async throws {
        try await setting { setting in
            let (log, errors) = (setting.home.path("log"), setting.home.path("errors"))
            let options = [
                "-F", setting.config, "--batch", "--agent", "none", "--known-hosts", try await setting.box.knownHosts(),
            ]
            _ = try await setting.run(
                ["run"] + options + ["--log-file", log, "--error-log", errors, "prod-db-7", "exit 3"])
            let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { try object(String($0)) }
            #expect(lines.count > 5)
            for line in lines {
                #expect(line["ssh_destination"] == .string("prod-db-7") && line["ssh_host"] == .string("127.0.0.1"), "\(line)")
                #expect(line["run_id"] == lines[0]["run_id"] && line["run_id"] != nil)
                if case .integer? = line["pid"] {} else { Issue.record("\(line)") }
            }
            let failure = try #require(lines.last)
            for number in ["exit_code", "exit_status", "attempts", "ssh_port"] {
                if case .integer? = failure[number] {} else { Issue.record("\(number) is not a number: \(failure)") }
            }
            let record = try object(try String(contentsOfFile: errors, encoding: .utf8))
            #expect(record["source"] == nil && record["metadata"]?["ssh_destination"] == .string("prod-db-7"), "\(record)")
        }
    }

    @Test("the question about its key uses the typed name")
    func question() async throws {
        try await setting { setting in
            let result = try await TerminalRun.run(
                try BuiltExecutable.path("bridge-ssh"),
                ["run", "-F", setting.config, "--agent", "none", "--known-hosts", "/dev/null", "prod-db-7", "true"],
                environment: .exactly([
                    "PATH": "/usr/bin:/bin", "HOME": setting.home.url.path, "TERM": "xterm", "LANG": "C.UTF-8",
                ])
            ) { process in
                try await process.standardOutput.wait(for: "The host key of prod-db-7 (127.0.0.1) port")
                try await process.standardOutput.wait(for: "fingerprint: ")
                try await process.write("no\r")
            }
            #expect(result.exitStatus == 196)
        }
    }
}
