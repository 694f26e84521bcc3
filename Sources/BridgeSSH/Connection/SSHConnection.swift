internal import Synchronization

/// An authenticated connection. Any number of commands may run on it at once, as far as the server's MaxSessions allows.
public final class SSHConnection: Sendable {
    package let session: Session
    let recorder: EvidenceRecorder
    let configuration: Configuration
    /// What is left of the connection's deadline, for the first channel.
    let firstDeadline: Mutex<PausableDeadline?>

    init(session: Session, recorder: EvidenceRecorder, configuration: Configuration, deadline: PausableDeadline?) {
        self.session = session
        self.recorder = recorder
        self.configuration = configuration.withoutSecrets
        firstDeadline = Mutex(deadline)
    }

    /// The host, port and user of the connection.
    public var endpoint: Endpoint { recorder.endpoint }
    /// Runs tasks on this connection's event loop, for `withTaskExecutorPreference` and `Task(executorPreference:)`.
    ///
    /// A task elsewhere is woken on a thread of its own for every command and every piece of output: it costs about as much again
    /// as the command. What does little but run commands has it cheaper here. What blocks, or computes for more than a
    /// millisecond or so, must not run here: it holds up every connection of this loop.
    public var executor: any TaskExecutor { session.executor }
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
    public nonisolated(nonsending) func run(
        _ command: String, options: CommandOptions = CommandOptions(), standardInput: StandardInput = .none, check: Bool = false
    ) async throws -> CommandResult {
        try await run(command, options: options, standardInput: standardInput, check: check, on: session)
    }

    /// On the session's loop from beginning to end: a command takes one switch of threads there and one back. Not so what makes
    /// its input, which may take its time.
    ///
    /// All of it is the session's. Each function that belongs to no actor would queue its task anew, when it is called and when it
    /// goes on: they were two thirds of the jobs of a command.
    private func run(
        _ command: String, options: CommandOptions, standardInput: StandardInput, check: Bool, on session: isolated Session
    ) async throws -> CommandResult {
        guard standardInput.isEmpty, !session.executor.isPreferred else {
            return try await collected(command, options: options, standardInput: standardInput, check: check, on: session)
        }
        return try await withTaskExecutorPreference(session.executor, isolation: session) {
            try await collected(command, options: options, standardInput: .none, check: check, on: session)
        }
    }

    private func collected(
        _ command: String, options: CommandOptions, standardInput: StandardInput, check: Bool, on session: isolated Session
    ) async throws -> CommandResult {
        var collected = CollectedOutput()
        func result(_ termination: Termination, _ seconds: Double, _ seen: Boxed<Evidence>? = nil) -> CommandResult {
            CommandResult(
                command: command, termination: termination, standardOutput: collected.standardOutput,
                standardError: collected.standardError, durationSeconds: seconds, seen: seen)
        }
        let start = ContinuousClock.now
        do {
            let outcome = try await perform(
                command, options: options, standardInput: standardInput, standardError: .stream, describesSuccess: false,
                isolation: session
            ) { execution in
                collected = await execution.collect(on: session)
            }
            let result = result(outcome.termination, outcome.durationSeconds, outcome.seen)
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
    ///   - standardError: whether `body` reads standard error. Unread, it would hold the command up once the channel's
    ///     window is full of it, so by default it is read and only its tail is kept.
    /// - Throws: ``SSHError`` when the channel is refused, the connection is lost, a deadline passes or the task is cancelled;
    ///   what `body` throws. A non-zero exit status is no error here: see ``CommandOutcome``.
    @discardableResult
    public func execute<Value>(
        _ command: String, options: CommandOptions = CommandOptions(), standardInput: StandardInput = .none,
        standardError: StandardErrorHandling = .tailOnly, isolation: isolated (any Actor)? = #isolation,
        _ body: (SSHExecution) async throws -> Value
    ) async throws -> CommandOutcome<Value> {
        try await perform(
            command, options: options, standardInput: standardInput, standardError: standardError, describesSuccess: true,
            isolation: isolation, body)
    }

    private func perform<Value>(
        _ command: String, options: CommandOptions, standardInput: StandardInput, standardError: StandardErrorHandling,
        describesSuccess: Bool, isolation: isolated (any Actor)?, _ body: (SSHExecution) async throws -> Value
    ) async throws -> CommandOutcome<Value> {
        let execution = try await start(
            command, options, endsInput: standardInput.isEmpty, discardsErrors: standardError == .tailOnly, on: session)
        do {
            let outcome = try await accompanied(execution, standardInput, isolation: isolation) {
                _ = isolation  // What is captured is where it runs.
                let value = try await body(execution)
                let (termination, seen) = try await execution.finish(describesSuccess: describesSuccess, on: session)
                return CommandOutcome(value: value, termination: termination, durationSeconds: execution.elapsed, seen: seen)
            }
            await session.closeChannel(execution.channel)
            recorder.timeline.end()
            return outcome
        } catch {
            recorder.timeline.end()
            // Report a cancelled task as an error that says whether the command may have run.
            let cancelled = error is SSHError ? nil : await execution.cancelled()
            await session.closeChannel(execution.channel)
            if error is CancellationError, let cancelled { throw cancelled }
            throw error
        }
    }

    /// Does what `body` does, while the input is sent and the deadlines are watched: in tasks of their own, where there are any.
    private func accompanied<Value>(
        _ execution: SSHExecution, _ standardInput: StandardInput, isolation: isolated (any Actor)?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard !standardInput.isEmpty || execution.options.hasDeadlines else { return try await body() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            if !standardInput.isEmpty { group.addTask { await execution.feed(standardInput) } }
            if execution.options.hasDeadlines { group.addTask { await execution.watch() } }
            defer { group.cancelAll() }
            _ = isolation
            return try await body()
        }
    }

    /// Closes the connection and waits until it is closed, and with it the jump hosts' or the ProxyCommand.
    public func close() async {
        firstDeadline.withLock { $0 }?.cancel()
        await session.close()
        await recorder.path.close()
    }
}

/// Whether a streaming run reads standard error.
public enum StandardErrorHandling: Sendable, Hashable {
    /// It is read for the caller, and its last 8 KiB are kept for the error.
    case tailOnly
    /// The caller reads it.
    case stream
}

extension SSHConnection {
    /// How many channels are open, those included that wait for the server to close them.
    package func openChannels() async -> Int { await session.channelCount }
}
