internal import ArgumentParser
import BridgeSSHFleet
import SSHCommandLine

/// `bridge-ssh fleet hosts`: prints the names of hosts.
struct HostsCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "hosts", abstract: "Expand, fold, count and split sets of hosts; connects to nothing.",
            usage: "bridge-ssh fleet hosts [<options>] <hosts> …",
            discussion: """
                HOSTS are names with ranges (web[01-20]), joined by , or a blank (union), ! (difference), & (intersection) and ^
                (one of both), from left to right, and groups (@web, @source:web, @*). With --inventory, patterns of Ansible
                are taken too: groups by their names, web:!db:&eu, ~regex, web[0:2].

                EXAMPLES
                  bridge-ssh fleet hosts 'web[01-20],@db!db7'
                  bridge-ssh fleet hosts --fold web1 web2 web3
                  bridge-ssh fleet hosts --inventory hosts.yaml 'web:!staging'
                  bridge-ssh fleet hosts --count @ssh
                  bridge-ssh fleet hosts --each expressions.txt

                EXIT STATUS
                  0    the hosts were written
                  199  wrong usage, or no host
                """)
    }

    @OptionGroup var selection: HostSelectionOptions

    @Flag(help: "Write one folded expression.")
    var fold = false

    @Flag(help: "Write how many hosts there are.")
    var count = false

    @Option(
        help: ArgumentHelp(
            "Write this many folded expressions, one per line, with equal parts of the hosts.", valueName: "number"))
    var split: Int?

    @Flag(help: "Write one JSON object, with how the inventory reaches each host.")
    var json = false

    @Flag(help: "Write the hosts in terms of groups.")
    var regroup = false

    @Option(
        help: ArgumentHelp(
            "Answer each line of a file, an expression, with a line of JSON; - is standard input.", valueName: "file|-"),
        completion: .file(),
        transform: FileName.parse)
    var each: String?

    @Option(
        name: [.customShort("F", allowingJoined: true), .long],
        help: ArgumentHelp("ssh's configuration file, for @ssh.", valueName: "file|none"), completion: .file(),
        transform: FileName.parse)
    var config: String?

    @Option(
        help: ArgumentHelp("Where the journals are, for @run:.", valueName: "directory"), completion: .directory,
        transform: FileName.parse)
    var journal: String?

    @Argument(
        help: ArgumentHelp("The hosts; all of --hosts-file if there are none.", valueName: "hosts"),
        completion: .fleetHosts)
    var hosts: [String] = []

    func validate() throws {
        let forms = [("--fold", fold), ("--count", count), ("--json", json), ("--regroup", regroup), ("--each", each != nil)]
        let given = forms.filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError("Give \(given[0]) or \(given[1]), not both.") }
        if let split, split < 1 { throw ValidationError("--split takes a number above 0.") }
        if split != nil, regroup || each != nil {
            throw ValidationError("--split can only be combined with --fold, --count and --json.")
        }
        if each != nil, !hosts.isEmpty {
            throw ValidationError("With --each the expressions come from its file, not from arguments.")
        }
        if each == nil, hosts.isEmpty, selection.hostsFile.isEmpty { throw ValidationError("The hosts are missing.") }
    }

    func run() throws {
        let surroundings = HostSelectionOptions.SelectionEnvironment.ofThisProcess(
            journal: journal, configuration: config)
        if let each { return try answer(each, surroundings) }
        let expression = hosts.isEmpty ? nil : hosts.joined(separator: " ")
        do {
            let sources = try selection.sources(for: hosts + selection.exclude, needsGroups: regroup, surroundings)
            let resolved = try selection.select(expression, from: sources)
            if !json { resolved.notices.forEach(FleetConsole.note) }
            try write(resolved, sources)
        } catch let problem as HostSetProblem where json {
            FleetConsole.output(HostsReport.failure(problem, expression).line)
            throw ExitCode(SSHExitStatus.localFailure.rawValue)
        }
    }

    private func write(_ resolved: ResolvedHosts, _ sources: HostSources) throws {
        let parts = split.map { resolved.hosts.split(into: $0) }
        if json {
            FleetConsole.output(try HostsReport.object(resolved, parts: parts, sources).line)
        } else if count {
            for part in parts ?? [resolved.hosts] { FleetConsole.output("\(part.count)\n") }
        } else if regroup {
            FleetConsole.output(try sources.regrouped(resolved.hosts) + "\n")
        } else if fold || parts != nil {
            for part in parts ?? [resolved.hosts] { FleetConsole.output(part.folded + "\n") }
        } else {
            FleetConsole.output(resolved.hosts.map { $0.description + "\n" }.joined())
        }
    }

    private func answer(_ file: String, _ surroundings: HostSelectionOptions.SelectionEnvironment) throws {
        let lines = try ExpressionLine.load(file == "-" ? nil : file, files: surroundings.files)
        let sources = try selection.sources(for: lines.map(\.text) + selection.exclude, surroundings)
        let selects = !selection.exclude.isEmpty || selection.pick != nil || selection.order != .given
        for line in lines {
            do {
                let resolved = try line.resolve { expression in
                    selects ? try selection.select(expression, from: sources) : try sources.resolve(expression)
                }
                FleetConsole.output(HostsReport.answer(to: line.text, resolved).line)
            } catch let problem as HostSetProblem {
                FleetConsole.output(HostsReport.answer(to: line.text, problem).line)
            }
        }
    }
}

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
