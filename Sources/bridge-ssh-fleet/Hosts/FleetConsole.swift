internal import BridgeSSHFleet
internal import SSHCommandLine

/// What this program writes by itself.
enum FleetConsole {
    static func output(_ text: String) { FleetProcess.output(text) }

    /// One line in the program's own name.
    static func note(_ text: String) { FleetProcess.note(text) }

    /// A problem with names of hosts, with its place and remedy.
    static func show(_ problem: HostSetProblem) { FleetProcess.note(problem.description) }
}

extension HostSelectionOptions.Surroundings {
    /// - Parameters:
    ///   - journal: what `--journal` says, for `@run:`.
    ///   - configuration: what `-F` says, for `@ssh`.
    static func ofThisProcess(journal: String? = nil, configuration: String? = nil) -> Self {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_CONFIG_HOME", "CLUSTERSHELL_CFGDIR"] {
            environment[name] = FleetProcess.variable(name)
        }
        let home = environment["HOME"] ?? "/"
        var providers = HostSources.standardProviders(
            home: home, configuration: HostOptions.configuration(configuration, home: home))
        providers["run"] = { try RunHistory(JournalPlace.directory(journal, home: home)).hosts(selectedBy: $0) }
        return Self(home: home, environment: environment, providers: providers)
    }
}
