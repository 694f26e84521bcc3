internal import Synchronization

/// An authenticated connection. Any number of commands may run on it at once, as far as the server's MaxSessions allows.
public final class SSHConnection: Sendable {
    let session: Session
    let recorder: EvidenceRecorder
    let configuration: Configuration
    /// What is left of the connection's deadline, for the first channel.
    private let firstDeadline: Mutex<PausableDeadline?>

    init(session: Session, recorder: EvidenceRecorder, configuration: Configuration, deadline: PausableDeadline?) {
        self.session = session
        self.recorder = recorder
        self.configuration = configuration.withoutSecrets
        firstDeadline = Mutex(deadline)
    }

    /// Where it goes and as whom.
    public var endpoint: Endpoint { recorder.endpoint }
    /// Seconds spent in each stage so far.
    public var timings: StageTimings { recorder.timeline.timings }
    /// What was noticed and did not fail anything.
    public var notices: [String] { recorder.timeline.notices }

    /// Runs a command and collects what it writes.
    ///
    /// - Parameters:
    ///   - command: given to the user's login shell as it is (RFC 4254 section 6.5).
    ///   - standardInput: what it reads.
    ///   - check: whether anything but exit status 0 throws.
    /// - Throws: ``SSHError`` when the channel is refused, the connection is lost, a deadline passes, the output passes its
    ///   limit, the task is cancelled, or (`check`) the command fails; what had been collected is in its ``SSHError/result``.
    @discardableResult
    public func run(
        _ command: String, options: CommandOptions = CommandOptions(), standardInput: StandardInput = .none, check: Bool = false
    ) async throws -> CommandResult {
        let output = Collector(.standardOutput, limit: options.outputLimit)
        let error = Collector(.standardError, limit: options.outputLimit)
        func result(_ termination: Termination, _ seconds: Double) -> CommandResult {
            CommandResult(
                command: command, termination: termination, standardOutput: output.bytes, standardError: error.bytes,
                durationSeconds: seconds)
        }
        let start = ContinuousClock.now
        do {
            let outcome = try await execute(command, options: options, standardInput: standardInput, standardError: .stream) {
                execution in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await error.collect(from: execution) }
                    try await output.collect(from: execution)
                    try await group.waitForAll()
                }
            }
            let result = result(outcome.termination, outcome.durationSeconds)
            if check, var failure = outcome.error {
                failure.result = result
                throw failure
            }
            return result
        } catch var failure as SSHError {
            let seconds = start.duration(to: .now).seconds
            failure.result = failure.result ?? failure.evidence.command.map { result($0.termination, seconds) }
            throw failure
        }
    }

    /// Runs a command whose streams are read as they come. They live only inside `body`.
    ///
    /// When `body` returns before the command has ended, the rest of its output is thrown away and its end is awaited. When
    /// `body` throws, or the task is cancelled, the command is ended as ``SSHExecution/cancel(signal:)`` says.
    ///
    /// - Parameters:
    ///   - command: given to the user's login shell as it is (RFC 4254 section 6.5).
    ///   - standardInput: what it reads; sent while `body` runs.
    ///   - standardError: whether `body` reads standard error. Unread, it would hold the command up once 2 MiB of it wait, so
    ///     by default it is read and only its tail is kept.
    /// - Throws: ``SSHError`` when the channel is refused, the connection is lost, a deadline passes or the task is cancelled;
    ///   what `body` throws. A non-zero exit status is no error here: see ``CommandOutcome``.
    @discardableResult
    public func execute<Value>(
        _ command: String, options: CommandOptions = CommandOptions(), standardInput: StandardInput = .none,
        standardError: StandardErrorHandling = .tailOnly, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHExecution) async throws -> Value
    ) async throws -> CommandOutcome<Value> {
        let execution = try await start(command, options)
        do {
            let outcome = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await execution.feed(standardInput) }
                group.addTask { await execution.watch() }
                if standardError == .tailOnly { group.addTask { await execution.discard(.standardError) } }
                defer { group.cancelAll() }
                let value = try await body(execution)
                await execution.discardRest(includingErrors: standardError == .stream)
                let (termination, evidence) = try await execution.finish()
                return CommandOutcome(
                    value: value, termination: termination, durationSeconds: execution.elapsed, evidence: evidence)
            }
            await session.closeChannel(execution.channel)
            recorder.timeline.end()
            return outcome
        } catch {
            recorder.timeline.end()
            // A cancelled task is told as what it is: an error that says whether the command may have run.
            let cancelled = error is SSHError ? nil : await execution.cancelled()
            await session.closeChannel(execution.channel)
            if error is CancellationError, let cancelled { throw cancelled }
            throw error
        }
    }

    /// Closes the connection and waits until it is closed, and with it the jump hosts' or the ProxyCommand.
    public func close() async {
        firstDeadline.withLock { $0 }?.cancel()
        await session.close()
        await recorder.path.close()
    }

    // MARK: Starting

    private func start(_ command: String, _ options: CommandOptions) async throws -> SSHExecution {
        recorder.timeline.begin(.channel, "opening a session channel")
        let evidence = CommandStart(command, hasPTY: options.pty != nil)
        let deadline = channelDeadline()
        let limit = Deadline(kind: .connect, seconds: deadline.seconds)
        deadline.start { [session] in session.enqueueFailure(Fault(.deadlinePassed(limit), stage: .channel)) }
        defer { deadline.cancel() }
        do throws(Fault) {
            let channel = try await session.openChannel()
            do throws(Fault) {
                try await prepare(channel, options)
                recorder.note { $0.commandSentAt = nil }
                try await session.execute(channel, command) { [recorder] in
                    // The call is repeated until its answer is there; the request went out at the first.
                    recorder.note { $0.commandSentAt = $0.commandSentAt ?? .now }
                    evidence.progressed(to: .sent)
                }
                evidence.progressed(to: .accepted)
                recorder.timeline.begin(.command, "running the command")
                return SSHExecution(
                    session: session, channel: channel, command: evidence.value, recorder: recorder, options: options)
            } catch {
                await session.closeChannel(channel)
                throw error
            }
        } catch {
            switch error.event {
            case .requestRefused(.exec): evidence.progressed(to: .refused)
            case .usage: evidence.progressed(to: .notSent)
            default: break
            }
            throw await recorder.error(error, session: session, command: evidence.value)
        }
    }

    private func prepare(_ channel: ChannelID, _ options: CommandOptions) async throws(Fault) {
        for (name, value) in options.environment where try await !session.setEnvironment(channel, name: name, value: value) {
            recorder.timeline.notice("The server refused to set \(name) (its AcceptEnv does not list it).")
        }
        guard let pty = options.pty else { return }
        try await session.requestPTY(
            channel, terminal: pty.terminal,
            size: WindowSize(columns: Int32(clamping: pty.columns), rows: Int32(clamping: pty.rows)), modes: pty.modes)
    }

    /// The rest of the connection's deadline for the first channel, a whole one for any other.
    private func channelDeadline() -> PausableDeadline {
        let first = firstDeadline.withLock { deadline in
            defer { deadline = nil }
            return deadline
        }
        first?.resume()
        return first ?? PausableDeadline(seconds: configuration.timeouts.connect)
    }
}

