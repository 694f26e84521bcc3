internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet run`: one command on every host.
struct FleetRunCommand: ResumableSubcommand {
    static let name = "fleet run"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run", abstract: "Run one command on every host, at most once on each.",
            usage: "bridge-ssh fleet run [<options>] <hosts> [--] <command> …")
    }

    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup var hosts: HostOptions
    @OptionGroup(title: "The command") var command: CommandChoices
    @OptionGroup(title: "The command") var sudo: SudoOptions
    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions

    // One array for both: what follows the hosts is the command's, options included.
    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp(
            "The hosts, then the command. Everything after the hosts is the command: its words are joined by one space.",
            valueName: "hosts> <command"))
    var words: [String] = []

    /// The parser gives `--help` to the words, which come first for it.
    func validate() throws {
        if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(Self.self) }
    }

    func invocation() throws -> FleetInvocation {
        let (expression, words) = try HostsAndWords.split(words, of: Self.name)
        guard !words.isEmpty else {
            throw UsageProblem(
                field: "command",
                problem: "it is missing; write it after the hosts, as in: `bridge-ssh fleet run \(expression.shellWord) uptime`")
        }
        let command = try RunPlan.command(words, host: expression)
        var job = FleetJob.command(command)
        // Another content would be another run.
        let input = try self.command.input().map { (path: $0, content: try LocalContent.read($0, for: "--stdin")) }
        if let input { job.input = input.content }
        return FleetInvocation(
            expression: expression, selection: selection, job: job,
            subject: RunSubject(kind: "run", command: command, script: input), hosts: hosts,
            command: self.command, sudo: sudo, pace: pace, show: show
        )
    }
}

/// Hosts and what follows them.
enum HostsAndWords {
    /// An option that the parser does not know comes first here.
    ///
    /// - Throws: `UsageProblem`.
    static func split(_ words: [String], of name: String) throws -> (hosts: String, rest: [String]) {
        var rest = words[...]
        if rest.first == "--" {
            rest.removeFirst()
        } else if let first = rest.first, first.hasPrefix("-"), first != "-" {
            throw UsageProblem(
                field: first,
                problem: "there is no such option of \(name); options stand before the hosts, the command after them")
        }
        guard let hosts = rest.popFirst() else {
            throw UsageProblem(field: "hosts", problem: "they are missing; write: bridge-ssh \(name) web[1-20] …")
        }
        // ssh(1) takes options behind the host; here they would become the command on every host.
        if let option = rest.first, option.hasPrefix("-"), option != "--" {
            let command = ([hosts, "--"] + rest).map(\.shellWord).joined(separator: " ")
            throw UsageProblem(
                field: option,
                problem: "options stand before the hosts: move it before \(hosts.shellWord). If it belongs to what is run: "
                    + "`bridge-ssh \(name) \(command.count > 120 ? "\(hosts.shellWord) -- …" : command)`")
        }
        if rest.first == "--" { rest.removeFirst() }
        return (hosts, Array(rest))
    }
}
