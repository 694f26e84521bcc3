internal import Synchronization

/// A running command. It is valid only inside the closure that receives it.
public final class SSHExecution: Sendable {
    let session: Session
    let channel: ChannelID
    let recorder: EvidenceRecorder
    let options: SSHCommandOptions
    private let state: Mutex<State>
    /// The state that the readers of each stream share.
    let readings: Mutex<StreamReadings>
    private let startedAt = MonotonicInstant.now

    /// Why the command was interrupted; the first cause is kept.
    enum Interruption: Sendable {
        case deadline(SSHDeadline)
        case cancelled(signal: String?)
        case outputLimit(SSHEvidence.OutputStream, Int)
        /// The source of its standard input threw this error.
        case inputFailed(any Error)
        /// The closure returned, and no more output is wanted.
        case bodyReturned
    }

    /// What to do with a command that is still running when the closure returns.
    public enum WhenBodyReturns: Sendable, Hashable {
        /// End it if the closure started to read a stream and left it before its end; otherwise wait for it.
        case automatic
        /// Discard the rest of its output, and wait for its end.
        case wait
        /// End it, as ``SSHExecution/cancel(signal:)`` does.
        case terminate
    }

    private struct State {
        /// Nil for a stream, which has no command.
        var command: SSHCommandEvidence?
        var interruption: Interruption?
        var isDrained = false
        var end = ChannelEnd(endOfOutput: false, isClosed: false)
        var isTornDown = false
        /// Whether the closure that borrowed the command has returned.
        var isOver = false
        /// The tasks that wait for an interruption.
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    /// How long an interrupted command may take to end before its channel is closed. The time includes sending the request. It is
    /// shorter after a deadline, so that a deadline is exceeded by less than a second.
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

    /// Standard output; with a pseudo-terminal, all output.
    public var standardOutput: SSHOutput { SSHOutput(source: self, stream: .standardOutput) }
    /// Standard error. With ``SSHStandardErrorHandling/tailOnly``, reading it throws.
    public var standardError: SSHOutput { SSHOutput(source: self, stream: .standardError) }
    /// The time since the command was started.
    public var elapsed: Duration { startedAt.duration(to: .now) }

    // MARK: Output

    package var isInterrupted: Bool { state.withLock { $0.interruption != nil } }
    /// Whether the closure that borrowed the command has returned.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// How far the server may be ahead of the reader, in bytes over both streams.
    package func receiveWindow() async -> Int? { await session.receiveWindow(of: channel) }

    // MARK: A shell

    /// Whether the command has a pseudo-terminal.
    var hasPTY: Bool { state.withLock { $0.command?.hasPTY == true } }

    /// Records the facts about the shell, and the progress of the command typed into it.
    func describe(_ shell: SSHShellEvidence, _ progress: SSHCommandEvidence.Progress) {
        state.withLock { state in
            state.command?.shell = shell
            state.command?.progress = progress
        }
        if progress == .sent { recorder.note { $0.commandSentAt = $0.commandSentAt ?? .now } }
    }

    /// Ends a shell after its command: closes the channel.
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

    /// Sends the terminal's new size to the server (RFC 4254 section 6.7).
    public func resize(columns: Int, rows: Int) async {
        try? await session.resize(channel, to: WindowSize(columns: columns, rows: rows))
    }

    /// Sends a signal to the command (RFC 4254 section 6.9). The run continues; the command decides how to react.
    ///
    /// - Parameter name: the signal's name, with or without SIG: `HUP`, `USR1`.
    /// - Throws: ``SSHError``: `ssh.local.usage` for an invalid name, and with libssh2 before 1.11, which cannot send signals;
    ///   any failure that ended the connection.
    public func signal(_ name: String) async throws {
        let bare = name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name
        do throws(Fault) {
            // RFC 4254 section 6.10: names are ASCII letters and digits; private names contain @ and a domain.
            guard !bare.isEmpty, bare.utf8.count <= 64, bare.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Fault(
                    .usage(field: "signal", problem: "“\(name)” is not the name of a signal; write one such as HUP"),
                    stage: .local)
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

    /// Ends the command: by a signal if libssh2 can send one (1.11), by ^C through a pseudo-terminal, or else by closing its
    /// channel, in which case it may still run. The run then fails with ``SSHError/localCancelled``.
    ///
    /// - Parameter signal: the reason, as a signal's name without SIG: `INT` or `TERM`.
    public func cancel(signal: String? = nil) async {
        await interrupt(.cancelled(signal: signal))
    }

    /// Ends the command because its task was cancelled.
    ///
    /// - Returns: an error that says so, and whether the command may have run.
    func cancelled() async -> SSHError {
        await cancel()
        return await failure(Fault(.cancelled(signal: nil), stage: .local))
    }

    /// Waits for the exit status or signal, which may come long before the end of the output. Nil if the channel ends with
    /// neither.
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
        // The calling task may be cancelled already, but the command must be ended.
        await Task { await self.tearDown(interruption) }.value
    }

    private func tearDown(_ interruption: Interruption) async {
        let end = MonotonicInstant.now.advanced(by: Self.grace(after: interruption))
        let teardown = await requestEnd(interruption, by: end)
        state.withLock { $0.command?.teardown = teardown }
        if teardown != .channelClosed { await session.waitForEnd(of: channel, atMost: MonotonicInstant.now.duration(to: end)) }
        await closeChannel()
        // If the command has not ended, its channel still counts at the server.
        session.slots.linger(channel)
        let watchers = state.withLock { state in
            state.isTornDown = true
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.finish() }
    }

    /// Returns once a deadline, a cancellation or the output limit has ended the command, or when the task is cancelled. It
    /// informs a reader that is blocked elsewhere.
    package func interrupted() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let isOver = state.withLock { state in
            if !state.isTornDown { state.watchers.append(continuation) }
            return state.isTornDown
        }
        if isOver { return }
        for await _ in stream {}
    }

