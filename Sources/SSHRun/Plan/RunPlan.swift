package import BridgeSSH

/// One command on one host, with everything needed to run it. It is a value; at this point only ssh's configuration has been
/// read.
package struct RunPlan: Sendable {
    package let access: AccessPlan
    /// The command line for the remote shell.
    package private(set) var command: String
    package private(set) var commandOptions: SSHCommandOptions
    package private(set) var wantsTerminal: Bool
    /// TERM for the remote terminal.
    package let terminalType: String
    /// EscapeChar as ssh's configuration prints it; nil if it is not set.
    package let escapeCharacter: String?
    package let retry: RetryPlan
    /// Runs the command through sudo; nil runs it as the login user.
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

    /// A plan for another command on the same host, without a terminal and variables.
    ///
    /// - Parameter outputLimit: the greatest number of bytes to collect.
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

    /// Whether this is a terminal session with keepalives to a silent server.
    package var isWatchedSession: Bool { wantsTerminal && !access.forbidsKeepalive }

    /// Sets keepalives for a terminal session, so that a person notices a lost server, unless ServerAliveInterval is 0.
    package func keepAlive(_ configuration: inout SSHConnectionConfiguration) {
        guard isWatchedSession, configuration.keepalive == nil else { return }
        configuration.keepalive = Self.sessionKeepalive
    }

    /// The default for terminal sessions.
    private static let sessionKeepalive = SSHKeepaliveOptions(interval: .seconds(15), countMax: 3)
}

/// How a caller wants its command to run. It is the same for all of the caller's hosts.
package struct RunCommandRequest: Sendable {
    /// Without the variables from SendEnv and SetEnv, which depend on the host.
    package var options = SSHCommandOptions()
    /// Whether to allocate a terminal, whatever RequestTTY says.
    package var wantsTerminal = false
    package var retry = RetryPlan()

    package init() {}
}

extension RunPlan {
    /// The command line of a run.
    ///
    /// - Parameters:
    ///   - words: the caller's words, to be joined by single spaces.
    ///   - host: the host as the user named it.
    ///   - configured: RemoteCommand from ssh's configuration, for a run without a command.
    ///   - isRoot: whether the command runs through sudo.
    ///   - maximumBytes: the greatest length of a command, in bytes.
    /// - Throws: `UsageProblem`.
    package static func command(
        _ words: [String], host: String, configured: String? = nil, isRoot: Bool = false,
        maximumBytes: Int = ChannelProgram.maximumBytes
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
        guard length <= maximumBytes else {
            let sender = maximumBytes == ChannelProgram.maximumBytes ? "libssh2" : "ssh"
            throw UsageProblem(
                field: "command",
                problem:
                    "it is \(length) bytes long\(isRoot ? " with sudo before it" : ""), and \(sender) can send \(maximumBytes); put it "
                    + "into a file, and run sh -s with --stdin FILE, or bridge-ssh fleet script")
        }
        return command
    }
}

/// Quotes words for a POSIX shell.
package enum ShellWord {
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%".unicodeScalars)

    /// The word, quoted so that a shell reads it unchanged.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