/// Whether a streaming run reads standard error.
public enum StandardErrorHandling: Sendable, Hashable {
    /// It is read for the caller, and its last 8 KiB are kept for the error.
    case tailOnly
    /// The caller reads it.
    case stream
}

/// How a streaming run ended.
public struct CommandOutcome<Value> {
    /// What the closure returned.
    public let value: Value
    /// How the command ended.
    public let termination: Termination
    /// Seconds from the exec request to the end of the output.
    public let durationSeconds: Double
    let evidence: Evidence

    /// The verdict on a command that did not succeed; nil for exit status 0.
    public var error: SSHError? {
        termination.isSuccess ? nil : FailureClassifier.classify(evidence)
    }

    /// The closure's value, if the command exited with status 0.
    ///
    /// - Throws: ``error`` if it did not.
    public func checked() throws -> Value {
        if let error { throw error }
        return value
    }
}

extension CommandOutcome: Sendable where Value: Sendable {}

/// How far a command has got, while the request for it is under way.
private final class CommandStart: Sendable {
    private let evidence: Mutex<CommandEvidence>

    init(_ command: String, hasPTY: Bool) {
        var evidence = CommandEvidence(command: command)
        evidence.hasPTY = hasPTY
        self.evidence = Mutex(evidence)
    }

    var value: CommandEvidence { evidence.withLock { $0 } }

    func progressed(to progress: CommandEvidence.Progress) {
        evidence.withLock { $0.progress = progress }
    }
}

extension SSHConnection {
    /// How many channels are open, those included that wait for the server to close them.
    package func openChannels() async -> Int { await session.channelCount }
}
