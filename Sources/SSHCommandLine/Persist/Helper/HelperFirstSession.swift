import BridgeSSH
import Dispatch
import SSHRun
import Synchronization

/// The session with the run that started the helper: connects, with prompts and notices through that run, and then runs its
/// command.
struct HelperFirstSession {
    let request: OpenRequest
    let secrets: OneTimeSecrets
    let socket: FrameSocket
    let persistServer: HelperServer

    func perform() async {
        let person = RelayedInteraction(socket)
        let timeline = Timeline(observer: person)
        let work = Task(executorPreference: SingleEventLoop.executor) {
            let (password, passphrase) = secrets.take()
            let configuration = request.complete(
                password: password, passphrase: passphrase, asking: person)
            return try await SSHClient.connect(to: request.endpoint, configuration: configuration, timeline: timeline)
        }
        let listening = Task { await listen(person) { work.cancel() } }
        do {
            let connection = try await work.value
            // Until now the helper needed the run's working directory, for a ProxyCommand and relative paths.
            _ = chdir("/")
            persistServer.opened(connection)
            await socket.send(.ready, persistServer.trust)
            guard let frame = await listening.value else { return }
            await HelperSession(socket: socket, persistServer: persistServer).run(frame, first: (connection, timeline))
        } catch {
            timeline.end()
            // First of all, so that a run that retries does not find this helper.
            persistServer.failedToOpen()
            let report = OutcomeReport(RunOutcome.End(error, signal: nil), timings: timeline.timings)
            await socket.send(.unopened, report)
            persistServer.leave()
        }
    }

    /// Takes the run's answers until the run requests its command.
    ///
    /// - Returns: the frame with the request; nil if the run has ended.
    private func listen(_ person: RelayedInteraction, _ giveUp: @Sendable () -> Void) async -> Frame? {
        while let frame = try? await socket.receive() {
            switch frame.kind {
            case .run: return frame
            case .cancel: giveUp()
            case .answer:
                guard let answer = try? frame.value(PersonAnswer.self), let secrets = await secrets(answer.secrets ?? 0) else {
                    giveUp()
                    return nil
                }
                person.answered(answer, secrets)
            default: break
            }
        }
        giveUp()
        leaveLater()
        return nil
    }

    /// Ends the process a moment later. Cancelling does not end a system call, such as opening a pipe in place of a file, and
    /// without its run the helper would stay forever.
    private func leaveLater() {
        DispatchQueue(label: "time limit").asyncAfter(deadline: .now() + .seconds(5)) {
            let status = persistServer.status
            guard !status.isReady, status.runs == 0 else { return }
            request.files.remove()
            leave(with: .success)
        }
    }

    private func secrets(_ count: Int) async -> [SSHSecret]? {
        var secrets: [SSHSecret] = []
        while secrets.count < count {
            guard let secret = try? await socket.receive()?.secret else { return nil }
            secrets.append(secret)
        }
        return secrets
    }
}

/// A password and a passphrase that can be taken once, so that no copy remains: their last holder overwrites them.
final class OneTimeSecrets: Sendable {
    private let secrets: Mutex<(password: SSHSecret, passphrase: SSHSecret)>

    init(password: SSHSecret, passphrase: SSHSecret) {
        secrets = Mutex((password, passphrase))
    }

    func take() -> (password: SSHSecret, passphrase: SSHSecret) {
        secrets.withLock { secrets in
            defer { secrets = (SSHSecret(""), SSHSecret("")) }
            return secrets
        }
    }
}

extension OpenRequest {
    /// The configuration, with the values added that the frame of the request does not contain.
    func complete(password: SSHSecret, passphrase: SSHSecret, asking person: RelayedInteraction) -> SSHConnectionConfiguration {
        var complete = configuration
        complete.observer = person
        complete.interaction = mayAsk ? person.interaction(atHop: 0) : nil
        complete.credentials.password = password.isEmpty ? nil : password
        complete.credentials.passphrase = passphrase.isEmpty ? nil : passphrase
        for (index, mayAsk) in zip(complete.jumpHosts.indices, mayAskAbout) {
            complete.jumpHosts[index].configuration.interaction = mayAsk ? person.interaction(atHop: index + 1) : nil
            complete.jumpHosts[index].configuration.credentials.passphrase = complete.credentials.passphrase
        }
        return complete
    }
}

/// The person at the terminal of the run that started the helper: prompts and notices go through its socket.
final class RelayedInteraction: SSHRunObserver {
    private struct ReceivedAnswer {
        var answer: PersonAnswer
        var secrets: [SSHSecret]
    }

    private let socket: FrameSocket
    private let waiting = Mutex<CheckedContinuation<ReceivedAnswer, any Error>?>(nil)

    init(_ socket: FrameSocket) {
        self.socket = socket
    }

    // MARK: Messages

    func stageBegan(_ stage: SSHStage, detail: String) { socket.post(.stage, TextList(texts: [stage.rawValue, detail])) }
    func notice(_ text: String) { socket.post(.notice, TextList(texts: [text])) }
    func trustChanged(_ text: String) { socket.post(.trust, TextList(texts: [text])) }
    func serverBanner(_ text: String) { socket.post(.banner, TextList(texts: [text])) }
    func authenticated(with credentials: String) { socket.post(.authenticated, TextList(texts: [credentials])) }

    // MARK: Asking

    /// Asks about one hop, numbered as in ``PersonQuestion/hop``.
    func interaction(atHop hop: Int) -> any SSHInteraction { HopInteraction(person: self, hop: hop) }

    private struct HopInteraction: SSHInteraction {
        let person: RelayedInteraction
        let hop: Int

        func accept(_ question: SSHHostKeyQuestion) async throws -> Bool? {
            try await person.ask(PersonQuestion(kind: .hostKey, hop: hop, hostKey: question)).answer.accepts
        }

        func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret? {
            try await person.ask(PersonQuestion(kind: .passphrase, hop: hop, path: path, isRetry: isRetry)).secrets.first
        }

        func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret? {
            let question = PersonQuestion(kind: .password, hop: hop, user: user, host: host, isRetry: isRetry)
            return try await person.ask(question).secrets.first
        }

        func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]? {
            let question = PersonQuestion(kind: .prompts, hop: hop, user: user, host: host, request: request)
            let given = try await person.ask(question)
            return given.answer.secrets == nil ? nil : given.secrets
        }
    }

    private func ask(_ question: PersonQuestion) async throws -> ReceivedAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                // A cancellation before the continuation was stored had no effect.
                if Task.isCancelled { return end(with: .failure(CancellationError())) }
                socket.post(.question, question)
            }
        } onCancel: {
            end(with: .failure(CancellationError()))
        }
    }

    /// Resumes the waiting question with the answer.
    func answered(_ answer: PersonAnswer, _ secrets: [SSHSecret]) {
        end(with: answer.isCancelled ? .failure(CancellationError()) : .success(ReceivedAnswer(answer: answer, secrets: secrets)))
    }

    private func end(with result: Result<ReceivedAnswer, any Error>) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(with: result)
    }
}
