/// How a command is to be run.
public struct SSHCommandOptions: Sendable {
    /// Environment variables to set at the server, in order. A variable that the server refuses (AcceptEnv of sshd_config(5))
    /// causes a notice. A name that is empty or has a `=`, and a NUL anywhere, fail the command before anything is sent.
    public var environment: [(name: String, value: String)]
    /// Allocates a pseudo-terminal; standard error then comes on standard output.
    public var pty: SSHPTYOptions?
    /// Reads both streams as one, in the order in which their packets arrived: all comes on standard output, standard error is
    /// empty, and ``SSHOutputChunk/stream`` gives the stream that each piece was written to. Default false.
    ///
    /// The order is the server's: what a command writes to both streams before the server looks may be sent standard output
    /// first (OpenSSH's sshd does so), and a server that is held up joins what it has of each.
    public var mergesOutput: Bool
    /// How long the command may run; nil for no limit. With zero or less it is not run: `ssh.command.timed-out`.
    public var timeout: Duration?
    /// How long the command may go without output; nil for no limit. With zero or less it is not run:
    /// `ssh.command.idle-timed-out`.
    public var idleTimeout: Duration?
    /// How long the output may stay open after the exit status, held by processes that the command left behind; nil for no
    /// limit, zero or less for not at all.
    public var drain: Duration?
    /// The most output that is collected, in bytes per stream; 0 or more, or the command is not run. Default 64 MiB.
    public var outputLimit: Int

    /// The defaults, but for what is given.
    ///
    /// - Parameter environment: in the order of the names; where the order matters, set ``environment``.
    public init(
        timeout: Duration? = nil, idleTimeout: Duration? = nil, drain: Duration? = nil, environment: [String: String] = [:],
        pty: SSHPTYOptions? = nil, mergesOutput: Bool = false, outputLimit: Int = 64 << 20
    ) {
        self.environment = environment.isEmpty ? [] : environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.pty = pty
        self.mergesOutput = mergesOutput
        self.timeout = timeout
        self.idleTimeout = idleTimeout
        self.drain = drain
        self.outputLimit = outputLimit
    }

    /// Whether something is asked of the server before the command.
    var needsPreparation: Bool { !environment.isEmpty || mergesOutput || pty != nil }

    /// Whether any deadline is to be watched while it runs.
    var hasDeadlines: Bool { timeout != nil || idleTimeout != nil || drain != nil }
}

extension SSHCommandOptions: Equatable {
    /// Whether two commands would be run in the same way.
    public static func == (one: SSHCommandOptions, other: SSHCommandOptions) -> Bool {
        one.environment.elementsEqual(other.environment) { $0 == $1 } && one.pty == other.pty
            && one.mergesOutput == other.mergesOutput && one.timeout == other.timeout && one.idleTimeout == other.idleTimeout
            && one.drain == other.drain && one.outputLimit == other.outputLimit
    }
}

/// As they are passed to the process that has a kept connection.
extension SSHCommandOptions: FieldCoded {
    package static var blank: SSHCommandOptions { SSHCommandOptions() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var variables = environment.flatMap { [$0.name, $0.value] }
        try coder.code(&variables)
        environment = stride(from: 0, to: variables.count - 1, by: 2).map { (variables[$0], variables[$0 + 1]) }
        try coder.code(&timeout)
        try coder.code(&idleTimeout)
        try coder.code(&drain)
        try coder.code(&outputLimit)
        try coder.code(&mergesOutput)
        try coder.code(&pty)
    }
}
