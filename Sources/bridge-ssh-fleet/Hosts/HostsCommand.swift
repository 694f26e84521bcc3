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
        help: ArgumentHelp("Write so many folded expressions, one a line, with equal parts of the hosts.", valueName: "number"))
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
            throw ValidationError("--split goes with no form but --fold, --count and --json.")
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
