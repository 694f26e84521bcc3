import BridgeSSH
import Dispatch
import ErrorCore
import Logging
import SSHRun
import Synchronization

/// One attempt over a kept connection. Starts a helper if there is none.
struct HelperRun: Sendable {
    let run: RunAttempt
    let job: any HelperJob
    let style: OutputStyle
    let persistence: PersistPlan

    /// How many dead connections the run replaces before it gives up.
    private static let rounds = 3

    /// - Returns: nil if no helper is available: then nothing has happened, and the run has to connect itself.
    /// - Throws: as `ResolvedAccess.configuration()`.
    func perform() async throws -> RunOutcome? {
        guard let directory else { return nil }
        let files = HelperFiles(directory: directory, name: persistence.identity.name)
        for _ in 0..<Self.rounds {
            switch try await HelperSearch(files: files).find() {
            case .unusable(let why):
                run.context.log.line("persist: the helper cannot be used: \(why)")
                return nil
            case .none(let lock): return try await begin(files, lock)
            case .helper(let socket, let status):
                run.context.log.line("persist: using the connection of process \(status.process), \(Int(status.age)) s old")
                let conversation = conversation(socket, waitsAtMost: run.plan.configuration.timeouts.connect.boundedSeconds)
                switch await conversation.perform() {
                case .ended(let outcome): return outcome
                case .separate: return nil
                case .connectionLost: break
                // A helper that failed to connect would fail again. It ends, and the next run starts another.
                case .gone: if !status.isReady { return nil }
                }
                run.context.log.line("persist: the connection cannot be used any more")
            }
        }
        return nil
    }

    /// The directory of the helpers' files. If there is none, a note says that the connection is not kept.
    private var directory: String? {
        var problems: [HelperDirectory.Problem] = []
        let directory = HelperDirectory.prepare { problems.append($0) }
        let texts = problems.map { "\(TerminalText.escape($0.path)) is not used: \(TerminalText.escape($0.text))" }
        for text in texts { run.context.log.line("persist: \(text)") }
        if directory == nil, !style.quiet, !style.json {
            Console.note(
                "the connection is not kept, because there is no safe place for its socket: \(texts.joined(separator: "; ")); "
                    + "set XDG_RUNTIME_DIR to a directory of your own")
        }
        return directory
    }

    private func begin(_ files: HelperFiles, _ lock: OwnedDescriptor) async throws -> RunOutcome? {
        let configuration: SSHConnectionConfiguration
        do {
            configuration = try await run.access.configuration()
        } catch {
            files.remove()
            throw error
        }
        let record = HelperRecord(named: persistence.named, endpoint: run.plan.endpoint)
        guard let socket = HelperLaunch.start(files, lock: lock, record) else {
            run.context.log.line("persist: the helper cannot be started")
            return nil
        }
        let request = OpenRequest(
            named: persistence.named, endpoint: run.plan.endpoint, configuration: configuration,
            mayAsk: configuration.interaction != nil,
            mayAskAbout: configuration.jumpHosts.map { $0.configuration.interaction != nil }, keepFor: persistence.keepFor,
            files: files)
        await socket.send(.open, request)
        let none = SSHSecret("")
        socket.post(configuration.credentials.password ?? none)
        socket.post(configuration.credentials.passphrase ?? none)
        switch await conversation(socket, asking: configuration).perform() {
        case .ended(let outcome): return outcome
        case .connectionLost, .separate, .gone: return nil
        }
    }

    private func conversation(
        _ socket: FrameSocket, waitsAtMost seconds: Double? = nil, asking configuration: SSHConnectionConfiguration? = nil
    ) -> HelperConversation {
        HelperConversation(
            socket: socket, run: run, job: job,
            wantsEvents: style.verbosity > 0 || run.context.logger.logLevel <= .debug, keepFor: persistence.keepFor,
            asking: configuration, waitsAtMost: seconds)
    }
}

/// Carries an attempt over a kept connection, or over a new one if no helper is available.
struct HelperCarrier: CommandCarrier {
    let persistence: PersistPlan
    let input: InputSource
    let style: OutputStyle

    func perform(_ attempt: RunAttempt) async -> RunOutcome {
        attempt.control.isConnected(false)
        do {
            let source = try OpenedInput(input)
            let job = HelperCommandJob(attempt, source, style)
            let kept = HelperRun(run: attempt, job: job, style: style, persistence: persistence)
            if let outcome = try await kept.perform() { return outcome }
            let keys = SessionKeys(of: attempt.plan, at: source, attempt.control)
            return await ConnectingCarrier(input: { source.commandInput(keys) }).perform(attempt)
        } catch {
            return RunOutcome(end: attempt.end(by: error))
        }
    }
}

