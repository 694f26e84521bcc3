package import BridgeSSH
package import ErrorCore
internal import Synchronization

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

/// A caller's options for its command. It is the same for all of the caller's hosts.
package struct RunCommandRequest: Sendable {
    /// Without the variables from SendEnv and SetEnv, which depend on the host.
    package var options = SSHCommandOptions()
    /// Whether to allocate a terminal, regardless of RequestTTY.
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
            throw UsageProblem(field: "command", problem: "it contains a NUL character, which a shell cannot run; remove it")
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

/// The number of retries, the time to wait for a host that does not accept logins yet, and whether the command may run twice.
package struct RetryPlan: Sendable, Equatable {
    package var retries: Int
    package var isIdempotent: Bool
    /// How to wait for a host that does not accept logins yet; nil treats that as a failure.
    package var wait: LoginWait?

    package init(retries: Int = 0, isIdempotent: Bool = false, wait: LoginWait? = nil) {
        self.retries = retries
        self.isIdempotent = isIdempotent
        self.wait = wait
    }

    /// The greatest number of attempts, including the first but not those of the wait for a login.
    package var attempts: Int { retries + 1 }

    /// Whether to retry depends on the error's own advice, and on whether the command may have run
    /// (`SSHError.mayHaveTakenEffect`).
    ///
    /// - Parameter canRepeat: whether another attempt could read the same input.
    package func policy(_ canRepeat: @escaping @Sendable () -> Bool) -> RetryPolicy {
        guard let wait else {
            var policy = RetryPolicy.default
            policy.maxAttempts = attempts
            policy.isIdempotent = isIdempotent
            policy.shouldRetry = { RetryAdvice.of($0).allowsRetry && canRepeat() && !Self.sentPassword($0) }
            return policy
        }
        var policy = LoginWait.pace
        policy.deadline = wait.time
        policy.isIdempotent = isIdempotent
        let left = Retries(retries)
        policy.shouldRetry = { error in
            guard canRepeat(), !Self.sentPassword(error) else { return false }
            if let error = error as? SSHError, wait.passes(error) { return true }
            return RetryAdvice.of(error).allowsRetry && left.take()
        }
        return policy
    }

    /// Whether the server received a password and closed the connection without an answer. It has counted the attempt
    /// (sshd_config(5), MaxAuthTries), so sending the password again may lock the account. A server whose logins are closed has
    /// accepted the password.
    package static func sentPassword(_ error: any Error) -> Bool {
        guard let error = error as? SSHError, error.code != .authLoginsClosed else { return false }
        return error.evidence.authentication?.attempts.contains { $0.method != "publickey" && $0.outcome == .unanswered } ?? false
    }

    /// The name of an attempt in messages.
    package func text(ofAttempt number: Int) -> String { wait == nil ? "attempt \(number) of \(attempts)" : "attempt \(number)" }
}

/// The number of retries left, not counting attempts of the wait.
private final class Retries: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

/// Waits until a host accepts logins, for causes that pass on their own.
package struct LoginWait: Sendable, Equatable {
    /// The time limit for starting an attempt, measured from the first.
    package var time: Duration
    /// Whether to wait for a name that does not resolve yet.
    package var awaitsName: Bool

    package init(_ time: Duration, awaitsName: Bool = false) {
        self.time = time
        self.awaitsName = awaitsName
    }

    /// sshd counts 5 s of penalty for a refused login, and refuses an address at 15 s (sshd_config(5), PerSourcePenalties).
    /// Attempts at this pace never reach that sum.
    package static let pace = RetryPolicy(
        maxAttempts: .max, initialDelay: .seconds(2), multiplier: 1.5, maxDelay: .seconds(10), jitter: .none)

    /// Whether the cause may pass, and nothing has been started on the host.
    package func passes(_ error: SSHError) -> Bool { passes(Self.reason(of: error)) }

    package func passes(_ reason: Reason) -> Bool { reason == .closed || reason == .noName && awaitsName }

    /// The meaning of a failure during a wait for a login.
    package enum Reason: Sendable, Hashable {
        /// Waiting does not help, or the login succeeded.
        case other
        /// The host is unreachable or accepts no logins, for a temporary cause.
        case closed
        /// The name was not found.
        case noName
    }

    package static func reason(of error: SSHError) -> Reason {
        if error.code == .resolveHostNotFound { return .noName }
        switch error.stage {
        case .resolve, .connect, .banner, .keyExchange, .hostKey, .key, .authentication:
            return error.retry.allowsRetry && error.commandMayHaveRun == .no ? .closed : .other
        case .channel, .session, .sftp, .command, .local: return .other
        }
    }
}
