import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Runs of `bridge-ssh run` and `copy` that keep their connection, with a directory of their own for the helpers' sockets.
struct PersistFixture: Sendable {
    let box: SSHDSandbox
    /// XDG_RUNTIME_DIR.
    let runtime: ScratchDirectory
    /// The options that all of them share: only who has the same may share a connection.
    let options: [String]
    let executable: String

    /// Ends the helpers when `body` has ended, and proves that nothing is left of them.
    static func run(
        _ options: SSHDSandbox.Options = SSHDSandbox.Options(), _ body: (PersistFixture) async throws -> Void
    ) async throws {
        try await Gate.shared.pass {
            try await SSHDSandbox.run(options) { try await run(on: $0, body) }
        }
    }

    static func run(on box: SSHDSandbox, through port: Int? = nil, _ body: (PersistFixture) async throws -> Void) async throws {
        try await ScratchDirectory.with { runtime in
            // A longer name would not be used, and helpers be left in /tmp.
            try #require(runtime.url.path.utf8.count < 49)
            let options = [
                "--batch", "--agent", "none", "--config", "none", "-p", "\(port ?? box.port)", "-l", SandboxUser.alice.name, "-i",
                box.clientKeyFile, "--known-hosts", try await box.knownHosts(port: port),
            ]
            let fixture = PersistFixture(
                box: box, runtime: runtime, options: options, executable: try BuiltExecutable.path("bridge-ssh"))
            do {
                try await body(fixture)
                try await fixture.stopAll()
            } catch {
                try? await fixture.stopAll()
                throw error
            }
        }
    }

    func stopAll() async throws {
        _ = try await persist("stop", "--all")
        try await isEmpty()
    }

    /// Waits until no helper's file is left.
    func isEmpty() async throws {
        while !files.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    }

    var directory: URL { runtime.url.appendingPathComponent("bridge-ssh") }
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [] }

    private var environment: ProcessEnvironment {
        .exactly([
            "PATH": "/usr/bin:/bin", "HOME": runtime.url.path, "LANG": "C.UTF-8", "TERM": "xterm",
            "XDG_RUNTIME_DIR": runtime.url.path,
        ])
    }

    // MARK: Running

    /// A run; with `keep` nil its connection is not kept.
    func run(
        _ command: String, _ more: [String] = [], keep: String? = "10m", input: ProcessRun.Input = .none,
        executable: String? = nil, _ body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ProcessRun.run(
            executable ?? self.executable, arguments(command, more, keep), environment: environment, input: input, body: body)
    }

    /// A copy; with `keep` nil its connection is not kept. `H:` in a place is replaced by the server.
    func copy(
        _ places: [String], _ more: [String] = [], keep: String? = "10m", executable: String? = nil,
        _ body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        let access = options.map { $0 == "-p" ? "-P" : $0 }
        return try await ProcessRun.run(
            executable ?? self.executable,
            ["copy"] + access + (keep.map { ["--persist", $0] } ?? []) + more
                + places.map { $0.hasPrefix("H:") ? "127.0.0.1" + $0.dropFirst() : $0 },
            environment: environment, body: body)
    }

    /// A run at a terminal.
    func type(
        _ command: String, _ more: [String] = [], keep: String? = "10m", options: [String]? = nil,
        _ body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await TerminalRun.run(
            executable, arguments(command, more, keep, options), environment: environment, columns: 91, rows: 33, body: body)
    }

    private func arguments(_ command: String, _ more: [String], _ keep: String?, _ options: [String]? = nil) -> [String] {
        ["run"] + (options ?? self.options) + (keep.map { ["--persist", $0] } ?? []) + more + ["127.0.0.1", "--", command]
    }

    // MARK: Helpers

    func persist(_ words: String...) async throws -> ProcessResult {
        try await ProcessRun.run(executable, ["persist"] + words, environment: environment)
    }

    /// `persist list --json`.
    func helpers() async throws -> [JSON] {
        let result = try await persist("list", "--json")
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofPersist().faults(object) == [], "\(result.output)")
        guard case .array(let helpers)? = object["helpers"] else { return [] }
        return helpers
    }

    /// Waits until so many runs and copies are under way over the only helper's connection.
    func isRunning(_ count: Int) async throws {
        while try await helpers().first?["running"] != .integer(count) { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Checks that each of two builds of the executable uses its own helper and its own connection.
    ///
    /// - Parameter use: runs or copies with the executable that it is given, or with this fixture's own for nil.
    func keepsBuildsApart(_ use: (_ executable: String?) async throws -> Void) async throws {
        let other = runtime.path("other")
        try ExecutableFile.copy(executable, to: other)
        try await use(other)
        let process = try await helper()
        try await use(nil)
        let next = try await helper()
        #expect(next != process)
        #expect(box.connectionCount == 2)
    }

    /// The process of the only helper.
    func helper() async throws -> Int32 {
        let helpers = try await helpers()
        try #require(helpers.count == 1, "\(helpers)")
        guard case .integer(let process)? = helpers[0]["pid"] else { return -1 }
        return Int32(process)
    }
}
