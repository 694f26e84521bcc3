import BridgeSSH
import ErrorCore

/// One attempt over a connection that a helper keeps, or is started to keep.
struct PersistedRun: Sendable {
    private let run: Run
    private let access: CompletedAccess
    private let source: RunInputSource
    private let use: InputUse
    private let persistence: Persistence

    /// Nil for a run without persistence.
    init?(run: Run, access: CompletedAccess, source: RunInputSource, use: InputUse) {
        guard let persistence = run.plan.persistence else { return nil }
        self.run = run
        self.access = access
        self.source = source
        self.use = use
        self.persistence = persistence
    }

    /// How many dead connections are replaced by another.
    private static let rounds = 3

    /// - Returns: nil if no helper is available, and the run has to connect by itself; nothing of it has happened then.
    /// - Throws: as `CompletedAccess.configuration()`.
    func perform() async throws -> RunOutcome? {
        guard let directory else { return nil }
        let files = HelperFiles(directory: directory, name: persistence.identity.name)
        for _ in 0..<Self.rounds {
            switch try await HelperSearch(files: files).find() {
            case .unusable(let why):
                run.log.line("persist: the helper cannot be used: \(why)")
                return nil
            case .none(let lock): return try await begin(files, lock)
            case .helper(let socket, let status):
                run.log.line("persist: using the connection of process \(status.process), \(Int(status.age)) s old")
                let conversation = conversation(socket, waitsAtMost: run.plan.configuration.timeouts.connect.boundedSeconds)
                switch await conversation.perform() {
                case .ended(let outcome): return outcome
                case .separate: return nil
                case .another: break
                // One that failed to connect would fail again; it leaves the place to the next helper.
                case .gone: if !status.isReady { return nil }
                }
                run.log.line("persist: that connection cannot be used any more")
            }
        }
        return nil
    }

    /// Where the helper's files are. Without such a place a note says that the connection is not kept.
    private var directory: String? {
        var problems: [HelperDirectory.Problem] = []
        let directory = HelperDirectory.prepare { problems.append($0) }
        let texts = problems.map { "\(TerminalText.escape($0.path)) is not used: \(TerminalText.escape($0.text))" }
        for text in texts { run.log.line("persist: \(text)") }
        if directory == nil, !run.plan.output.quiet, !run.plan.output.json {
            Console.note(
                "the connection is not kept, because there is no safe place for its socket: \(texts.joined(separator: "; ")); "
                    + "set XDG_RUNTIME_DIR to a directory of your own")
        }
        return directory
    }

    private func begin(_ files: HelperFiles, _ lock: OwnedDescriptor) async throws -> RunOutcome? {
        let configuration: Configuration
        do {
            configuration = try await access.configuration()
        } catch {
            files.remove()
            throw error
        }
        let record = HelperRecord(named: persistence.named, endpoint: run.plan.endpoint)
        guard let socket = HelperLaunch.start(files, lock: lock, record) else {
            run.log.line("persist: no helper can be started")
            return nil
        }
        let request = OpenRequest(
            named: persistence.named, endpoint: run.plan.endpoint, configuration: configuration,
            mayAsk: configuration.interaction != nil,
            mayAskAbout: configuration.jumpHosts.map { $0.configuration.interaction != nil }, keepFor: persistence.keepFor,
            files: files)
        await socket.send(.open, request)
        let none = Secret("")
        socket.post(configuration.credentials.password ?? none)
        socket.post(configuration.credentials.passphrase ?? none)
        switch await conversation(socket, asking: configuration).perform() {
        case .ended(let outcome): return outcome
        case .another, .separate, .gone: return nil
        }
    }

    private func conversation(
        _ socket: FrameSocket, waitsAtMost seconds: Double? = nil, asking configuration: Configuration? = nil
    ) -> HelperConversation {
        HelperConversation(
            socket: socket, run: run, source: source, use: use, keepFor: persistence.keepFor, asking: configuration,
            waitsAtMost: seconds)
    }
}
