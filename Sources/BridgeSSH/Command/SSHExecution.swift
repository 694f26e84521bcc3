internal import Synchronization

/// A running command. Valid only inside the closure that receives it.
public final class SSHExecution: Sendable {
    let session: Session
    let channel: ChannelID
    let recorder: EvidenceRecorder
    let options: SSHCommandOptions
    private let state: Mutex<State>
    /// What the readers of each stream share.
    let readings: Mutex<StreamReadings>
    private let startedAt = MonotonicInstant.now

    /// What ended the command before its time; the first one counts.
    enum Interruption: Sendable {
        case deadline(SSHDeadline)
        case cancelled(signal: String?)
        case outputLimit(SSHEvidence.OutputStream, Int)
        /// Reading its standard input failed with the source's own error.
        case inputFailed(any Error)
        /// The closure returned and wants no more of it.
        case bodyReturned
    }

    /// What becomes of a command that still runs when the closure has returned.
    public enum WhenBodyReturns: Sendable, Hashable {
        /// It is ended if the closure began to read a stream and left it before its end, and awaited if not.
        case automatic
        /// The rest of its output is discarded, and its end is awaited.
        case wait
        /// It is ended, as ``SSHExecution/cancel(signal:)`` ends it.
        case terminate
    }

    private struct State {
        /// Nil for a stream, which has no command.
        var command: SSHCommandEvidence?
        var interruption: Interruption?
        var isDrained = false
        var end = ChannelEnd(endOfOutput: false, isClosed: false)
        var isTornDown = false
        /// Whether the closure that received it has returned.
        var isOver = false
        /// The tasks that wait for an interruption.
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    /// How long a command that is asked to end may take before its channel is closed, the request included. A deadline holds
    /// within a second.
    private static func grace(after interruption: Interruption) -> Duration {
        if case .deadline = interruption { return .milliseconds(500) }
        return .seconds(2)
    }

    /// - Parameter collectsErrors: whether standard error may be read.
    init(
        session: Session, channel: ChannelID, command: SSHCommandEvidence?, recorder: EvidenceRecorder,
        options: SSHCommandOptions,
        collectsErrors: Bool
    ) {
        self.session = session
        self.channel = channel
        self.recorder = recorder
        self.options = options
        state = Mutex(State(command: command))
        readings = Mutex(StreamReadings(collectsErrors: collectsErrors))
    }

    /// Its standard output; with a pseudo-terminal, all of its output.
    public var standardOutput: SSHOutput { SSHOutput(source: self, stream: .standardOutput) }
    /// Its standard error. With ``SSHStandardErrorHandling/tailOnly`` reading it throws.
    public var standardError: SSHOutput { SSHOutput(source: self, stream: .standardError) }
    /// The time since the command was started.
    public var elapsed: Duration { startedAt.duration(to: .now) }

    // MARK: Output

    package var isInterrupted: Bool { state.withLock { $0.interruption != nil } }
    /// Whether the closure that received it has returned.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// How far the server may be ahead of the reader, in bytes, over both streams.
    package func receiveWindow() async -> Int? { await session.receiveWindow(of: channel) }

    // MARK: A shell

    /// Whether it has a pseudo-terminal.
    var hasPTY: Bool { state.withLock { $0.command?.hasPTY == true } }

    /// What is known of the shell, and how far the command has come that is typed into it.
    func describe(_ shell: SSHShellEvidence, _ progress: SSHCommandEvidence.Progress) {
        state.withLock { state in
            state.command?.shell = shell
            state.command?.progress = progress
        }
        if progress == .sent { recorder.note { $0.commandSentAt = $0.commandSentAt ?? .now } }
    }

    /// Ends a shell whose command is done: its channel is closed.
    func leave() async {
        let isFirst = state.withLock { state in
            defer { state.interruption = state.interruption ?? .bodyReturned }
            return state.interruption == nil
        }
        guard isFirst else { return }
        await closeChannel()
        session.slots.linger(channel)
        state.withLock { $0.isTornDown = true }
    }

    // MARK: Input and signals

