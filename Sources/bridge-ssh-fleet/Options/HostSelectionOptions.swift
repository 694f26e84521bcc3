internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// The sources of host names, and the selection from them. All fleet commands share these options.
struct HostSelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ansible's inventory: a file in INI or YAML, a program that prints JSON, or a directory of them. Repeatable.",
            valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var inventory: [String] = []

    @Option(
        help: ArgumentHelp(
            "ClusterShell's groups: a file in YAML, or a groups.conf, instead of those in /etc/clustershell and ~/.config.",
            valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var groups: String?

    @Option(
        help: ArgumentHelp("Known hosts' names, one a line; - is standard input. Repeatable.", valueName: "file|-"),
        completion: .file(),
        transform: FileName.parse)
    var hostsFile: [String] = []

    @Flag(
        help: """
            Start no program because of an inventory or groups: refuse inventories that are programs, upcalls of groups.conf, \
            and an inventory's options for ssh that start a program, such as ProxyCommand.
            """)
    var noInventoryCommands = false

    @Flag(help: "Take names that the inventory does not have.")
    var allowUnknown = false

    @Option(help: ArgumentHelp("Leave these hosts out. Repeatable.", valueName: "hosts"))
    var exclude: [String] = []

    @Option(help: ArgumentHelp("Take this many of the hosts, at random.", valueName: "number"))
    var pick: Int?

    @Option(help: ArgumentHelp("Make --pick and --order shuffle the same each time.", valueName: "number"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp("Order of the hosts: given, sorted or shuffle.", valueName: "order"),
        transform: { text in
            guard let order = HostOrder(rawValue: text) else {
                throw ValidationError("Unknown order \(text); use given, sorted or shuffle.")
            }
            return order
        })
    var order: HostOrder = .given
}

extension HostSelectionOptions {
    /// The names of the options that are given.
    var given: [String] {
        [
            ("--inventory", !inventory.isEmpty), ("--groups", groups != nil), ("--hosts-file", !hostsFile.isEmpty),
            ("--no-inventory-commands", noInventoryCommands), ("--allow-unknown", allowUnknown), ("--exclude", !exclude.isEmpty),
            ("--pick", pick != nil), ("--seed", seed != nil), ("--order", order != .given),
        ].filter(\.1).map(\.0)
    }

    /// The options with which a suggested command uses the same inventory.
    var inventoryWords: [String] {
        guard !inventory.isEmpty else { return [] }
        return inventory.flatMap { ["--inventory", $0] } + (noInventoryCommands ? ["--no-inventory-commands"] : [])
            + (allowUnknown ? ["--allow-unknown"] : [])
    }

    /// Whether standard input is read for names.
    var readsInput: Bool { hostsFile.contains(where: StandardInputName.all.contains) }

    /// The parts of the process environment that the selection needs.
    struct SelectionEnvironment {
        var home: String
        var environment: [String: String]
        var files: any HostFiles = LocalFiles()
        var runner: HostProgramRunner? = { try LocalHostPrograms.run($0) }
        /// The providers of `@ssh`, `@known` and `@run`.
        var providers: [String: HostSources.Provider] = [:]
    }

    /// The sources that the options name.
    ///
    /// - Parameters:
    ///   - expressions: The expressions to look up. ClusterShell's own groups are read only if one of them may need them.
    ///   - needsGroups: Reads the groups in any case.
    /// - Throws: `HostSetProblem`.
    func sources(for expressions: [String], needsGroups: Bool = false, _ surroundings: SelectionEnvironment) throws -> HostSources
    {
        var surroundings = surroundings
        if noInventoryCommands, surroundings.runner != nil {
            surroundings.runner = { program in
                throw HostSetProblem(
                    .unsupported,
                    "--no-inventory-commands: this is a program, or a group that a program lists, and it is not run.",
                    location: .init(file: program.arguments.first ?? ""))
            }
        }
        var sources = HostSources(providers: surroundings.providers, allowsUnknown: allowUnknown)
        if !inventory.isEmpty {
            sources.inventory = try FleetInventory(paths: inventory, files: surroundings.files, runner: surroundings.runner)
        }
        if let groups {
            sources.groups = try GroupSources(file: groups, files: surroundings.files, runner: surroundings.runner)
        } else if needsGroups || expressions.contains(where: { $0.contains(where: "@*?".contains) }) {
            sources.groups = try GroupSources.standard(
                home: surroundings.home, environment: surroundings.environment, files: surroundings.files,
                runner: surroundings.runner)
            sources.knowsHostsOfGroups = inventory.isEmpty && hostsFile.isEmpty
        }
        if !hostsFile.isEmpty {
            let lists = try hostsFile.map {
                $0 == "-" ? try HostList.standardInput() : try HostList.load($0, files: surroundings.files)
            }
            sources.list = lists.count == 1 ? lists[0] : try HostSet(lists.joined())
        }
        return sources
    }

    /// Resolves an expression and applies `--exclude`, `--pick` and `--order`.
    ///
    /// - Parameter expression: nil for all hosts of `--hosts-file`.
    /// - Throws: `HostSetProblem`, also if no host is left.
    func select(_ expression: String?, from sources: HostSources) throws -> ResolvedHosts {
        var resolved =
            if let expression { try sources.resolve(expression) } else {
                ResolvedHosts(hosts: sources.list ?? HostSet(), notices: [])
            }
        for excluded in exclude {
            // An exclusion that matches nothing is not an error: the remaining hosts are what was requested.
            var lenient = sources
            lenient.allowsUnknown = true
            do {
                let others = try lenient.resolve(excluded)
                resolved.hosts = resolved.hosts.subtracting(others.hosts)
                resolved.notices += others.notices
            } catch let problem as HostSetProblem where problem.kind == .nothingMatches {
                resolved.notices.append("--exclude: \(problem.message)")
            }
        }
        if let pick {
            guard pick > 0 else { throw UsageProblem(field: "--pick", problem: "it must be a number above 0") }
            resolved.hosts = resolved.hosts.picked(pick, seed: seed)
        }
        resolved.hosts = resolved.hosts.ordered(order, seed: seed)
        if resolved.hosts.isEmpty {
            throw HostSetProblem(.nothingMatches, "No host is left.", expression: expression)
        }
        return resolved
    }
}

/// The file names that mean standard input.
enum StandardInputName {
    static let all = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
}

/// Options of ssh in an inventory that start programs on this machine.
enum InventoryCommands {
    /// The settings that start no program, load no library and include no other file. A list of the harmful settings would become
    /// outdated.
    private static let harmless: Set<String> = [
        "addkeystoagent", "addressfamily", "batchmode", "bindaddress", "bindinterface", "canonicaldomains",
        "canonicalizefallbacklocal", "canonicalizehostname", "canonicalizemaxdots", "casignaturealgorithms", "certificatefile",
        "challengeresponseauthentication", "checkhostip", "ciphers", "compression", "connectionattempts", "connecttimeout",
        "controlmaster", "controlpath", "controlpersist", "enableescapecommandline", "exitonforwardfailure", "fingerprinthash",
        "forwardagent", "forwardx11", "forwardx11trusted", "globalknownhostsfile", "gssapiauthentication",
        "gssapidelegatecredentials", "hashknownhosts", "hostbasedauthentication", "hostkeyalgorithms", "hostkeyalias", "hostname",
        "identitiesonly", "identityagent", "identityfile", "ipqos", "kbdinteractiveauthentication", "kexalgorithms", "loglevel",
        "macs", "nohostauthenticationforlocalhost", "numberofpasswordprompts", "passwordauthentication", "port",
        "preferredauthentications", "proxyjump", "pubkeyacceptedalgorithms", "pubkeyacceptedkeytypes", "pubkeyauthentication",
        "rekeylimit", "requesttty", "requiredrsasize", "revokedhostkeys", "sendenv", "serveralivecountmax", "serveraliveinterval",
        "sessiontype", "setenv", "stricthostkeychecking", "tag", "tcpkeepalive", "updatehostkeys", "user", "userknownhostsfile",
        "verifyhostkeydns", "visualhostkey",
    ]

    /// - Throws: `UsageProblem` for a host whose options may start a program.
    static func refuse(_ host: NamedHost) throws {
        // All other options are refused for every host anyway.
        for case let ("-o", value?) in InventoryArguments(host.arguments) {
            let words = value.drop { $0.isWhitespace }.split(maxSplits: 1) { $0.isWhitespace || $0 == "=" }
            guard let setting = words.first, harmless.contains(setting.lowercased()) else {
                throw UsageProblem(
                    field: "--no-inventory-commands",
                    problem:
                        "the inventory gives \(host.name) the option -o \(value.shellWord), which may start a program on this "
                        + "machine; leave the option out of the inventory, or --no-inventory-commands out of the command")
            }
        }
    }
}

extension CompletionKind {
    static let fleetHosts = CompletionKind.hostSet(groups: { Self.groups($0) })

    /// The same for a subcommand in which a command or a file follows the hosts.
    static func hosts(of command: (some PassingCommand).Type) -> CompletionKind {
        .hostSet(groups: { Self.groups($0) }) { before in
            guard let start = before.firstIndex(of: command.configuration.commandName ?? "") else { return false }
            return (try? command.parse(Array(before[(start + 1)...])))?.words.isEmpty == false
        }
    }

    /// The groups of the files that the arguments name or that are configured. Runs no program to find them.
    private static func groups(_ words: [String]) -> [String] {
        let always = ["@ssh", "@known", "@run:last:failed", "@run:last:error", "@run:last:unknown"]
        var options: [String] = []
        for (word, next) in zip(words, words.dropFirst() + [""]) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let value = parts.count == 2 ? parts[1] : next
            if let name = parts.first, ["--inventory", "--groups"].contains(name) { options += [name, value] }
        }
        var surroundings = HostSelectionOptions.SelectionEnvironment.ofThisProcess()
        surroundings.runner = nil
        let sources = try? HostSelectionOptions.parse(options).sources(for: [], needsGroups: true, surroundings)
        return always + ((try? sources?.groupNames()) ?? []).map { "@" + $0 }
    }
}

/// A subcommand that passes on words: the hosts and their command.
protocol PassingCommand: ParsableCommand {
    var words: [String] { get }
}

extension PassingCommand {
    /// The parser treats `--help` as one of the words, because they may contain options.
    func validate() throws {
        if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(Self.self) }
    }
}

extension HostSelectionOptions {
    /// The hosts of an expression, with the inventory's settings for reaching them.
    ///
    /// - Parameters:
    ///   - journal: the value of `--journal`, for `@run:`.
    ///   - configuration: the value of `-F`, for `@ssh`.
    /// - Returns: the hosts, and notices for the person.
    /// - Throws: `HostSetProblem`.
    func named(_ expression: String, journal: String?, configuration: String?) throws -> (hosts: [NamedHost], notices: [String]) {
        let sources = try sources(for: [expression] + exclude, .ofThisProcess(journal: journal, configuration: configuration))
        let resolved = try select(expression, from: sources)
        let hosts = try resolved.hosts.map { host in
            var named = NamedHost(name: host.name)
            let variables = try sources.inventory?.variables(of: host.name)
            named.user = host.user ?? variables?.user
            named.port = host.port ?? variables?.port
            named.address = variables?.address
            named.identity = variables?.identityFile
            named.arguments = variables?.commonArguments ?? []
            if noInventoryCommands { try InventoryCommands.refuse(named) }
            return named
        }
        return (hosts, resolved.notices)
    }
}
