/// How far each ssh had come, as its debug messages (`ssh -v`) prove.
///
/// Several write into one transcript: the ssh whose transcript it is, which starts first; before it has a session, the ones that
/// carry its connection (ProxyJump); and once it runs a command, an ssh that the command runs, which says nothing of ours.
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
        /// Tells one end from another with the same status.
        let number: Int
        let status: Int
        /// Whether an exit-signal had come (RFC 4254 section 6.10).
        let wasSignalled: Bool
    }

    /// The ssh whose transcript this is, then those that carry it, outermost first; empty where none is verbose.
    private(set) var clients: [Client] = []
    /// Whether the connection goes through a program: a ProxyCommand, a jump host.
    private(set) var isCarried = false
    /// Whether a kept connection of another ssh is used, which says nothing of the command's end at `-v`.
    private(set) var usesMaster = false
    /// Whether an ssh runs within the command.
    private(set) var isNested = false
    /// The remote command or subsystem.
    private(set) var command: String?
    private(set) var isSubsystem = false
    /// Whether the server has answered that it runs, which `ssh -vv` tells.
    private(set) var isAccepted = false
    /// The last end that was reported. An ssh within the command ends before ours.
    private(set) var end: End?
    private var isSignalled = false
    /// Whether the server closed a channel, which `ssh -vv` tells.
    private(set) var isClosedByServer = false
    /// A signal that ended an ssh here.
    private(set) var killedBy: Int?

    /// Whether anything is proved at all.
    var isPresent: Bool { !clients.isEmpty }
    /// How far ours has come.
    var step: Step { clients.first?.step ?? .started }
    /// Whether what others write is the remote command's output.
    var isRunning: Bool { step >= .session }
    /// The login that is going on.
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
        // The way to the next host is open.
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

    mutating func signalled() { isSignalled = true }

    mutating func ended(_ status: Int) {
        start()
        end = End(number: (end?.number ?? 0) + 1, status: status, wasSignalled: isSignalled)
        isSignalled = false
    }

    /// `Killed by signal 15.`; a carrier is ended by signal 1.
    mutating func killed(by signal: Int) {
        if signal != 1 || !isCarried { killedBy = signal }
    }

    /// Whether a line of this stage can be ours: no stage that is over, and none that only an ssh within the command is at.
    func admits(_ stage: SSHStage) -> Bool {
        guard isPresent else { return true }
        guard let order = Self.order(stage) else { return !isRunning }
        return order >= Self.order(clients.last?.step ?? .started)
    }

    /// nil for what may be reported at any time before the session.
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
