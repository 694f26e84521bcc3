import BridgeSSH
import ErrorCore
import Logging
import SSHRun

/// One attempt over a connection that a helper keeps, or is started to keep.
struct PersistedRun: Sendable {
    let run: RunAttempt
    let errand: any HelperErrand
    let style: OutputStyle
    let persistence: Persistence

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
                // One that failed to connect would fail again; it leaves the place to the next helper.
                case .gone: if !status.isReady { return nil }
                }
                run.context.log.line("persist: that connection cannot be used any more")
            }
        }
        return nil
    }

    /// Where the helper's files are. Without such a place a note says that the connection is not kept.
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
            run.context.log.line("persist: no helper can be started")
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
            socket: socket, run: run, errand: errand,
            wantsEvents: style.verbosity > 0 || run.context.logger.logLevel <= .debug, keepFor: persistence.keepFor,
            asking: configuration, waitsAtMost: seconds)
    }
}