    /// Sends the server the terminal's new size (RFC 4254 section 6.7).
    public func resize(columns: Int, rows: Int) async {
        try? await session.resize(channel, to: WindowSize(columns: columns, rows: rows))
    }

    /// Sends the command a signal (RFC 4254 section 6.9). What it does then is its own matter; the run goes on.
    ///
    /// - Parameter name: the signal's name, with or without SIG: `HUP`, `USR1`.
    /// - Throws: ``SSHError``: `ssh.local.usage` for what is no name, and with a libssh2 before 1.11, which cannot send
    ///   signals;
    ///   what ended the connection.
    public func signal(_ name: String) async throws {
        let bare = name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name
        do throws(Fault) {
            // RFC 4254 section 6.10: names of ASCII letters and digits, those of a domain with @.
            guard !bare.isEmpty, bare.utf8.count <= 64, bare.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Fault(
                    .usage(field: "signal", problem: "“\(name)” is no signal's name; write one such as HUP"), stage: .local)
            }
            guard try await session.signal(channel, bare, sent: {}) else {
                throw Fault(
                    .usage(field: "signal", problem: "libssh2 \(Library.version) cannot send one; 1.11 and later can"),
                    stage: .local)
            }
        } catch {
            throw await failure(error)
        }
    }

    /// Ends the command: a signal where libssh2 can send one (1.11), ^C through a pseudo-terminal, else its channel is closed
    /// and it may still run. The run then fails with ``SSHError/localCancelled``.
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
    public func exit() async -> SSHTermination? {
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
        let end = MonotonicInstant.now.advanced(by: Self.grace(after: interruption))
        let teardown = await requestEnd(interruption, by: end)
        state.withLock { $0.command?.teardown = teardown }
        if teardown != .channelClosed { await session.waitForEnd(of: channel, atMost: MonotonicInstant.now.duration(to: end)) }
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

    /// Asks the server to end the command. A request that cannot be sent in time is given up: it may be queued behind one that
    /// a silent server does not answer, or wait for a key exchange that it does not finish.
    private func requestEnd(_ interruption: Interruption, by end: MonotonicInstant) async -> SSHCommandEvidence.Teardown {
        await withTaskGroup(of: SSHCommandEvidence.Teardown?.self) { group in
            group.addTask { await self.requestEnd(interruption) }
            group.addTask {
                try? await Task.sleep(for: MonotonicInstant.now.duration(to: end))
                return nil
            }
            var teardown = SSHCommandEvidence.Teardown.channelClosed
            for await result in group {
                group.cancelAll()
                teardown = result ?? teardown
            }
            return teardown
        }
    }

    private func requestEnd(_ interruption: Interruption) async -> SSHCommandEvidence.Teardown {
        let signal: String
        switch interruption {
        case .cancelled(let name): signal = name ?? "TERM"
        default: signal = "TERM"
        }
        // The exit that the signal causes may be reported before the call returns.
        let isSent = try? await session.signal(channel, signal) { self.state.withLock { $0.command?.teardown = .signalled } }
        if isSent == true { return .signalled }
        // A device's shell may take any key for consent.
        let isShell = state.withLock { $0.command?.shell != nil }
        if options.pty != nil, !isShell, (try? await session.write(channel, [3])) == true { return .interrupted }
        return .channelClosed
    }

    // MARK: The end

    /// Watches the deadlines; returns when it is cancelled or has ended the command.
    func watch() async {
        await withTaskGroup(of: Void.self) { group in
            if let limit = options.timeout?.bounded {
                group.addTask {
                    guard (try? await Task.sleep(for: limit)) != nil else { return }
                    await self.interrupt(.deadline(SSHDeadline(kind: .command, seconds: limit.seconds)))
                }
            }
            if let limit = options.idleTimeout?.bounded {
                group.addTask { await self.watchSilence(limit) }
            }
            if let limit = options.drain?.bounded {
                group.addTask {
                    guard await self.exit() != nil, (try? await Task.sleep(for: limit)) != nil else { return }
                    self.state.withLock { $0.isDrained = true }
                    await self.closeChannel()
                }
            }
            await group.waitForAll()
        }
    }

    private func watchSilence(_ limit: Duration) async {
        while true {
            let last = await session.lastOutput(of: channel).map { max($0, startedAt) } ?? startedAt
            let silence = last.duration(to: .now)
            if silence >= limit { return await interrupt(.deadline(SSHDeadline(kind: .idle, seconds: limit.seconds))) }
            guard (try? await Task.sleep(for: limit - silence)) != nil else { return }
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

    /// Ends a command whose closure has returned, if it still runs and that is wanted.
    func bodyReturned(_ wish: WhenBodyReturns, on session: isolated Session) async {
        switch wish {
        case .wait: return
        case .automatic: guard readings.withLock({ $0.areUnfinished }) else { return }
        case .terminate: break
        }
        // One that has ended by itself only has its output left.
        if let end = session.state(of: channel), Self.termination(end) != nil { return }
        await interrupt(.bodyReturned)
    }

    /// How the command ended.
    struct Ending {
        var termination: SSHTermination
        /// Whether it was ended because the closure had returned.
        var wasTerminated = false
        /// What is known of it.
        var seen: Boxed<SSHEvidence>?
    }

    /// Waits for the end and judges it; the rest of the output is discarded.
    ///
    /// - Parameter describesSuccess: whether to gather the evidence for a success too.
    /// - Throws: `SSHError` where the command did not end by itself: interrupted, or the connection was lost; the error of the
    ///   source of its standard input.
    func finish(describesSuccess: Bool, on session: isolated Session) async throws -> Ending {
        session.discard(channel, 0...1)
        if !session.hasEnded(channel) { await session.waitForEnd(of: channel) }
        note(session.state(of: channel))
        let (end, interruption, isDrained) = state.withLock { ($0.end, $0.interruption, $0.isDrained) }
        let termination = Self.termination(end)
        switch interruption {
        case .bodyReturned: return Ending(termination: termination ?? .unknown, wasTerminated: true, seen: await seen())
        case .inputFailed(let error):
            if let fault = error as? Fault { throw await failure(fault) }
            throw error
        case .deadline(let deadline): throw await failure(Fault(.deadlinePassed(deadline), stage: .command))
        case .cancelled(let signal): throw await failure(Fault(.cancelled(signal: signal), stage: .local))
        case .outputLimit(let stream, let limit):
            throw await failure(Fault(.outputLimitExceeded(stream: stream, limit: limit), stage: .command))
        case nil: break
        }
        let hasEnded = end.endOfOutput && termination != nil
        if let fault = end.fault, !isDrained, !hasEnded { throw await failure(fault) }
        if Task.isCancelled, !end.isClosed, !hasEnded, !isDrained { throw CancellationError() }
        if !describesSuccess, termination?.isSuccess == true { return Ending(termination: .exited(0)) }
        return Ending(termination: termination ?? .unknown, seen: await seen())
    }

    private func note(_ end: ChannelEnd?) {
        guard let end else { return }
        state.withLock { state in
            state.end = end
            state.command?.exitStatus = end.exitStatus
            state.command?.exitSignal = end.exitSignal
            state.command?.endOfOutput = end.endOfOutput
            state.command?.channelClosed = end.isClosed
        }
    }

    @inline(never)
    private func seen() async -> Boxed<SSHEvidence> { Boxed(await evidence) }

    /// What is known of a command that has ended.
    var evidence: SSHEvidence {
        get async {
            await recorder.evidence(of: Fault(.commandEnded, stage: .command), session: session, command: commandEvidence)
        }
    }

    @inline(never)
    package func failure(_ fault: Fault) async -> SSHError {
        note(await session.state(of: channel))
        return await recorder.error(fault, session: session, command: commandEvidence)
    }

    private var commandEvidence: SSHCommandEvidence? {
        state.withLock { state in
            guard var command = state.command else { return nil }
            command.standardErrorTail = String(decoding: state.end.standardErrorTail, as: UTF8.self)
            command.standardOutputTail = String(decoding: state.end.standardOutputTail, as: UTF8.self)
            return command
        }
    }

    private static func termination(_ end: ChannelEnd) -> SSHTermination? {
        if let status = end.exitStatus { return .exited(status) }
        return end.exitSignal.map { .signalled($0) }
    }
}
