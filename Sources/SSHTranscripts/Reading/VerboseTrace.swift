/// The progress of each ssh, as its debug messages (`ssh -v`) prove.
///
/// Several can write into one transcript. The main ssh starts first. Before it has a session, others may carry its connection
/// (ProxyJump). Once it runs a command, that command may run another ssh, which proves nothing about the main one.
struct VerboseTrace: Sendable {
    enum Step: Int, Sendable, Comparable {
        case started, connected, exchanging, keyed, authenticating, authenticated, session, command

        static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
    }

    /// One ssh.
    struct Client: Sendable {
        var step = Step.started
        var login = LoginTrace()
        /// Whether it only forwards its input and output to another host (`ssh -W`).
        var forwards = false
    }

    /// `debug1: Exit status N`
    struct End: Sendable, Equatable {
        /// Distinguishes ends with the same status.
        let number: Int
        let status: Int
        /// Whether an exit-signal came first (RFC 4254 section 6.10).
        let wasSignalled: Bool
    }

    /// Whether a line is a debug message of ssh's: `debug1: `. Other programs' logs begin with the word alone.
    static func isDebug(_ line: String) -> Bool {
        let rest = line.utf8.dropFirst(5)
        return line.hasPrefix("debug") && (rest.first == UInt8(ascii: ":") || rest.dropFirst().first == UInt8(ascii: ":"))
    }

    /// The main ssh, then those that carry its connection, outermost first. Empty if none is verbose.
    private(set) var clients: [Client] = []
    /// Whether the connection goes through a program: a ProxyCommand, a jump host.
    private(set) var isCarried = false
    /// Whether the connection of another ssh (ControlMaster) is used. `-v` then does not show the command's end.
    private(set) var usesMaster = false
    /// Whether an ssh runs within the command.
    private(set) var isNested = false
    /// The remote command or subsystem.
    private(set) var command: String?
    private(set) var isSubsystem = false
    /// Whether the server has accepted the command, from `ssh -vv`.
    private(set) var isAccepted = false
    /// The last reported end. An ssh within the command ends before the main one.
    private(set) var end: End?
    private var isSignalled = false
    /// Whether the server closed a channel, from `ssh -vv`.
    private(set) var isClosedByServer = false
    /// Whether ssh could not write the session's output, from `ssh -vv`: its reader has gone.
    private(set) var isOutputClosed = false
    /// Whether the session has a terminal, from `ssh -vv`.
    private var hasTerminal = false
    /// Whether ssh stopped reading its input, from `ssh -vv`: at its end, and at the escape `~.`.
    private var isInputEnded = false
    /// The signal that ended a local ssh.
    private(set) var killedBy: Int?

    /// Whether a person ended ssh by `~.`. A terminal's input has no end, and neither the server nor the network ended the
    /// session (clientloop.c, `process_escapes`).
    var isEscaped: Bool { hasTerminal && isInputEnded && !isClosedByServer }

    /// Whether there are debug messages.
    var isPresent: Bool { !clients.isEmpty }
    /// The progress of the main ssh.
    var step: Step { clients.first?.step ?? .started }
    /// Whether the lines of other programs are the remote command's output.
    var isRunning: Bool { step >= .session }
    /// The current login.
    var login: LoginTrace {
        get { clients.last?.login ?? LoginTrace() }
        set {
            start()
            if !isNested { clients[clients.count - 1].login = newValue }
        }
    }

    /// An ssh began: `OpenSSH_9.2p1 …, OpenSSL …`
    mutating func greet() {
        if clients.isEmpty { return start() }
        if isRunning { isNested = true } else if isCarried, clients.count < 16 { clients.append(Client()) }
    }

    private mutating func start() {
        if clients.isEmpty { clients.append(Client()) }
    }

    mutating func reach(_ step: Step) {
        start()
        if isRunning, step < .session { isNested = true }
        if isNested { return }
        let last = clients.count - 1
        clients[last].step = max(clients[last].step, step)
        // The connection to the next host is open.
        if step == .session, clients[last].forwards, last > 0 { clients.removeLast() }
    }

    mutating func carry() {
        start()
        if !isRunning { isCarried = true }
    }

    mutating func forward() {
        start()
        if !isNested { clients[clients.count - 1].forwards = true }
    }

    mutating func useMaster() {
        start()
        guard !isRunning else { return }
        usesMaster = true
        reach(.command)
    }

    mutating func send(_ command: String, isSubsystem: Bool = false) {
        reach(.command)
        if isNested || self.command != nil { return }
        self.command = command
        self.isSubsystem = isSubsystem
    }

    mutating func accept() { isAccepted = isAccepted || isRunning && !isNested }

    mutating func closeByServer() { isClosedByServer = true }

    mutating func closeOutput() { isOutputClosed = isOutputClosed || isRunning && !isNested }

    mutating func requestTerminal() { hasTerminal = hasTerminal || isRunning && !isNested }

    mutating func endInput() { isInputEnded = isInputEnded || isRunning && !isNested }

    mutating func signalled() { isSignalled = true }

    mutating func ended(_ status: Int) {
        start()
        end = End(number: (end?.number ?? 0) + 1, status: status, wasSignalled: isSignalled)
        isSignalled = false
    }

    /// `Killed by signal 15.` Signal 1 only ends an ssh that carries a connection.
    mutating func killed(by signal: Int) {
        if signal != 1 || !isCarried { killedBy = signal }
    }

    /// Whether a line of this stage can belong to the main ssh: the stage is not over, and is not that of an ssh within the
    /// command.
    func admits(_ stage: SSHStage) -> Bool {
        guard isPresent else { return true }
        guard let order = Self.order(stage) else { return !isRunning }
        return order >= Self.order(clients.last?.step ?? .started)
    }

    /// The order of a stage; nil for a stage that may be reported at any time before the session.
    private static func order(_ stage: SSHStage) -> Int? {
        switch stage {
        case .resolve, .connect: 1
        case .banner: 2
        case .keyExchange, .hostKey: 3
        case .authentication: 4
        case .channel, .session, .sftp, .command: 5
        case .key, .local: nil
        }
    }

    private static func order(_ step: Step) -> Int {
        switch step {
        case .started: 1
        case .connected: 2
        case .exchanging, .keyed: 3
        case .authenticating: 4
        case .authenticated, .session, .command: 5
        }
    }
}
