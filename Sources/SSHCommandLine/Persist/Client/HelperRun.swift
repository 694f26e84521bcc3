import BridgeSSH
import ErrorCore
import Logging
import SSHRun

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
                case .another: break
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
        case .another, .separate, .gone: return nil
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
