internal import ErrorCore
package import Logging
internal import Synchronization

/// The clock and the record of one connection: its stages, notices and facts.
package final class Timeline: Sendable {
    private struct State {
        var timings = SSHStageTimings()
        /// The time in each finished stage. There are few stages, so a list is cheaper than a dictionary with hashed names.
        var durations: [(stage: SSHStage, seconds: Double)] = []
        /// The hop that is being connected, or was last.
        var hop: Hop?
        var open: SSHStage?
        var last: SSHStage?
        var openedAt: MonotonicInstant
        var notices = BoundedNotices()
        /// The facts, by position in the chain.
        var facts: [Int: ConnectionFacts] = [:]
    }
    private let state: Mutex<State>
    private let startedAt: MonotonicInstant
    private let observer: (any SSHRunObserver)?
    private let logger: Logger?
    /// The secrets that were sent to the servers. They are masked in all texts of bridge-ssh.
    package let secrets: KnownSecrets

    package init(observer: (any SSHRunObserver)?, logger: Logger? = nil, secrets: KnownSecrets = KnownSecrets()) {
        self.secrets = secrets
        let now = MonotonicInstant.now
        startedAt = now
        state = Mutex(State(openedAt: now))
        self.observer = observer
        self.logger = logger
    }

    /// Seconds since the start.
    package var elapsed: Double { startedAt.seconds(to: .now) }
    package var timings: SSHStageTimings { state.withLock { $0.timings } }
    var notices: [String] { state.withLock { $0.notices.texts } }

    /// - Returns: those of the variables that the server refused to set.
    package func refused(_ variables: [String]) -> [String] {
        guard !variables.isEmpty else { return [] }
        let notices = notices
        return variables.filter { notices.contains(RefusedVariable.notice(of: $0)) }
    }

    /// Seconds in each finished stage of the present hop.
    var durations: [SSHStage: Double] {
        Dictionary(uniqueKeysWithValues: state.withLock { $0.durations.map { ($0.stage, $0.seconds) } })
    }
    /// The stage that was started last.
    var lastStage: SSHStage? { state.withLock { $0.last } }
    /// The facts about one hop.
    func facts(of hop: Hop) -> ConnectionFacts { state.withLock { $0.facts[hop.number] ?? ConnectionFacts() } }

    func note(_ hop: Hop, _ change: (inout ConnectionFacts) -> Void) {
        state.withLock { change(&$0.facts[hop.number, default: ConnectionFacts()]) }
    }

    /// Later records concern this hop.
    func enter(_ hop: Hop) { state.withLock { $0.hop = hop.withoutSecrets } }

    /// Ends the present stage, and starts another.
    package func begin(_ stage: SSHStage, _ detail: String = "", channel: ChannelID? = nil) {
        state.withLock { state in
            Self.end(&state)
            state.open = stage
            state.last = stage
        }
        guard observer != nil || logger != nil else { return }
        let detail = safe(detail)
        observer?.stageBegan(stage, detail: detail)
        logger?.debug("\(detail.isEmpty ? stage.rawValue : detail)", metadata: metadata(stage, channel))
    }

    package func end() { state.withLock { Self.end(&$0) } }

    /// Adds the times that another process needed for its channel.
    package func add(_ spent: SSHStageTimings) {
        state.withLock { state in
            for timing in [\SSHStageTimings.Seconds.resolve, \.connect, \.banner, \.keyExchange, \.authentication, \.channel] {
                state.timings.seconds[keyPath: timing] += spent.seconds[keyPath: timing]
            }
        }
    }

    /// Ends a jump host's last stage: ``durations`` start again, ``timings`` continue.
    func endJumpHost() {
        state.withLock { state in
            Self.end(&state)
            state.durations = []
        }
    }

    private static func end(_ state: inout State) {
        let now = MonotonicInstant.now
        if let open = state.open {
            let seconds = state.openedAt.seconds(to: now)
            if let index = state.durations.firstIndex(where: { $0.stage == open }) {
                state.durations[index].seconds += seconds
            } else {
                state.durations.append((open, seconds))
            }
            state.timings.seconds.add(seconds, in: open)
        }
        state.open = nil
        state.openedAt = now
    }

    /// A text that may contain server text, made safe for a log.
    private func safe(_ text: String) -> String {
        TerminalText.inert(secrets.masking(text), limit: TextExtent.sentence.limit)
    }

    package func notice(_ text: String, channel: ChannelID? = nil) {
        let text = safe(text)
        state.withLock { $0.notices.append(text) }
        observer?.notice(text)
        logger?.notice("\(text)", metadata: metadata(nil, channel))
    }

    /// A notice that is reported but not kept, for notices that may come without limit.
    package func remark(_ text: String) {
        let text = safe(text)
        observer?.notice(text)
        logger?.notice("\(text)", metadata: metadata())
    }

    /// A notice about a newly trusted key, which the user should see.
    package func trustNotice(_ text: String) {
        let text = safe(text)
        state.withLock { $0.notices.append(text) }
        observer?.trustChanged(text)
        logger?.notice("\(text)", metadata: metadata())
    }

    /// The server's banner. The observer must make it safe for a terminal.
    package func serverBanner(_ text: String) { observer?.serverBanner(secrets.masking(text)) }

    /// The server has accepted the login.
    func authenticated(_ login: SSHAuthenticationEvidence) {
        guard observer != nil || logger != nil else { return }
        authenticated(with: login.acceptedCredentials)
    }

    package func authenticated(with credentials: String) {
        let text = safe(credentials)
        observer?.authenticated(with: text)
        logger?.debug("the server accepted \(text)", metadata: metadata(.authentication))
    }

    /// Logs the error that ended something: as a warning, or at `debug` if this side requested the end.
    func log(_ error: SSHError, channel: ChannelID? = nil) {
        guard let logger else { return }
        var metadata = metadata(error.stage, channel)
        metadata["ssh_code"] = .string(error.code.rawValue)
        logger.log(level: error.code == .localCancelled ? .debug : .warning, "\(safe(error.message))", metadata: metadata)
    }

    /// Logs an end without failure, at `debug`.
    func log(_ text: String, channel: ChannelID? = nil) {
        logger?.debug("\(text)", metadata: metadata(nil, channel))
    }

    /// Warns that a connection was dropped without being closed.
    func warnOfDrop(_ endpoint: SSHEndpoint) {
        let text = "The connection to \(endpoint) was dropped without close(); it is being closed."
        logger?.warning("\(text)", metadata: metadata())
        #if DEBUG
            StandardErrorLine.write("bridge-ssh: \(text)")
        #endif
    }

    private func metadata(_ stage: SSHStage? = nil, _ channel: ChannelID? = nil) -> Logger.Metadata {
        var result: Logger.Metadata = ["elapsed_seconds": .stringConvertible(elapsed)]
        result["ssh_stage"] = stage.map { .string($0.rawValue) }
        result["ssh_channel"] = channel.map { .stringConvertible($0.rawValue) }
        guard let hop = state.withLock({ $0.hop }) else { return result }
        result["ssh_host"] = .string(hop.endpoint.host)
        result["ssh_port"] = .stringConvertible(hop.endpoint.port)
        result["ssh_user"] = .string(hop.endpoint.user)
        result["ssh_hop"] = hop.place.map { .string("\($0.number)/\($0.count)") }
        return result
    }
}

