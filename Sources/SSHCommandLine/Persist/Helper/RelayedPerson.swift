import BridgeSSH
import Synchronization

/// The person at the terminal of the run that had the helper started: prompts and notices go through its socket.
final class RelayedPerson: SSHRunObserver {
    private struct Given {
        var answer: PersonAnswer
        var secrets: [SSHSecret]
    }

    private let socket: FrameSocket
    private let waiting = Mutex<CheckedContinuation<Given, any Error>?>(nil)

    init(_ socket: FrameSocket) {
        self.socket = socket
    }

    // MARK: Messages

    func stageBegan(_ stage: SSHStage, detail: String) { socket.post(.stage, Texts(texts: [stage.rawValue, detail])) }
    func notice(_ text: String) { socket.post(.notice, Texts(texts: [text])) }
    func trustChanged(_ text: String) { socket.post(.trust, Texts(texts: [text])) }
    func serverBanner(_ text: String) { socket.post(.banner, Texts(texts: [text])) }
    func authenticated(with credentials: String) { socket.post(.authenticated, Texts(texts: [credentials])) }

    // MARK: Asking

    /// Asks about one hop, numbered as in ``PersonQuestion/hop``.
    func interaction(atHop hop: Int) -> any SSHInteraction { AboutHop(person: self, hop: hop) }

    private struct AboutHop: SSHInteraction {
        let person: RelayedPerson
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

    private func ask(_ question: PersonQuestion) async throws -> Given {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                // A cancellation before the continuation was stored found nothing to end.
                if Task.isCancelled { return end(with: .failure(CancellationError())) }
                socket.post(.question, question)
            }
        } onCancel: {
            end(with: .failure(CancellationError()))
        }
    }

    /// The answer has come.
    func answered(_ answer: PersonAnswer, _ secrets: [SSHSecret]) {
        end(with: answer.isCancelled ? .failure(CancellationError()) : .success(Given(answer: answer, secrets: secrets)))
    }

    private func end(with result: Result<Given, any Error>) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(with: result)
    }
}
