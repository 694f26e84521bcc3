internal import Synchronization

/// An authenticated connection. It can run several commands at once.
///
/// A server limits the sessions on a connection (MaxSessions in sshd_config(5), 10 by default). Further commands wait until one
/// has ended. A cancelled or timed-out command counts until the server has closed its channel. libssh2 before 1.11 cannot send
/// signals, so the channel of such a command stays open until the command ends on its own. A connection with ten such commands
/// has no free channel, and a new one is needed; an ``SSHConnectionPool`` opens it.
///
/// Close a connection from ``SSHClient/connect(to:configuration:sharing:)-(SSHEndpoint,_,_)``. Otherwise it is closed when nothing refers to it any
/// more, with a warning to the logger, and in debug builds on standard error.
public final class SSHConnection: Sendable {
    package let session: Session
    let recorder: EvidenceRecorder
    let configuration: SSHConnectionConfiguration
    /// The rest of the connection's deadline, for the first channel.
    let firstDeadline: Mutex<PausableDeadline?>

    let life = ConnectionLife()
    /// The connection that lent this one, and is closed in its place; nil if this one is not borrowed.
    let owner: SSHConnection?
    let channelPolicy: ChannelPolicy
    let metrics: SSHMetrics

    init(
        session: Session, recorder: EvidenceRecorder, configuration: SSHConnectionConfiguration, deadline: PausableDeadline?,
        metrics: SSHMetrics, owner: SSHConnection? = nil, channelPolicy: ChannelPolicy = .wait
    ) {
        self.session = session
        self.recorder = recorder
        self.configuration = configuration.withoutSecrets
        firstDeadline = Mutex(deadline)
        self.metrics = metrics
        self.owner = owner
        self.channelPolicy = channelPolicy
    }

    deinit { endDropped() }

    /// The host, port and user of the connection.
    public var endpoint: SSHEndpoint { recorder.endpoint }
    /// Runs tasks on this connection's event loop, by `withTaskExecutorPreference` or `Task(executorPreference:)`.
    ///
    /// A task elsewhere changes threads for every command and every piece of output, which costs about as much as the command
    /// itself. Tasks that mostly run commands are cheaper here. Do not block here, or compute for more than about a millisecond:
    /// that would delay every connection on this loop.
    public var executor: any TaskExecutor { session.executor }
    /// Seconds spent in each stage so far.
    public var timings: SSHStageTimings { recorder.timeline.timings }
    /// Notices about problems that did not fail anything: the first 64, and the number of others.
    public var notices: [String] { recorder.timeline.notices }

    /// Runs a command and collects its output. Its result says how it ended; ``SSHCommandResult/checked()`` throws if it failed.
    ///
    /// - Throws: as ``run(_:options:standardInput:check:)`` without `check`.
    public nonisolated(nonsending) func run(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none
    ) async throws -> SSHCommandResult {
        if let problem = life.misuse(by: "run") { throw await misused(problem) }
        return try await run(command, options: options, standardInput: standardInput, check: false, on: session)
    }

    /// Runs a command and collects its output.
    ///
    /// - Parameters:
    ///   - command: the command line, passed unchanged to the user's login shell (RFC 4254 section 6.5).
    ///   - options: how it is run.
    ///   - standardInput: its input.
    ///   - check: whether anything but exit status 0 throws; if so, the result need not be used.
    /// - Throws: ``SSHError`` if the command or its options cannot be sent (`ssh.local.usage`), the channel is refused, the
    ///   connection is lost, a deadline passes, the output exceeds its limit, the task is cancelled, or (with `check`) the
    ///   command fails. ``SSHError/result`` has the output collected until then. Errors of the source of standard input.
    @discardableResult
    public nonisolated(nonsending) func run(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        check: Bool
    ) async throws -> SSHCommandResult {
        if let problem = life.misuse(by: "run") { throw await misused(problem) }
        return try await run(command, options: options, standardInput: standardInput, check: check, on: session)
    }

