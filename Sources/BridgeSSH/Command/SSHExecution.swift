internal import Synchronization

/// A running command. Valid only inside the closure that receives it.
public final class SSHExecution: Sendable {
    let session: Session
    let channel: ChannelID
    let recorder: EvidenceRecorder
    let options: CommandOptions
    private let state: Mutex<State>
    private let startedAt = ContinuousClock.now

    /// What ended the command before its time; the first one counts.
    enum Interruption: Sendable, Hashable {
        case deadline(Deadline)
        case cancelled(signal: String?)
        case outputLimit(Evidence.OutputStream, Int)
        case inputFailed(String)
    }

    private struct State {
        var command: CommandEvidence
        var interruption: Interruption?
        var isDrained = false
        var end = ChannelEnd(endOfOutput: false, isClosed: false)
        var isTornDown = false
        /// Whether the closure that received it has returned.
        var isOver = false
        /// The tasks that wait for an interruption.
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    /// How long a signalled command may take to end before its channel is closed.
    private static let grace = Duration.seconds(2)

    init(session: Session, channel: ChannelID, command: CommandEvidence, recorder: EvidenceRecorder, options: CommandOptions) {
        self.session = session
        self.channel = channel
        self.recorder = recorder
        self.options = options
        state = Mutex(State(command: command))
    }

    /// Its standard output; with a pseudo-terminal, all of its output.
    public var standardOutput: SSHOutput { SSHOutput(execution: self, stream: .standardOutput) }
    /// Its standard error.
    public var standardError: SSHOutput { SSHOutput(execution: self, stream: .standardError) }
    /// Seconds since the command was started.
    public var elapsed: Double { startedAt.duration(to: .now).seconds }

    // MARK: Output

    func next(_ stream: Evidence.OutputStream) async throws -> OutputChunk? {
        if state.withLock({ $0.isOver }) {
            let problem = "the output of a command was read after the closure that it was lent to had returned"
            throw await recorder.error(Fault(.closed(problem: problem), stage: .local))
        }
        do {
            return try await session.read(channel, stream: stream == .standardOutput ? 0 : 1)
        } catch {
            if Task.isCancelled, case .cancelled = error.event { throw CancellationError() }
            // An interruption closes the channel under its readers: for them that is the end.
            if state.withLock({ $0.interruption != nil }) { return nil }
            throw await failure(error)
        }
    }

    /// How far the server may be ahead of the reader, in bytes, over both streams.
    package func receiveWindow() async -> Int? { await session.receiveWindow(of: channel) }

    // MARK: Input and signals

    /// Sends the server the terminal's new size (RFC 4254 section 6.7).
    public func resize(columns: Int, rows: Int) async {
        try? await session.resize(channel, to: WindowSize(columns: Int32(clamping: columns), rows: Int32(clamping: rows)))
    }

    /// Ends the command: a signal where libssh2 can send one (1.11), ^C through a pseudo-terminal, else its channel is closed
    /// and it may still run. The run then fails with ``SSHError/cancelled``.
    ///
    /// - Parameter signal: why, as a signal's name without SIG: `INT` or `TERM`.
    public func cancel(signal: String? = nil) async {
        await interrupt(.cancelled(signal: signal))
    }

    /// Ends the command for a task that was cancelled.
    ///
    /// - Returns: the error that says so, and whether the command may have run.
    func cancelled() async -> SSHError {
        await cancel()
        return await failure(Fault(.cancelled(signal: nil), stage: .local))
    }

    /// Waits for the exit status or signal, which may come long before the end of the output.
    public func exit() async -> Termination? {
        note(await session.exit(of: channel))
        return state.withLock { Self.termination($0.end) }
    }

    func interrupt(_ interruption: Interruption) async {
        let isFirst = state.withLock { state in
            defer { state.interruption = state.interruption ?? interruption }
            return state.interruption == nil
        }
        guard isFirst else { return }
        // The calling task may be cancelled already; the command must be ended all the same.
        await Task { await self.tearDown(interruption) }.value
    }

    private func tearDown(_ interruption: Interruption) async {
        let teardown = await requestEndInTime(interruption)
        state.withLock { $0.command.teardown = teardown }
        if teardown != .channelClosed { await session.waitForEnd(of: channel, atMost: Self.grace) }
        await closeChannel()
        // Where it has not ended, its channel stays with the server.
        session.slots.linger(channel)
        let watchers = state.withLock { state in
            state.isTornDown = true
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.finish() }
    }

    /// Returns once a deadline, a cancellation or the output limit has ended the command, or the task is cancelled. A reader
    /// that is stuck elsewhere learns here that nothing more will come.
    package func interrupted() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let isOver = state.withLock { state in
            if !state.isTornDown { state.watchers.append(continuation) }
            return state.isTornDown
        }
        if isOver { return }
        for await _ in stream {}
    }

    /// Ends its use: the closure that received it has returned.
    func end(on session: isolated Session) {
        state.withLock { $0.isOver = true }
        session.closeChannel(channel)
    }

    /// Closes the channel, after a last look at what is known of its end.
    private func closeChannel() async {
        note(await session.state(of: channel))
        await session.closeChannel(channel)
    }

