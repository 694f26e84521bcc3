import ArgumentParser
package import BridgeSSH
import ErrorCore
package import SSHRun

/// A command with the options of `run` that apply to every host of a fleet too.
///
/// Each command lists the groups itself: in debug builds the argument parser's checks take five times as long for each level of
/// groups in groups.
package protocol HostOptionGroups: AccessOptionGroups {
    var port: PortOptions { get }
    var retry: RetryOptions { get }
    var waiting: WaitOptions { get }
}

extension HostOptionGroups {
    package var hosts: HostOptions { HostOptions(self, port, retry, waiting) }
}

/// ``HostOptionGroups`` for copies: the port is `-P`, as for `bridge-ssh copy`, and `--retries` is an option of the copy.
package protocol TransferOptionGroups: AccessOptionGroups {
    var copying: CopyingOptions { get }
    var port: CopyPortOptions { get }
    var waiting: WaitOptions { get }
}

extension TransferOptionGroups {
    /// The equivalent options of a run. They are idempotent: copying a file twice does no harm.
    package var hosts: HostOptions {
        var retry = RetryOptions.unset
        (retry.retries, retry.idempotent) = (copying.retries, true)
        return HostOptions(self, port.asOfRun, retry, waiting)
    }
}

/// The options of `run` that apply to every host of a fleet too.
package struct HostOptions: ConnectingCommand {
    let port: PortOptions
    package let connection: ConnectionOptions
    package let files: ConfigurationOptions
    package let trust: TrustOptions
    package let credentials: CredentialOptions
    package let keys: KeyAccessOptions
    let retry: RetryOptions
    let waiting: WaitOptions

    init(_ access: some AccessOptionGroups, _ port: PortOptions, _ retry: RetryOptions, _ waiting: WaitOptions) {
        (self.port, self.retry, self.waiting) = (port, retry, waiting)
        (connection, files, trust) = (access.connection, access.files, access.trust)
        (credentials, keys) = (access.credentials, access.keys)
    }

    /// Unset: `--batch` has another meaning for a fleet, which never asks during a run.
    var prompts: PromptOptions { .unset }

    /// Messages about key files that an option names and that do not exist. A public key file is enough for a key in the agent.
    package func missingIdentities(home: String) -> [String] {
        credentials.identity.map { HomePath.expand($0, home: home) }
            .filter { access($0, F_OK) != 0 && access($0 + ".pub", F_OK) != 0 }
            .map { "the identity \(TerminalText.escape($0)) cannot be read: \(String(cString: strerror(ENOENT)))" }
    }

    /// The value of `-F`.
    package var configurationFile: String? { files.config }

    /// The source of ssh's configuration for a value of `-F`.
    package static func configuration(_ file: String?, home: String) -> SSHConfigSource {
        ConfigurationOptions.source(file, home: home) ?? .standard
    }

    /// - Throws: `UsageProblem` for options that do not work for many hosts with `--via ssh`.
    package func check(_ maker: ConnectionMaker, _ options: SSHCommandOptions) throws {
        guard maker == .ssh else { return }
        try ViaOptions.check(options, persists: false)
        if credentials.passwordFile != nil {
            throw UsageProblem(
                field: "--password-file",
                problem:
                    "with --via ssh one wrong password would be refused by many hosts at once; use a key or an agent, or leave "
                    + "--via ssh out: then bridge-ssh offers the password to one host first")
        }
    }

    /// How many times a host is retried.
    package var retries: Int { retry.retries?.value ?? 0 }
    /// How long to wait for a host that does not accept logins yet; nil for no wait.
    package var wait: LoginWait? { waiting.wait }
    /// Whether the command may run twice.
    package var isIdempotent: Bool { retry.idempotent }
}

/// How the command is run on every host.
package struct SharedCommandOptions: Sendable {
    let execution: ExecutionOptions
    let status: StatusOptions

    package init(_ execution: ExecutionOptions, _ status: StatusOptions) {
        (self.execution, self.status) = (execution, status)
    }

    /// How the exit status of a failed command is passed on.
    package var commandStatus: SSHExitStatus.CommandStatus { status.commandStatus }

    /// The status file; nil without `--status-file`.
    ///
    /// - Throws: `UsageProblem` if it cannot be written.
    package func statusFile(home: String) throws -> StatusFile? { try status.file(home: home) }

    /// The variables from `--env`.
    package var variables: [(name: String, value: String)] { execution.env.map { ($0.name, $0.value) } }

    /// - Throws: `UsageProblem` for options that do not work for many hosts.
    package func options() throws -> SSHCommandOptions {
        if execution.tty {
            throw UsageProblem(field: "--tty", problem: "many hosts cannot share a terminal; use bridge-ssh run on one of them")
        }
        return execution.commandOptions
    }
}

