import Foundation
import SSHTestSupport
import Testing

/// One call of ssh, made with the real ssh and with the stand-in.
struct StandInCall: Sendable {
    /// ssh's options, destination and command.
    var words: [String]
    var environment: [String: String] = [:]
    var input: ProcessRun.Input = .none

    /// The options with which a call to the sandbox succeeds; the first value of an option counts, so that others come before.
    static func options(_ box: SSHDSandbox, port: Int? = nil) async throws -> [String] {
        [
            "-F", "none", "-p", "\(port ?? box.port)", "-i", box.clientKeyFile, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes",
            "-o", "UserKnownHostsFile=\(try await box.knownHosts(port: port))", "-o", "GlobalKnownHostsFile=none", "-o",
            "IdentityAgent=none", "-o", "StrictHostKeyChecking=yes",
        ]
    }

    /// Calls the real ssh.
    func bySSH(
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { home in
            try await ProcessRun.run("ssh", words, environment: environment(home), input: input, body: body)
        }
    }

    /// Calls the stand-in, as `bridge-ssh ssh`.
    func byStandIn(
        _ own: [String] = [], body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ScratchDirectory.with { home in
            try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), ["ssh"] + own + words, environment: environment(home), input: input,
                body: body)
        }
    }

    /// The object of the verdict file.
    func verdict(_ own: [String] = []) async throws -> (JSON, ProcessResult) {
        try await ScratchDirectory.with { scratch in
            var call = self
            call.environment["BRIDGE_SSH_VERDICT_FILE"] = scratch.path("verdict")
            let result = try await call.byStandIn(own)
            let text = try String(contentsOfFile: scratch.path("verdict"), encoding: .utf8)
            let lines = text.split(separator: "\n")
            #expect(lines.count == 1, "\(text)")
            let mode = try FileManager.default.attributesOfItem(atPath: scratch.path("verdict"))[.posixPermissions] as? Int
            #expect(mode == 0o600)
            return (try JSON(parsing: Data((lines.last ?? "").utf8)), result)
        }
    }

    private func environment(_ home: ScratchDirectory) -> ProcessEnvironment {
        .exactly(
            ["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8", "TERM": "xterm"].merging(environment) { $1 })
    }
}

extension ProcessResult {
    /// Standard error without bridge-ssh's lines.
    var wordsOfSSH: String {
        // By bytes: ssh ends some lines with CR LF, which is one character.
        let lines = standardError.split(separator: 10, omittingEmptySubsequences: false)
            .filter { !$0.starts(with: "bridge-ssh: ".utf8) }
        return String(decoding: Array(lines.joined(separator: [10])), as: UTF8.self)
    }
}
