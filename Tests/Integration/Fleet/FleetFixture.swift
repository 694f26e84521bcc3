import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Names of ssh's configuration that lead to one sandboxed sshd, and others that lead to failures.
struct FleetFixture {
    let box: SSHDSandbox
    /// The configuration's lines so far.
    private(set) var lines: [String] = []
    let home: ScratchDirectory
    /// Whether the configuration names a key file for all hosts.
    var namesKeyFile = true

    /// Every host tells its command its own name in `LC_HOST`.
    static let options: SSHDSandbox.Options = {
        var options = SSHDSandbox.Options("MaxStartups 100:30:200")
        options.acceptedEnvironment = ["LC_*"]
        return options
    }()

    init(_ box: SSHDSandbox, home: ScratchDirectory) {
        self.box = box
        self.home = home
    }

    mutating func add(_ name: String, port: Int? = nil, user: SandboxUser = .alice, _ more: [String] = []) {
        lines += [
            "Host \(name)", "  HostName \(box.host)", "  Port \(port ?? box.port)", "  User \(user.name)",
            "  SetEnv LC_HOST=\(name)",
        ]
        lines += more.map { "  " + $0 }
    }

    /// Adds a `Match` block before the blocks of the hosts.
    mutating func match(_ conditions: String, _ setting: String) { lines = ["Match \(conditions)", "  " + setting] + lines }

    /// Gives all hosts with the port `old` another port.
    mutating func replace(port old: Int, with port: Int) {
        lines = lines.map { $0 == "  Port \(old)" ? "  Port \(port)" : $0 }
    }

    /// Words of the program with the configuration that names the hosts, after the subcommand.
    func words(_ arguments: [String]) async throws -> [String] {
        let common = [
            "Host *", namesKeyFile ? "  IdentityFile \(box.clientKeyFile)" : "", "  IdentityAgent none",
            "  GlobalKnownHostsFile none",
            "  UserKnownHostsFile \(try await box.knownHosts())", "  StrictHostKeyChecking yes",
            // The first value counts, so a host may have less. On a busy machine sixty logins take long.
            "  ConnectTimeout 120",
        ]
        let config = try home.write((lines + common).joined(separator: "\n") + "\n", to: "config")
        var words = arguments
        words.insert(contentsOf: ["-F", config], at: 1)
        return words
    }

    /// The output and the exit status of `bridge-ssh-fleet`, with the configuration, and a home directory of its own.
    func fleet(
        _ arguments: [String], input: ProcessRun.Input = .none,
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await program(words(arguments), input: input, body: body)
    }

    /// The same with only these arguments.
    func program(
        _ words: [String], input: ProcessRun.Input = .none,
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh-fleet"), words, environment: environment, input: input, body: body)
    }

    var environment: ProcessEnvironment { .exactly(variables) }

    var variables: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": home.url.path, "XDG_STATE_HOME": home.url.path + "/state", "LANG": "C.UTF-8",
            "TMPDIR": home.url.path, "TERM": "xterm", "NO_COLOR": "1",
        ]
    }

    /// The program with the configuration at a terminal, and the actions of a person there.
    func person(
        _ arguments: [String], rows: UInt16 = 24, body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await TerminalRun.run(
            try BuiltExecutable.path("bridge-ssh-fleet"), try await words(arguments), environment: environment, columns: 160,
            rows: rows, body: body)
    }

    /// The directory of the journals.
    var runs: URL { home.url.appendingPathComponent("state/bridge-ssh/runs") }

    /// A separate known_hosts file for the test.
    var knownFile: String { home.path("known") }
    /// Its lines; none if there is no file.
    var knownLines: [String] {
        ((try? String(contentsOfFile: knownFile, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }
    /// Options of a host that is in that known_hosts file, under its own name.
    func asked(_ name: String) -> [String] {
        ["HostKeyAlias \(name)", "UserKnownHostsFile \(knownFile)", "StrictHostKeyChecking ask"]
    }

    /// An empty directory for the test.
    func directory(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: home.path(name), withIntermediateDirectories: true)
        return home.path(name)
    }

    func write(_ text: String, to name: String) throws -> String { try home.write(text, to: name) }

    /// The keys that can be verified here: RSA only with libssh2 1.11.
    var visibleKeys: [TestKey] {
        zip(box.options.hostKeys, box.hostKeys).filter { $0.0 != .rsa || InstalledLibrary.is111 }.map(\.1)
    }

    /// Starts a sandbox, and lends a fixture whose hosts lead to it.
    static func with(
        _ options: SSHDSandbox.Options = FleetFixture.options, _ body: (inout FleetFixture) async throws -> Void
    ) async throws {
        try await ScratchDirectory.with { home in
            try await SSHDSandbox.run(options) { box in
                var fixture = FleetFixture(box, home: home)
                try await body(&fixture)
            }
        }
    }
}

/// The lines of `--output jsonl`.
struct FleetLines {
    let objects: [JSON]

    init(_ result: ProcessResult) throws {
        objects = try result.output.split(separator: "\n").map { try JSON(parsing: Data($0.utf8)) }
        let schema = try JSONSchema.ofFleet()
        for object in objects { #expect(schema.faults(object) == []) }
    }

    func all(_ event: String) -> [JSON] { objects.filter { $0["event"]?.text == event } }

    /// `ended`, by host.
    var ends: [String: [JSON]] { Dictionary(grouping: all("ended")) { $0["host"]?.text ?? "" } }

    func code(of host: String) -> String? { ends[host]?.first?["result"]?["error"]?["code"]?.text }
    func outcome(of host: String) -> String? { ends[host]?.first?["outcome"]?.text }

    /// The rule that stopped the run, and how many hosts had ended in an error before.
    var stop: (rule: String?, errors: Int)? {
        guard let index = objects.firstIndex(where: { $0["event"]?.text == "stopped" }) else { return nil }
        return (objects[index]["rule"]?.text, objects[..<index].count { $0["outcome"]?.text == "error" })
    }

    /// The numbers of the summary.
    var outcomes: [String: Int] { Self.numbers(objects.last?["outcomes"]) }

    /// The totals for all hosts of a resumed run.
    var whole: [String: Int] { Self.numbers(objects.last?["whole"]?["outcomes"]) }

    private static func numbers(_ object: JSON?) -> [String: Int] {
        (object?.members ?? [:]).compactMapValues { if case .integer(let number) = $0 { number } else { nil } }
    }
}