/// An option's value: a length of time.
package struct TimeOption: Sendable {
    package let duration: Duration

    /// For an option's `transform`.
    package static func parse(_ argument: String) throws -> TimeOption {
        TimeOption(duration: try Seconds.parse(argument).duration)
    }

    package init?(argument: String) {
        guard let seconds = Seconds(argument: argument) else { return nil }
        duration = seconds.duration
    }

    private init(duration: Duration) { self.duration = duration }
}

/// An option's value: a number of bytes.
package struct BytesOption: Sendable {
    package let count: Int

    /// For an option's `transform`.
    package static func parse(_ argument: String) throws -> BytesOption {
        BytesOption(count: try ByteCount.parse(argument).value)
    }

    private init(count: Int) { self.count = count }
}

/// The input for the commands on a fleet's hosts: standard input or a file.
package enum HostInput: Sendable {
    case none
    /// An open regular file, read from an offset; `owner` closes it.
    case file(name: String, descriptor: Int32, offset: UInt64, count: UInt64, owner: (any Sendable)?)
    /// A stream, which can be read once. A cancelled task gets nil.
    case stream(name: String, next: @Sendable () async throws -> [UInt8]?)

    /// This process's standard input: `none` for a terminal, for /dev/null, and if it is closed.
    ///
    /// - Parameter isAskedFor: whether an option names standard input.
    /// - Throws: `UsageProblem`.
    static func inherited(isAskedFor: Bool) throws -> HostInput {
        guard isatty(0) != 1 else {
            guard !isAskedFor else {
                throw UsageProblem(
                    field: "--stdin",
                    problem: "standard input is a terminal, which many hosts cannot share; pipe something, or name a file")
            }
            return .none
        }
        // nohup(1) replaces standard input with a descriptor that is only writable.
        guard fcntl(0, F_GETFL) & O_ACCMODE != O_WRONLY else { return .none }
        return try opened(0, owner: nil, name: "-")
    }

    /// - Throws: `UsageProblem`.
    static func named(_ path: String) throws -> HostInput {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            throw UsageProblem(field: "--stdin", problem: "\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        return try opened(number, owner: OwnedDescriptor(number), name: path)
    }

    private static func opened(_ descriptor: Int32, owner: OwnedDescriptor?, name: String) throws -> HostInput {
        var (status, null) = (stat(), stat())
        guard fstat(descriptor, &status) == 0 else { return .none }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            let place = owner == nil ? max(0, lseek(descriptor, 0, SEEK_CUR)) : 0
            return .file(
                name: name, descriptor: descriptor, offset: UInt64(place), count: UInt64(max(0, status.st_size - place)),
                owner: owner)
        case S_IFDIR: throw UsageProblem(field: "--stdin", problem: "\(name == "-" ? "it" : name) is a directory")
        case S_IFCHR where stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev: return .none
        default:
            let reader = owner.map { InputReader(descriptor: $0) } ?? InputReader(borrowing: descriptor)
            return .stream(name: name, next: reader.pieces)
        }
    }

    /// Whether bytes are available now.
    package var hasBytes: Bool {
        switch self {
        case .none: return false
        case .file(_, _, _, let count, _): return count > 0
        case .stream:
            var count: Int32 = 0
            return ioctl(0, UInt(FIONREAD), &count) == 0 && count > 0
        }
    }
}

extension InputSource {
    /// Whether it is this process's standard input, which has bytes that nothing has read.
    var hasUnreadBytes: Bool { self == .inherited && (try? HostInput.inherited(isAskedFor: false))?.hasBytes == true }
}

extension SharedCommandOptions {
    /// The input of every host's command.
    ///
    /// - Parameter isTaken: whether the program reads standard input for another purpose.
    /// - Throws: `UsageProblem`.
    package func input(isTaken: Bool = false) throws -> HostInput {
        switch execution.stdin {
        case nil: return execution.noInput || isTaken ? .none : try .inherited(isAskedFor: false)
        case "none": return .none
        case let path? where execution.noInput:
            throw UsageProblem(field: "--stdin", problem: "\(path) contradicts -n, which lets the command read nothing; drop one")
        case "-" where isTaken:
            throw UsageProblem(
                field: "--stdin", problem: "standard input is already used for the names of hosts; name a file for one of them")
        case "-": return try .inherited(isAskedFor: true)
        case let path?: return try .named(path)
        }
    }

    /// Whether an option names the input.
    package var namesInput: Bool { execution.stdin != nil && execution.stdin != "none" }
}
