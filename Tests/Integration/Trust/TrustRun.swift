import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Calls of `bridge-ssh trust` on one sandbox, with a known_hosts file of the test's own.
struct TrustRun: Sendable {
    let box: SSHDSandbox
    let scratch: ScratchDirectory

    /// The file that is read and written.
    var file: String { scratch.path("known") }
    /// The host's name in it.
    var name: String { "[127.0.0.1]:\(box.port)" }

    static func with(
        _ options: SSHDSandbox.Options = SSHDSandbox.Options("MaxStartups 100"), _ body: (TrustRun) async throws -> Void
    ) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(options) { box in
                try await ScratchDirectory.with { try await body(TrustRun(box: box, scratch: $0)) }
            }
        }
    }

    private var environment: ProcessEnvironment {
        .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8", "TERM": "xterm"])
    }

    private func arguments(_ options: [String]) -> [String] {
        [
            "trust", "-F", "none", "--agent", "none", "-p", "\(box.port)", "-l", "alice", "--known-hosts", file,
            "--connect-timeout", "60",
        ]
            + options + ["127.0.0.1"]
    }

    /// Runs `trust` without a person to ask.
    func batch(_ options: String...) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), arguments(["--batch"] + options), environment: environment)
    }

    /// Runs `trust` without a person to ask. No file can grow beyond this many bytes, as on a full disk.
    func batch(_ options: String..., fileLimit: Int) async throws -> ProcessResult {
        let program = ["--fsize=\(fileLimit)", try BuiltExecutable.path("bridge-ssh")]
        return try await ProcessRun.run("prlimit", program + arguments(["--batch"] + options), environment: environment)
    }

    /// Returns the JSON, which must follow the schema.
    func json(_ options: String...) async throws -> JSON {
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), arguments(["--batch", "--json"] + options), environment: environment)
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofTrust().faults(object) == [], "\(result.output)")
        #expect(object["exitStatus"] == .integer(Int(result.exitStatus ?? -1)))
        return object
    }

    /// Runs `trust` at a terminal, where a person types these answers, one per question.
    func person(_ answers: String..., options: [String] = []) async throws -> ProcessResult {
        try await TerminalRun.run(
            try BuiltExecutable.path("bridge-ssh"), arguments(options), environment: environment
        ) { process in
            var place = 0
            for answer in answers {
                place = try await process.standardOutput.wait(for: "fingerprint: ", after: place)
                try await process.write(answer + "\r")
            }
        }
    }

    /// The keys that can be verified here: RSA only with libssh2 1.11.
    var visible: [TestKey] {
        zip(box.options.hostKeys, box.hostKeys).filter { $0.0 != .rsa || InstalledLibrary.is111 }.map(\.1)
    }

    /// As ssh-keygen prints it.
    func fingerprint(of key: TestKey) async throws -> String {
        let path = try scratch.write(key.publicKey + "\n", to: "key.pub")
        let result = try await ProcessRun.check("ssh-keygen", ["-l", "-f", path])
        return String(result.output.split(separator: " ")[1])
    }

    /// The picture as ssh-keygen draws it.
    func picture(of key: TestKey) async throws -> [Substring] {
        let path = try scratch.write(key.publicKey + "\n", to: "key.pub")
        return try await ProcessRun.check("ssh-keygen", ["-l", "-v", "-f", path]).output.split(separator: "\n").dropFirst().map {
            $0
        }
    }

    /// The lines of the file; none if there is no file.
    var lines: [String] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func line(_ key: TestKey) -> String { "\(name) \(key.publicKey)" }
}
