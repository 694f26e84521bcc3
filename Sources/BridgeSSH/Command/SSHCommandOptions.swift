/// How to run a command.
public struct SSHCommandOptions: Sendable {
    /// Environment variables to set at the server, in order. A variable that the server refuses (AcceptEnv in sshd_config(5))
    /// causes a notice. A name that is empty or contains `=`, or a NUL in a name or value, fails the command before anything is
    /// sent.
    public var environment: [(name: String, value: String)]
    /// Allocates a pseudo-terminal. Standard error then arrives on standard output.
    public var pty: SSHPTYOptions?
    /// Merges both streams, in the order in which their packets arrive: all output is in standard output, standard error is
    /// empty, and ``SSHOutputChunk/stream`` has the original stream of each piece. Default false.
    ///
    /// The server determines the order. If a command writes to both streams before the server reads them, standard output may be
    /// sent first, as OpenSSH's sshd does. A delayed server joins the pending output of each stream.
    public var mergesOutput: Bool
    /// The time limit for the command; nil for none. With zero or less the command does not run: `ssh.command.timed-out`.
    public var timeout: Duration?
    /// The time limit without output; nil for none. With zero or less the command does not run: `ssh.command.idle-timed-out`.
    public var idleTimeout: Duration?
    /// How long the output may stay open after the exit status, for processes that the command left behind; nil for no limit,
    /// zero or less for no time at all.
    public var drain: Duration?
    /// The limit on collected output, in bytes per stream. With a negative limit the command does not run. Default 64 MiB.
    public var outputLimit: Int

    /// The defaults, except for the given values: each is that of the property of its name.
    ///
    /// The environment is set in alphabetical order of the names. If another order matters, set ``environment``.
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

    /// Whether requests must be sent before the command.
    var needsPreparation: Bool { !environment.isEmpty || mergesOutput || pty != nil }

    /// Whether the command has any deadline.
    var hasDeadlines: Bool { timeout != nil || idleTimeout != nil || drain != nil }
}

extension SSHCommandOptions: Equatable {
    /// Whether two commands would run in the same way.
    public static func == (one: SSHCommandOptions, other: SSHCommandOptions) -> Bool {
        one.environment.elementsEqual(other.environment) { $0 == $1 } && one.pty == other.pty
            && one.mergesOutput == other.mergesOutput && one.timeout == other.timeout && one.idleTimeout == other.idleTimeout
            && one.drain == other.drain && one.outputLimit == other.outputLimit
    }
}

/// The form in which options are passed to the process that holds a kept connection.
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

extension SSHCommandOptions {
    /// Why a command with these options cannot be sent; nil if it can.
    ///
    /// sshd ends the whole connection, with all its commands, if a string in a request contains a NUL.
    func fault(of program: ChannelProgram) -> Fault? {
        if let problem = problem(of: program) { return Fault(.usage(field: problem.field, problem: problem.text), stage: .local) }
        return Self.expired(timeout, .command) ?? Self.expired(idleTimeout, .idle)
    }

    private func problem(of program: ChannelProgram) -> (field: String, text: String)? {
        func holdsNUL(_ text: String) -> Bool { text.utf8.contains(0) }
        if holdsNUL(program.text) {
            return (program.field, "it contains a NUL character, which a program cannot receive; remove it")
        }
        if program.text.utf8.count > ChannelProgram.maximumBytes {
            return (
                program.field,
                "it is \(program.text.utf8.count) bytes long, and libssh2 can send \(ChannelProgram.maximumBytes); run sh -s instead, "
                    + "and give it a long script on standard input"
            )
        }
        for (name, value) in environment {
            if name.isEmpty { return ("environment", "a variable has no name") }
            if holdsNUL(name) || holdsNUL(value) { return ("environment", "\(name) contains a NUL character; remove it") }
            if name.utf8.contains(UInt8(ascii: "=")) { return ("environment", "the name \(name) has a “=”; no variable can") }
        }
        if let problem = pty?.problem { return problem }
        if outputLimit < 0 { return ("outputLimit", "\(outputLimit) bytes are too few; give 0 or more") }
        return nil
    }

    private static func expired(_ limit: Duration?, _ kind: SSHDeadline.Kind) -> Fault? {
        guard let limit, limit <= .zero else { return nil }
        return Fault(.deadlinePassed(SSHDeadline(kind: kind, seconds: 0)), stage: .command)
    }
}

/// A pseudo-terminal (RFC 4254 section 6.2).
public struct SSHPTYOptions: Sendable, Hashable {
    /// The value of TERM. It must not contain a NUL.
    public var terminal: String
    /// The width in characters. A number outside 0 to 65535 is replaced by the nearest limit.
    public var columns: Int
    /// The height in characters, limited like the width.
    public var rows: Int
    /// Encoded terminal modes (RFC 4254 section 8): for each mode, an opcode from 1 to 159 and a four-byte value, most
    /// significant byte first; then TTY_OP_END, a zero byte. Empty for the server's defaults. With any other content the command
    /// does not run, because a server may end the connection. Together with ``terminal`` at most 256 bytes, which is libssh2's
    /// limit.
    public var modes: [UInt8]

    /// A terminal with this type and size.
    public init(terminal: String = "xterm", columns: Int = 80, rows: Int = 24, modes: [UInt8] = []) {
        self.terminal = terminal
        self.columns = columns
        self.rows = rows
        self.modes = modes
    }
}

extension SSHPTYOptions {
    /// Why a server would not understand the request; nil if it would.
    var problem: (field: String, text: String)? {
        if terminal.utf8.contains(0) { return ("terminal", "TERM contains a NUL character; remove it") }
        let count = terminal.utf8.count + modes.count
        if count > 256 { return ("pty", "TERM and the modes have \(count) bytes together; libssh2 can send 256") }
        guard !modes.isEmpty else { return nil }
        let entries = stride(from: 0, to: modes.count - 1, by: 5)
        guard modes.count % 5 == 1, modes.last == 0, entries.allSatisfy({ (1...159).contains(modes[$0]) }) else {
            return (
                "pty.modes",
                "they are not terminal modes; write each as an opcode from 1 to 159 and four bytes, and end with a 0"
            )
        }
        return nil
    }
}

/// The form in which a pseudo-terminal is passed to the process that holds a kept connection.
extension SSHPTYOptions: FieldCoded {
    package static var blank: SSHPTYOptions { SSHPTYOptions() }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&terminal)
        try coder.code(&columns, in: 0...Int(Int32.max))
        try coder.code(&rows, in: 0...Int(Int32.max))
        try coder.code(bytes: &modes)
    }
}
