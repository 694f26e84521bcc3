import BridgeSSH
import Synchronization

/// Gives a person's passphrases and password to the next attempt too, so that one run asks for each once.
///
/// Each goes out once an attempt: one that did not fit is asked for anew. Answers to a server's questions are never kept; they
/// may hold one time only.
final class RememberedAnswers: Interaction {
    private struct State {
        var kept: [String: Secret] = [:]
        var unused: Set<String> = []
    }
    private let state = Mutex(State())
    private let person: any Interaction

    init(asking person: any Interaction) {
        self.person = person
    }

    /// What was kept may be given again.
    func beginAttempt() {
        state.withLock { $0.unused = Set($0.kept.keys) }
    }

    func accept(_ question: HostKeyQuestion) async throws -> Bool? {
        try await person.accept(question)
    }

    func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> Secret? {
        try await answer("passphrase \(path)") { try await person.passphrase(forKeyAt: path, isRetry: isRetry) }
    }

    func password(user: String, host: String) async throws -> Secret? {
        try await answer("password \(user)@\(host)") { try await person.password(user: user, host: host) }
    }

    func answers(to request: PromptRequest, user: String, host: String) async throws -> [Secret]? {
        try await person.answers(to: request, user: user, host: host)
    }

    private func answer(_ name: String, _ ask: () async throws -> Secret?) async throws -> Secret? {
        let kept = state.withLock { $0.unused.remove(name) == nil ? nil : $0.kept[name] }
        if let kept { return kept }
        let given = try await ask()
        state.withLock { $0.kept[name] = given }
        return given
    }
}
