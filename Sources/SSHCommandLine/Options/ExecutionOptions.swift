import ArgumentParser
package import BridgeSSH
import SSHRun

/// The options for how the command runs.
package struct ExecutionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Time limit for the command.", valueName: "time"), transform: Seconds.parse)
    var timeout: Seconds?

    @Option(help: ArgumentHelp("Time limit without any output of the command.", valueName: "time"), transform: Seconds.parse)
    var idleTimeout: Seconds?

    @Option(
        help: ArgumentHelp(
            "After the exit status, wait only this long for processes that keep the output open.",
            valueName: "time"),
        transform: Seconds.parse)
    var drain: Seconds?

    @Option(
        help: ArgumentHelp(
            "Set a variable for the command, if the server allows it (AcceptEnv). Repeatable.", valueName: "name=value"),
        transform: EnvironmentVariable.parse)
    var env: [EnvironmentVariable] = []

    @Flag(exclusivity: .chooseLast, help: "Whether the command gets a terminal.")
    var terminal: TerminalFlag?

    var tty: Bool { terminal == .tty }

    @Option(
        help: ArgumentHelp("What the command reads, instead of standard input (-).", valueName: "file|none|-"),
        completion: .file(),
        transform: FileName.parse)
    var stdin: String?

    @Flag(name: .customShort("n"), help: "The command reads nothing: --stdin none.")
    var noInput = false

    package init() {}
}

extension ExecutionOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--timeout") { $0.timeout = $1 },
        .value("--idle-timeout") { $0.idleTimeout = $1 },
        .value("--drain") { $0.drain = $1 },
        .list("--env", unset: { $0.env = [] }) { $0.env.append($1) },
        .choice("-t", "--tty", of: .tty) { $0.terminal = $1 },
        .choice("-T", of: .noTTY) { $0.terminal = $1 },
        .value("--stdin") { $0.stdin = $1 },
        .flag("-n") { $0.noInput = $1 },
    ]
}

extension ExecutionOptions {
    /// The command options for the library, for one host or many.
    var commandOptions: SSHCommandOptions {
        var options = SSHCommandOptions()
        options.environment = env.map { ($0.name, $0.value) }
        options.timeout = timeout?.duration
        options.idleTimeout = idleTimeout?.duration
        options.drain = drain?.duration
        return options
    }
}

/// `-t` and `-T`.
enum TerminalFlag: String, EnumerableFlag {
    case tty
    case noTTY

    static func name(for value: TerminalFlag) -> NameSpecification {
        switch value {
        case .tty: [.customShort("t"), .long]
        case .noTTY: .customShort("T")
        }
    }

    static func help(for value: TerminalFlag) -> ArgumentHelp? {
        switch value {
        case .tty: "Give the command a terminal, which merges its two outputs."
        case .noTTY: "Give the command no terminal, regardless of RequestTTY."
        }
    }
}

/// The options for devices that start no commands.
package struct ShellOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Type the command into a shell, for network devices that start no commands. No exit status exists then: 0 says only "
                + "that the device accepted the command and showed its prompt again."))
    var shell = false

    @Option(
        help: ArgumentHelp(
            "With --shell: a regular expression for the device's prompt. Known are Cisco IOS and NX-OS, Juniper Junos, Arista EOS "
                + "and MikroTik RouterOS.",
            valueName: "regex"))
    var prompt: String?

    package init() {}
}

extension ShellOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .flag("--shell") { $0.shell = $1 },
        .value("--prompt") { $0.prompt = $1 },
    ]
}

extension ShellOptions {
    /// The options for typing the command into a shell; nil for an exec request.
    ///
    /// - Parameter others: further options that do not go with it: their names, whether they are given, and the reasons.
    /// - Throws: `UsageProblem` for options that do not go with it.
    package func plan(
        _ execution: ExecutionOptions, sudo: SudoOptions, via: ConnectionMaker, command: String, wantsTerminal: Bool,
        others: [(String, Bool, String)] = []
    ) throws -> SSHShellOptions? {
        guard shell else {
            guard prompt == nil else {
                throw UsageProblem(field: "--prompt", problem: "it describes the prompt of a shell; add --shell, or leave it out")
            }
            return nil
        }
        let all: [(String, Bool, String)] =
            [
                ("--tty", wantsTerminal, "its terminal is its own, and no person types there"),
                ("--sudo", sudo.isAskedFor, "a device has no sudo"),
                ("--via ssh", via == .ssh, "only libssh2's connection is read by bridge-ssh"),
                ("--env", !execution.env.isEmpty, "a device's shell has no variables"),
                ("--drain", execution.drain != nil, "there is no exit status to wait after"),
                ("--stdin", execution.stdin != nil && execution.stdin != "none", "only the command is typed"),
            ] + others
        if let (name, _, reason) = all.first(where: { $0.1 }) {
            throw UsageProblem(field: "--shell", problem: "\(name) does not go with it: \(reason); leave one of them out")
        }
        let plan = SSHShellOptions(prompt: prompt)
        if let problem = SSHConnection.problem(command, plan) {
            throw UsageProblem(field: problem.field == "prompt" ? "--prompt" : problem.field, problem: problem.text)
        }
        return plan
    }
}

/// The options that run the command, or the SFTP server of a copy, as root.
package struct SudoOptions: ParsableArguments {
    @Flag(
        help:
            "Run as root, through sudo. Asks for the password when a host needs it, once for all hosts, and sends it only to sudo's own prompt."
    )
    var sudo = false

    @Option(
        help: ArgumentHelp(
            "A file with sudo's password, which no other user may read; - asks on the terminal.", valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var sudoPasswordFile: String?

    package init() {}

    /// Whether an option requests sudo.
    package var isAskedFor: Bool { sudo || sudoPasswordFile != nil }
}

extension SudoOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .flag("--sudo") { $0.sudo = $1 },
        .value("--sudo-password-file") { $0.sudoPasswordFile = $1 },
    ]
}