    /// Asks the server to end the command. A request that cannot be sent is given up after the grace period: it may be queued
    /// behind one that a silent server does not answer.
    private func requestEndInTime(_ interruption: Interruption) async -> CommandEvidence.Teardown {
        await withTaskGroup(of: CommandEvidence.Teardown?.self) { group in
            group.addTask { await self.requestEnd(interruption) }
            group.addTask {
                try? await Task.sleep(for: Self.grace)
                return nil
            }
            var teardown = CommandEvidence.Teardown.channelClosed
            for await result in group {
                group.cancelAll()
                teardown = result ?? teardown
            }
            return teardown
        }
    }

    private func requestEnd(_ interruption: Interruption) async -> CommandEvidence.Teardown {
        let signal: String
        switch interruption {
        case .cancelled(let name): signal = name ?? "TERM"
        default: signal = "TERM"
        }
        // The exit that the signal causes may be reported before the call returns.
        let isSent = try? await session.signal(channel, signal) { self.state.withLock { $0.command.teardown = .signalled } }
        if isSent == true { return .signalled }
        if options.pty != nil, (try? await session.write(channel, [3])) == true { return .interrupted }
        return .channelClosed
    }

    // MARK: The end

    /// Watches the deadlines; returns when it is cancelled or has ended the command.
    func watch() async {
        await withTaskGroup(of: Void.self) { group in
            if let seconds = options.timeout {
                group.addTask {
                    guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                    await self.interrupt(.deadline(Deadline(kind: .command, seconds: seconds)))
                }
            }
            if let seconds = options.idleTimeout {
                group.addTask { await self.watchSilence(seconds) }
            }
            if let seconds = options.drain {
                group.addTask {
                    guard await self.exit() != nil, (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                    self.state.withLock { $0.isDrained = true }
                    await self.closeChannel()
                }
            }
            await group.waitForAll()
        }
    }

    private func watchSilence(_ seconds: Double) async {
        while true {
            let last = await session.lastOutput(of: channel).map { max($0, startedAt) } ?? startedAt
            let silence = last.duration(to: .now).seconds
            if silence >= seconds { return await interrupt(.deadline(Deadline(kind: .idle, seconds: seconds))) }
            guard (try? await Task.sleep(for: .seconds(seconds - silence))) != nil else { return }
        }
    }

    /// Reads both streams to their end for a caller that wants them whole. Output beyond the limit ends the command.
    ///
    /// Any other end is reported by ``finish(describesSuccess:on:)``.
    func collect(on session: isolated Session) async -> CollectedOutput {
        let collected = await session.collect(channel, limit: options.outputLimit)
        if let stream = collected.exceeded { await interrupt(.outputLimit(stream, options.outputLimit)) }
        return collected
    }

    /// Waits for the end and judges it; the rest of the output is discarded.
    ///
    /// - Parameter describesSuccess: whether to gather the evidence for a success too.
    /// - Returns: how it ended, and what is known of it.
    /// - Throws: `SSHError` where the command did not end by itself: interrupted, or the connection was lost.
    func finish(
        describesSuccess: Bool, on session: isolated Session
    ) async throws -> (termination: Termination, seen: Boxed<Evidence>?) {
        session.discard(channel, 0...1)
        await session.waitForEnd(of: channel)
        note(session.state(of: channel))
        let (end, interruption, isDrained) = state.withLock { ($0.end, $0.interruption, $0.isDrained) }
        if let interruption { throw await failure(Self.fault(of: interruption)) }
        let termination = Self.termination(end)
        let hasEnded = end.endOfOutput && termination != nil
        if let fault = end.fault, !isDrained, !hasEnded { throw await failure(fault) }
        if Task.isCancelled, !end.isClosed, !hasEnded, !isDrained { throw CancellationError() }
        if !describesSuccess, termination?.isSuccess == true { return (.exited(0), nil) }
        return (termination ?? .unknown, await seen())
    }

    private func note(_ end: ChannelEnd?) {
        guard let end else { return }
        state.withLock { state in
            state.end = end
            state.command.exitStatus = end.exitStatus
            state.command.exitSignal = end.exitSignal
            state.command.endOfOutput = end.endOfOutput
            state.command.channelClosed = end.isClosed
        }
    }

    @inline(never)
    private func seen() async -> Boxed<Evidence> {
        Boxed(
            await recorder.evidence(of: Fault(.commandEnded, stage: .command), session: session, command: commandEvidence))
    }

    @inline(never)
    private func failure(_ fault: Fault) async -> SSHError {
        note(await session.state(of: channel))
        return await recorder.error(fault, session: session, command: commandEvidence)
    }

    private var commandEvidence: CommandEvidence {
        state.withLock { state in
            var command = state.command
            command.standardErrorTail = String(decoding: state.end.standardErrorTail, as: UTF8.self)
            command.standardOutputTail = String(decoding: state.end.standardOutputTail, as: UTF8.self)
            return command
        }
    }

    private static func termination(_ end: ChannelEnd) -> Termination? {
        if let status = end.exitStatus { return .exited(status) }
        return end.exitSignal.map { .signalled($0) }
    }

    private static func fault(of interruption: Interruption) -> Fault {
        switch interruption {
        case .deadline(let deadline): Fault(.deadlinePassed(deadline), stage: .command)
        case .cancelled(let signal): Fault(.cancelled(signal: signal), stage: .local)
        case .outputLimit(let stream, let limit): Fault(.outputLimitExceeded(stream: stream, limit: limit), stage: .command)
        case .inputFailed(let problem): Fault(.usage(field: "standard input", problem: problem), stage: .local)
        }
    }
}