/// Asks a helper for a run's command, with the streams of this process.
final class HelperCommandJob: HelperJob {
    private let run: RunAttempt
    private let source: OpenedInput
    private let style: OutputStyle
    /// Passes on a person's typing. This process has to read it, because the terminal belongs to its process group.
    private let typing = Mutex<TypedInputRelay?>(nil)

    init(_ run: RunAttempt, _ source: OpenedInput, _ style: OutputStyle) {
        self.run = run
        self.source = source
        self.style = style
    }

    func complete(_ request: inout RunRequest) -> [Int32] {
        request.command = run.plan.command
        request.options = run.commandOptions
        request.hasInput = source.descriptor != nil
        request.inputIsRepeatable = source.isRepeatable
        request.inputIsTerminal = source.isTerminal
        request.collectsOutput = style.json
        // The helper reports variables that the server refuses as notices.
        if !run.commandOptions.environment.isEmpty { request.wantsEvents = true }
        request.wantsWaitingNote = run.context.waitingNote != nil
        request.watchesServer = run.plan.isWatchedSession
        let typing = source.isTerminal ? TypedInputRelay(keys: SessionKeys(of: run.plan, at: source, run.control)) : nil
        self.typing.withLock { $0 = typing }
        return [typing?.readEnd ?? source.descriptor].compactMap { $0 } + (request.collectsOutput ? [] : [1, 2])
    }

    func sent() { typing.withLock { $0 }?.closeReadEnd() }

    func began(_ command: RemoteCommand) {
        run.began(command, inputIsTerminal: source.isTerminal)
        typing.withLock { $0 }?.begin(run.inputUse)
    }

    func ended() async {
        run.control.finished()
        await typing.withLock { $0 }?.end()
    }

    func isShown(_ stage: SSHStage) -> Bool { true }

    var lost: SSHError {
        var evidence = SSHEvidence(local: .helperEnded, stage: .command, endpoint: run.plan.endpoint)
        evidence.command = SSHCommandEvidence(command: run.plan.command)
        evidence.command?.progress = .sent
        return SSHFailureClassifier.classify(evidence)
    }
}

/// Passes on a person's typing to a helper through a pipe. A background process must not read its terminal, but the system
/// would not stop a helper, which has no terminal of its own.
final class TypedInputRelay: Sendable {
    /// The helper's end of the pipe.
    let readEnd: Int32
    private struct State {
        var readEnd: OwnedDescriptor?
        var writeEnd: OwnedDescriptor?
        var work: Task<Void, Never>?
    }
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "typing")
    private let terminal: Int32
    private let keys: SessionKeys?
    /// Rung to end the wait for a helper that does not take typed input.
    private let wake = WakePipe()

    /// Nil if no descriptor is left.
    ///
    /// - Parameters:
    ///   - terminal: the terminal to read; stays open.
    ///   - keys: takes the escape characters out of a terminal session's input; nil for other input.
    init?(at terminal: Int32 = 0, keys: SessionKeys? = nil) {
        guard let (readEnd, writeEnd) = openPipe() else { return nil }
        // Only this process's end: a helper that hangs must not block this process.
        _ = fcntl(writeEnd, F_SETFL, fcntl(writeEnd, F_GETFL) | O_NONBLOCK)
        self.terminal = terminal
        self.keys = keys
        self.readEnd = readEnd
        state = Mutex(State(readEnd: OwnedDescriptor(readEnd), writeEnd: OwnedDescriptor(writeEnd)))
    }

    /// Closes this process's copy of the helper's end, so that the pipe ends when this process does.
    func closeReadEnd() { state.withLock { $0.readEnd = nil } }

    /// Starts to pass on typing: the command runs, and accepts input.
    func begin(_ use: InputUse) {
        guard let writeEnd = state.withLock({ $0.writeEnd }) else { return }
        let work = Task { await pass(to: writeEnd, use) }
        state.withLock { state in
            state.work = work
            state.writeEnd = nil
        }
    }

    /// Stops. The terminal's next reader gets what is typed from now on. Input that the helper has not read by now is lost.
    func end() async {
        let work = state.withLock { $0.work }
        work?.cancel()
        wake.ring()
        await work?.value
    }

    private func pass(to writeEnd: OwnedDescriptor, _ use: InputUse) async {
        let reader = InputReader(borrowing: terminal)
        while let piece = try? await reader.next() {
            use.markTaken()
            let piece = keys?.pass(piece) ?? piece
            let isTaken = await withCheckedContinuation { continuation in
                queue.async { [wake] in
                    let failure = piece.withUnsafeBytes {
                        OutputWriter.writeAll($0, to: writeEnd.number, unless: wake.readEnd)
                    }
                    continuation.resume(returning: failure == nil)
                }
            }
            guard isTaken else { return }
        }
        // The person typed the end of input, so the input counts as taken.
        if !Task.isCancelled { use.markTaken() }
    }
}
