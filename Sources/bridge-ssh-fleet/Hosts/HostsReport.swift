import BridgeSSHFleet
import SSHCommandLine

/// The JSON of `fleet hosts`.
enum HostsReport {
    static let schema = "bridge-ssh-hosts/1"

    /// The output of `--json`.
    static func object(_ resolved: ResolvedHosts, parts: [HostSet]?, _ sources: HostSources) throws -> JSONValue {
        let hosts = try resolved.hosts.map { try self.host($0, sources) }
        return .object([
            .init(name: "schema", value: .string(schema)), .init(name: "count", value: .integer(hosts.count)),
            .init(name: "folded", value: .string(resolved.hosts.folded)), .init(name: "hosts", value: .array(hosts)),
            .init(name: "parts", value: parts.map { .array($0.map { .string($0.folded) }) } ?? .null),
            .init(name: "notices", value: .array(resolved.notices.map { .string($0) })), .init(name: "error", value: .null),
        ])
    }

    /// The output of `--json` if there are no hosts.
    static func failure(_ problem: HostSetProblem, _ expression: String?) -> JSONValue {
        .object([
            .init(name: "schema", value: .string(schema)), .init(name: "count", value: .integer(0)),
            .init(name: "folded", value: .string("")), .init(name: "hosts", value: .array([])),
            .init(name: "parts", value: .null),
            .init(name: "notices", value: .array([])), .init(name: "error", value: self.problem(problem)),
        ])
    }

    /// The output of `--each` for a line.
    static func answer(to expression: String, _ resolved: ResolvedHosts) -> JSONValue {
        .object([
            .init(name: "expression", value: .string(expression)),
            .init(name: "hosts", value: .array(resolved.hosts.map { .string($0.description) })),
            .init(name: "folded", value: .string(resolved.hosts.folded)),
            .init(name: "notices", value: .array(resolved.notices.map { .string($0) })), .init(name: "error", value: .null),
        ])
    }

    static func answer(to expression: String, _ problem: HostSetProblem) -> JSONValue {
        .object([
            .init(name: "expression", value: .string(expression)), .init(name: "hosts", value: .array([])),
            .init(name: "folded", value: .string("")), .init(name: "notices", value: .array([])),
            .init(name: "error", value: .string(problem.forCommandLine.line)),
        ])
    }

    private static func host(_ host: FleetHost, _ sources: HostSources) throws -> JSONValue {
        let variables = try sources.inventory?.variables(of: host.name) ?? HostVariables()
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            .init(name: "name", value: .string(host.name)), .init(name: "user", value: text(host.user ?? variables.user)),
            .init(name: "port", value: (host.port ?? variables.port).map { .integer($0) } ?? .null),
            .init(name: "address", value: text(variables.address)),
            .init(name: "identityFile", value: text(variables.identityFile)),
            .init(name: "commonArguments", value: .array(variables.commonArguments.map { .string($0) })),
        ])
    }

    private static func problem(_ problem: HostSetProblem) -> JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            .init(name: "kind", value: .string(problem.kind.rawValue)), .init(name: "message", value: .string(problem.message)),
            .init(name: "expression", value: text(problem.expression)),
            .init(name: "position", value: problem.position.map { .integer($0) } ?? .null),
            .init(name: "file", value: text(problem.location?.file)),
            .init(name: "line", value: problem.location?.line.map { .integer($0) } ?? .null),
            .init(name: "nearest", value: .array(problem.nearest.map { .string($0) })),
            .init(name: "remedy", value: text(problem.forCommandLine.remedy)),
        ])
    }
}

extension JSONValue {
    /// The value on one line, including its line feed.
    var line: String {
        var bytes: [UInt8] = []
        write(end: "\n") { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// This program's own messages.
enum FleetConsole {
    static func output(_ text: String) { FleetProcess.output(text) }

    /// Prints one line, with the program's name before it.
    static func note(_ text: String) { FleetProcess.note(text) }

    /// Prints a problem with host names, with its position and remedy.
    static func show(_ problem: HostSetProblem) { FleetProcess.note(problem.forCommandLine.description) }
}

extension HostSelectionOptions.SelectionEnvironment {
    /// - Parameters:
    ///   - journal: the value of `--journal`, for `@run:`.
    ///   - configuration: the value of `-F`, for `@ssh`.
    static func ofThisProcess(journal: String? = nil, configuration: String? = nil) -> Self {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_CONFIG_HOME", "CLUSTERSHELL_CFGDIR"] {
            environment[name] = FleetProcess.variable(name)
        }
        let home = environment["HOME"] ?? "/"
        var providers = HostSources.standardProviders(
            home: home, configuration: HostOptions.configuration(configuration, home: home))
        providers["run"] = { try RunHistory(JournalLocation.directory(journal, home: home)).hosts(selectedBy: $0) }
        return Self(home: home, environment: environment, providers: providers)
    }
}