    /// Ends the borrowing: the closure has returned.
    func end(on session: isolated Session) {
        state.withLock { $0.isOver = true }
        session.closeChannel(channel)
    }

    /// Records the known facts about the command's end, then closes the channel.
    private func closeChannel() async {
        note(await session.state(of: channel))
        await session.closeChannel(channel)
    }

    /// Asks the server to end the command. Gives up if the request cannot be sent in time: an earlier request may wait for a
    /// silent server, or the server may not finish a key exchange.
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
        // The exit caused by the signal may be reported before the call returns.
        let isSent = try? await session.signal(channel, signal) { self.state.withLock { $0.command?.teardown = .signalled } }
        if isSent == true { return .signalled }
        // A device's shell may treat any key as consent.
        let isShell = state.withLock { $0.command?.shell != nil }
        if options.pty != nil, !isShell, (try? await session.write(channel, [3])) == true { return .interrupted }
        return .channelClosed
    }

    // MARK: The end

    /// Watches the deadlines. Returns when cancelled, or when a deadline has ended the command.
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

    /// Reads both streams to their end. Output beyond the limit ends the command.
    ///
    /// ``finish(describesSuccess:on:)`` reports any other end.
    func collect(on session: isolated Session) async -> CollectedOutput {
        let collected = await session.collect(channel, limit: options.outputLimit)
        if let stream = collected.exceeded { await interrupt(.outputLimit(stream, options.outputLimit)) }
        return collected
    }

    /// Ends a command that still runs when its closure has returned, if `whenBodyReturns` says so.
    func bodyReturned(_ whenBodyReturns: WhenBodyReturns, on session: isolated Session) async {
        switch whenBodyReturns {
        case .wait: return
        case .automatic: guard readings.withLock({ $0.areUnfinished }) else { return }
        case .terminate: break
        }
        // A command that has ended on its own has only output left.
        if let end = session.state(of: channel), Self.termination(end) != nil { return }
        await interrupt(.bodyReturned)
    }

    /// How the command ended.
    struct CommandEnd {
        var termination: SSHTermination
        /// Whether it was ended because the closure had returned.
        var wasTerminated = false
        /// The evidence of the command.
        var boxedEvidence: Boxed<SSHEvidence>?
    }

    /// Waits for the command's end, discards the rest of its output, and makes the verdict.
    ///
    /// - Parameter describesSuccess: whether to gather evidence for a success too.
    /// - Throws: `SSHError` if the command was interrupted or the connection was lost; the error from the source of its standard
    ///   input.
    func finish(describesSuccess: Bool, on session: isolated Session) async throws -> CommandEnd {
        session.discard(channel, 0...1)
        if !session.hasEnded(channel) { await session.waitForEnd(of: channel) }
        note(session.state(of: channel))
        let (end, interruption, isDrained) = state.withLock { ($0.end, $0.interruption, $0.isDrained) }
        let termination = Self.termination(end)
        switch interruption {
        case .bodyReturned:
            return CommandEnd(termination: termination ?? .unknown, wasTerminated: true, boxedEvidence: await boxedEvidence())
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
        if !describesSuccess, termination?.isSuccess == true { return CommandEnd(termination: .exited(0)) }
        return CommandEnd(termination: termination ?? .unknown, boxedEvidence: await boxedEvidence())
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
    private func boxedEvidence() async -> Boxed<SSHEvidence> { Boxed(await evidence) }

    /// The evidence of an ended command.
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