extension SSHStageTimings.Seconds {
    fileprivate mutating func add(_ seconds: Double, in stage: SSHStage) {
        switch stage {
        case .resolve: resolve += seconds
        case .connect: connect += seconds
        case .banner: banner += seconds
        case .keyExchange: keyExchange += seconds
        case .hostKey, .authentication: authentication += seconds
        case .channel: channel += seconds
        case .command, .session, .sftp: command += seconds
        case .key, .local: break
        }
    }
}

/// Facts about one hop's connection, successful or not, that a failure's evidence does not contain.
struct ConnectionFacts: Sendable {
    /// The resolved addresses in the resolver's order: `192.0.2.1:22`, `[2001:db8::1]:22`.
    var addresses: [String] = []
    /// The outcome of each address that was tried, in order.
    var connects: [AddressOutcome] = []
    /// Every public key that was considered. Those that may be offered come first, in the order of the offers.
    var keys: [KeyConsideration] = []
    /// Whether there is a password. A person may be asked for one in any case.
    var holdsPassword = false
    /// Whether the decisive line in known_hosts has a hashed host name (HashKnownHosts in ssh_config(5)).
    var hostNameIsHashed = false
    /// Whether the host key was unknown, and was accepted.
    var hostKeyWasNew = false
    /// What is done with further host keys that the server announces; nil where known_hosts does not decide.
    var hostKeyLearning: HostKeyLearning?
    /// What became of the host keys that the server announced; nil if known_hosts has them all.
    var hostKeyUpdate: HostKeyUpdate?
    /// The accepted host key, and who accepted it; nil until then.
    var acceptedKey: KeptHostKey?
    /// Seconds until the ProxyCommand ran; nil without one.
    var proxyStart: Double?
    /// Whether the previous hop opened a channel to this one.
    var isTunnelled = false
    /// Seconds from the first stage to the login or the failure.
    var seconds: Double?
    /// The evidence of the login; nil if it failed.
    var login: SSHAuthenticationEvidence?
    /// The host key, after it was accepted and the login succeeded.
    var hostKey: SSHHostKeyEvidence?
    /// When the last command was sent to the server.
    var commandSentAt: MonotonicInstant?
}

/// The notices of a connection, which may last for months: the first ones, and the number of the others.
struct BoundedNotices {
    /// The greatest number of kept notices.
    static let limit = 64

    private var first: [String] = []
    private var others = 0

    mutating func append(_ text: String) {
        if first.count < Self.limit { first.append(text) } else { others += 1 }
    }

    /// The kept notices, and a line with the number of the others.
    var texts: [String] {
        others == 0 ? first : first + ["There were \(others) more notices."]
    }
}

/// A variable that the server refused to set.
package enum RefusedVariable {
    /// The text for the observer.
    package static func notice(of name: String) -> String {
        "The server refused to set \(name) (its AcceptEnv does not list it)."
    }
}