    /// Runs on the session's loop from start to end, so a command needs only one switch of threads there and one back. The source
    /// of its input runs elsewhere, because it may block.
    ///
    /// Everything is isolated to the session. A nonisolated function would enqueue its task again at the call and at each
    /// resumption: two thirds of a command's jobs were such.
    private func run(
        _ command: String, options: SSHCommandOptions, standardInput: SSHStandardInput, check: Bool, on session: isolated Session
    ) async throws -> SSHCommandResult {
        guard standardInput.isEmpty, !session.executor.isPreferred else {
            return try await collected(command, options: options, standardInput: standardInput, check: check, on: session)
        }
        return try await withTaskExecutorPreference(session.executor, isolation: session) {
            try await collected(command, options: options, standardInput: .none, check: check, on: session)
        }
    }

    private func collected(
        _ command: String, options: SSHCommandOptions, standardInput: SSHStandardInput, check: Bool, on session: isolated Session
    ) async throws -> SSHCommandResult {
        var collected = CollectedOutput()
        func result(_ termination: SSHTermination, _ seconds: Double, _ evidence: Boxed<SSHEvidence>? = nil) -> SSHCommandResult {
            SSHCommandResult(
                command: command, termination: termination, standardOutput: collected.standardOutput,
                standardError: collected.standardError, durationSeconds: seconds, boxedEvidence: evidence)
        }
        let start = MonotonicInstant.now
        do {
            let outcome = try await perform(
                .command(command), options: options, standardInput: standardInput, standardError: .stream,
                describesSuccess: false, whenBodyReturns: .wait, isolation: session
            ) { execution in
                collected = await execution.collect(on: execution.session)
            }
            let result = result(outcome.termination, outcome.duration.seconds, outcome.boxedEvidence)
            if check, var failure = outcome.error {
                failure.result = result
                throw failure
            }
            return result
        } catch var failure as SSHError {
            let seconds = start.seconds(to: .now)
            failure.result = failure.result ?? failure.evidence.command.map { result($0.termination, seconds) }
            throw failure
        }
    }

