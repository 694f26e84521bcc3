internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet script`: a local script on every host.
struct FleetScriptCommand: ResumableSubcommand, PassingCommand {
    static let name = "fleet script"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "script", abstract: "Run a local script on every host: it is sent on standard input.",
            usage: "bridge-ssh fleet script [<options>] <hosts> <file> [<argument> …]",
            discussion: """
                The script is read once, and every host gets it on standard input; nothing is left there. Each argument reaches it \
                as it is. For the rest see bridge-ssh fleet run --help.

                EXAMPLES
                  bridge-ssh fleet script 'web[1-20]' deploy.sh v1.2
                  bridge-ssh fleet script --interpreter 'python3 -' 'web[1-20]' check.py
                """)
    }

    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup var hosts: HostOptions
    @OptionGroup(title: "The script") var command: SharedCommandOptions
    @OptionGroup(title: "The script") var sudo: SudoOptions

    @Option(
        help: ArgumentHelp(
            "What reads the script on the host, from standard input; arguments follow after -- (sh -s).", valueName: "command"))
    var interpreter = "sh -s"

    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The hosts, the script's file, and its arguments.", valueName: "hosts> <file> <argument"),
        completion: .hosts(of: FleetScriptCommand.self))
    var words: [String] = []

    /// The parser gives `--help` to the words, which come first for it.
    func validate() throws {
        if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(Self.self) }
    }

    func invocation() throws -> FleetInvocation {
        let (expression, rest) = try HostsAndWords.split(words, of: Self.name)
        guard let path = rest.first else {
            throw UsageProblem(field: "script", problem: "it is missing; write: bridge-ssh fleet script \(expression) FILE")
        }
        if command.namesInput {
            throw UsageProblem(
                field: "--stdin",
                problem: "the script itself is what every host reads; leave it out, or use `bridge-ssh fleet run`")
        }
        let content = try LocalContent.read(path, for: "script")
        let job = FleetJob.script(content, arguments: Array(rest.dropFirst()), interpreter: interpreter, name: path)
        let subject = RunSubject(
            kind: "script", command: job.command ?? interpreter, script: (path, content), arguments: Array(rest.dropFirst()))
        var invocation = FleetInvocation(
            expression: expression, selection: selection, job: job, subject: subject, hosts: hosts, command: command, sudo: sudo,
            pace: pace, show: show
        )
        invocation.maker = via.maker
        let isRead = selection.readsInput || StandardInputName.all.contains(path)
        invocation.ignoredInput = try command.input(isTaken: isRead)
        return invocation
    }
}

/// A local file that every host gets.
enum LocalContent {
    /// - Parameter field: the option or argument that names it.
    /// - Throws: `UsageProblem`.
    static func read(_ path: String, for field: String) throws -> [UInt8] {
        do {
            return try LocalFiles().read(path)
        } catch {
            throw UsageProblem(field: field, problem: "\(error)")
        }
    }
}
