package import BridgeSSH

/// One command on one host, and all that it takes: a value; except for ssh's configuration nothing has been opened or read yet.
package struct RunPlan: Sendable {
    package let access: AccessPlan
    /// The command line for the remote shell.
    package private(set) var command: String
    package private(set) var commandOptions: SSHCommandOptions
    package private(set) var wantsTerminal: Bool
    /// TERM for the remote terminal.
    package let terminalType: String
    /// EscapeChar as ssh's configuration prints it; nil where it says nothing.
    package let escapeCharacter: String?
    package let retry: RetryPlan
    /// Runs the command through sudo; nil for as the login's user.
    package var sudo: RunSudo?
    /// Types the command into a device's shell; nil for an exec request.
    package var shell: SSHShellOptions?

    package var endpoint: SSHEndpoint { access.endpoint }
    package var configuration: SSHConnectionConfiguration { access.configuration }

    package init(
        _ request: RunCommandRequest, command: String, _ access: AccessPlan, _ settings: HostSettings,
        in environment: LaunchEnvironment
    ) {
        self.access = access
        self.command = command
        var options = request.options
        options.environment.insert(
            contentsOf: settings.resolved.commandEnvironment(from: environment.environment), at: 0)
        commandOptions = options
        wantsTerminal = request.wantsTerminal || settings.wantsTerminal(isInputTerminal: environment.isInputTerminal)
        terminalType = environment.terminalType ?? "dumb"
        escapeCharacter = settings.resolved.value("escapechar")
        retry = request.retry
    }

    /// The same way to the host for another command, without a terminal and variables.
    ///
    /// - Parameter outputLimit: the most bytes that are collected.
    package func with(command: String, outputLimit: Int, timeout: Duration? = nil) -> RunPlan {
        var plan = self
        plan.command = command
        plan.commandOptions = SSHCommandOptions()
        plan.commandOptions.outputLimit = outputLimit
        plan.commandOptions.timeout = timeout
        plan.wantsTerminal = false
        plan.sudo = nil
        plan.shell = nil
        return plan
    }

    /// Whether it is a terminal session that asks a silent server whether it is there.
    package var isWatchedSession: Bool { wantsTerminal && !access.forbidsKeepalive }

    /// A person at a terminal session does not wait for a server that is gone, unless ServerAliveInterval is 0.
    package func keepAlive(_ configuration: inout SSHConnectionConfiguration) {
        guard isWatchedSession, configuration.keepalive == nil else { return }
        configuration.keepalive = Self.sessionKeepalive
    }

    /// The default of a terminal session.
    private static let sessionKeepalive = SSHKeepaliveOptions(interval: .seconds(15), countMax: 3)
}

/// How a caller wants its command to be run. The same for all hosts of a caller.
package struct RunCommandRequest: Sendable {
    /// Without the variables of SendEnv and SetEnv, which depend on the host.
    package var options = SSHCommandOptions()
    /// Whether the command gets a terminal, whatever RequestTTY says.
    package var wantsTerminal = false
    package var retry = RetryPlan()

    package init() {}
}

extension RunPlan {
    /// The command line of a run.
    ///
    /// - Parameters:
    ///   - words: the caller's words, which are joined by single spaces.
    ///   - host: the host as it was named.
    ///   - configured: the RemoteCommand of ssh's configuration, for a run without a command.
    ///   - isRoot: whether it runs through sudo.
    ///   - mostBytes: how long a command can be that is sent.
    /// - Throws: `UsageProblem`.
    package static func command(
        _ words: [String], host: String, configured: String? = nil, isRoot: Bool = false,
        mostBytes: Int = ChannelProgram.mostBytes
    ) throws -> String {
        if let configured, !words.isEmpty {
            throw UsageProblem(
                field: "command",
                problem: "ssh's configuration has a RemoteCommand for \(host) already (\(configured)); leave the command out, or "
                    + "give `-o RemoteCommand=none`")
        }
        let command = configured ?? words.joined(separator: " ")
        guard !command.isEmpty else {
            throw UsageProblem(
                field: "command",
                problem: "it is missing, and an interactive shell is not offered; write it after the host, as in: "
                    + "`bridge-ssh run \(host) uptime`")
        }
        guard !command.unicodeScalars.contains("\0") else {
            throw UsageProblem(field: "command", problem: "it holds a NUL character, which no shell can run; remove it")
        }
        let length = isRoot ? SudoCommandLine.length(of: command) : command.utf8.count
        guard length <= mostBytes else {
            let sender = mostBytes == ChannelProgram.mostBytes ? "libssh2" : "ssh"
            throw UsageProblem(
                field: "command",
                problem:
                    "it is \(length) bytes long\(isRoot ? " with sudo before it" : ""), and \(sender) can send \(mostBytes); put it "
                    + "into a file, and run sh -s with --stdin FILE, or bridge-ssh fleet script")
        }
        return command
    }
}

/// Words for a POSIX shell.
package enum ShellWord {
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%".unicodeScalars)

    /// The word as the shell reads it back.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