    /// Runs a command whose streams are read as they arrive. They are valid only inside `body`.
    ///
    /// If `body` throws, or the task is cancelled, the command is ended as described in ``SSHExecution/cancel(signal:)``. If
    /// `body` returns while the command runs, `whenBodyReturns` decides. So this reads the first line from an endless command,
    /// and then ends it:
    /// ```swift
    /// let line = try await connection.execute("journalctl -f") { try await $0.standardOutput.lines.first { _ in true } }.value
    /// ```
    ///
    /// - Parameters:
    ///   - command: the command line, passed unchanged to the user's login shell (RFC 4254 section 6.5).
    ///   - options: how it is run.
    ///   - standardInput: its input, sent while `body` runs.
    ///   - standardError: whether `body` reads standard error. By default the library reads it and keeps only its tail,
    ///     because unread output would block the command once it fills the channel's window.
    ///   - whenBodyReturns: what to do with a command that is still running then. By default it is ended if `body` started to
    ///     read a stream and left it before its end. Otherwise its output is discarded, and its end is awaited.
    ///   - isolation: the actor on which `body` runs; the caller's.
    ///   - body: what to do with the running command.
    /// - Throws: ``SSHError`` if the command or its options cannot be sent (`ssh.local.usage`), the channel is refused, the
    ///   connection is lost, a deadline passes, or the task is cancelled. Errors of `body` and of the source of standard input. A
    ///   non-zero exit status is not an error here: see ``SSHCommandOutcome``.
    public func execute<Value>(
        _ command: String, options: SSHCommandOptions = SSHCommandOptions(), standardInput: SSHStandardInput = .none,
        standardError: SSHStandardErrorHandling = .tailOnly, whenBodyReturns: SSHExecution.WhenBodyReturns = .automatic,
        isolation: isolated (any Actor)? = #isolation, _ body: (SSHExecution) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        try await execute(
            .command(command), options: options, standardInput: standardInput, standardError: standardError,
            whenBodyReturns: whenBodyReturns, isolation: isolation, body)
    }

    /// The same, also for a subsystem.
    package func execute<Value>(
        _ program: ChannelProgram, options: SSHCommandOptions, standardInput: SSHStandardInput,
        standardError: SSHStandardErrorHandling, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)? = #isolation, _ body: (SSHExecution) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        if let problem = life.misuse(by: "execute") { throw await misused(problem) }
        return try await perform(
            program, options: options, standardInput: standardInput, standardError: standardError,
            describesSuccess: true, whenBodyReturns: whenBodyReturns, isolation: isolation, body)
    }

    /// - Parameter standardInput: nil if `body` writes the input.
    func perform<Value>(
        _ program: ChannelProgram, options: SSHCommandOptions, standardInput: SSHStandardInput?,
        standardError: SSHStandardErrorHandling, describesSuccess: Bool, whenBodyReturns: SSHExecution.WhenBodyReturns,
        isolation: isolated (any Actor)?, _ body: (SSHExecution) async throws -> Value
    ) async throws -> SSHCommandOutcome<Value> {
        let fault = options.fault(of: program)
        // Most commands have no input.
        let isRead = standardInput?.isEmpty == false
        let source = fault != nil || isRead ? try await source(of: standardInput, program, fault) : nil
        let span = ChannelSpan("ssh.command", on: endpoint)
        let (execution, other): (SSHExecution, BorrowedConnection?)
        do {
            (execution, other) = try await beginHereOrElsewhere {
                try await $0.start(
                    program, options, endsInput: standardInput?.isEmpty == true, discardsErrors: standardError == .tailOnly,
                    on: $0.session)
            }
        } catch {
            span.failed(error)
            throw error
        }
        do {
            let outcome = try await withSideTasks(execution, source, isolation: isolation) {
                _ = isolation  // Capturing the isolation makes the closure run there.
                let value = try await body(execution)
                if whenBodyReturns != .wait { await execution.bodyReturned(whenBodyReturns, on: execution.session) }
                let ending = try await execution.finish(describesSuccess: describesSuccess, on: execution.session)
                return SSHCommandOutcome(value: value, ending, duration: execution.elapsed)
            }
            await end(execution, other, on: execution.session)
            if case .exited(Self.nologin) = outcome.termination, let closed = await loginsClosed(program, execution) {
                throw closed
            }
            metrics.ended(outcome.termination, seconds: outcome.duration.seconds)
            span.ended(outcome.termination)
            return outcome
        } catch {
            // Report cancellation as an error that says whether the command may have run.
            let cancelled = error is SSHError ? nil : await execution.cancelled()
            await end(execution, other, on: execution.session)
            let failure = error is CancellationError ? cancelled ?? error : error
            if let failure = failure as? SSHError { recorder.timeline.log(failure, channel: execution.channel) }
            metrics.failed(failure)
            span.failed(failure)
            throw failure
        }
    }

    /// - Parameters:
    ///   - endsInput: whether to end standard input at once.
    ///   - discardsErrors: whether to keep only the tail of standard error.
    func start(
        _ program: ChannelProgram, _ options: SSHCommandOptions, endsInput: Bool, discardsErrors: Bool,
        on session: isolated Session
    ) async throws -> SSHExecution {
        recorder.timeline.begin(.channel, program.opening)
        let evidence = CommandStart(program.text, hasPTY: options.pty != nil)
        do throws(Fault) {
            let (channel, endDeadline) = try await openChannel(on: session)
            defer { endDeadline() }
            do throws(Fault) {
                if options.needsPreparation { try await prepare(channel, program, options, evidence, on: session) }
                try await session.start(channel, program.request, program.argument) { [recorder] in
                    // A shell has not received the command yet.
                    guard !program.isShell else { return }
                    // The call is repeated until an answer comes, but the request is sent the first time.
                    guard evidence.progressed(to: .sent) else { return }
                    recorder.note { $0.commandSentAt = .now }
                }
            } catch {
                session.closeChannel(channel)
                // The command may run nevertheless.
                if evidence.value.progress == .sent { session.slots.linger(channel) }
                throw error
            }
            if !program.isShell { evidence.progressed(to: .accepted) }
            recorder.timeline.begin(.command, program.running, channel: channel)
            if discardsErrors { session.discard(channel, 1...1) }
            // The reader of the output reports the end of the session.
            if endsInput { session.submitEOF(channel) }
            return SSHExecution(
                session: session, channel: channel, command: evidence.value, recorder: recorder, options: options,
                collectsErrors: !discardsErrors)
        } catch {
            switch error.event {
            case .requestRefused(.exec), .requestRefused(.subsystem), .requestRefused(.shell): evidence.progressed(to: .refused)
            case .usage: evidence.progressed(to: .notSent)
            default: break
            }
            let failure = await recorder.error(error, session: session, command: evidence.value)
            recorder.timeline.log(failure)
            metrics.failed(failure)
            throw failure
        }
    }

    private func prepare(
        _ channel: ChannelID, _ program: ChannelProgram, _ options: SSHCommandOptions, _ evidence: CommandStart,
        on session: isolated Session
    ) async throws(Fault) {
        for (name, value) in options.environment where try await !session.setEnvironment(channel, name: name, value: value) {
            recorder.timeline.notice(RefusedVariable.notice(of: name), channel: channel)
        }
        if options.mergesOutput { try session.mergeStreams(channel) }
        guard let pty = options.pty else { return }
        do {
            try await session.requestPTY(
                channel, terminal: pty.terminal,
                size: WindowSize(columns: pty.columns, rows: pty.rows), modes: pty.modes)
        } catch {
            // A device's shell may work without a terminal.
            guard program.isShell, case .requestRefused(.pty) = error.event, error.library?.error != .channelClosed else {
                throw error
            }
            evidence.noteMissingTerminal()
            recorder.timeline.notice("The server refused a terminal; the shell is used without one.", channel: channel)
        }
    }

    /// Opens the source of standard input; nil if there is none.
    ///
    /// - Parameter fault: why the command cannot be sent.
    private func source(
        of standardInput: SSHStandardInput?, _ program: ChannelProgram, _ fault: Fault?
    ) async throws -> SSHStandardInput.Source? {
        do throws(Fault) {
            if let fault { throw fault }
            guard let standardInput, !standardInput.isEmpty else { return nil }
            return try await standardInput.opened()
        } catch {
            throw await recorder.error(error, session: session, command: SSHCommandEvidence(command: program.text))
        }
    }

    private func end(_ execution: SSHExecution, _ other: BorrowedConnection?, on session: isolated Session) async {
        recorder.timeline.end()
        execution.end(on: session)
        if let other { await other.giveBack() }
    }

    /// Runs `body` while other tasks, if needed, send the input and watch the deadlines.
    private func withSideTasks<Value>(
        _ execution: SSHExecution, _ source: SSHStandardInput.Source?, isolation: isolated (any Actor)?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard source != nil || execution.options.hasDeadlines else { return try await body() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            if let source { group.addTask { await execution.feed(source) } }
            if execution.options.hasDeadlines { group.addTask { await execution.watch() } }
            defer { group.cancelAll() }
            _ = isolation
            return try await body()
        }
    }
}

/// The progress of a command while the request for it is pending.
private final class CommandStart: Sendable {
    private let evidence: Mutex<SSHCommandEvidence>

    init(_ command: String, hasPTY: Bool) {
        var evidence = SSHCommandEvidence(command: command)
        evidence.hasPTY = hasPTY
        self.evidence = Mutex(evidence)
    }

    var value: SSHCommandEvidence { evidence.withLock { $0 } }

    func noteMissingTerminal() { evidence.withLock { $0.hasPTY = false } }

    /// - Returns: whether this is new progress.
    @discardableResult
    func progressed(to progress: SSHCommandEvidence.Progress) -> Bool {
        evidence.withLock { evidence in
            defer { evidence.progress = progress }
            return evidence.progress != progress
        }
    }
}
