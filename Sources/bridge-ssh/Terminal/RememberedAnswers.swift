import BridgeSSH
import Synchronization

/// Gives a person's passphrases and password to the next attempt too, and a key's passphrase to the next host that wants the key,
/// so that one run asks for each once.
///
/// A password goes out once an attempt: one that did not fit is asked for anew. Answers to a server's questions are never kept;
/// they may hold one time only.
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
        let name = "passphrase \(path)"
        // One that did not open the key is of no more use; any other did.
        if !isRetry, let kept = state.withLock({ $0.kept[name] }) { return kept }
        let given = try await person.passphrase(forKeyAt: path, isRetry: isRetry)
        state.withLock { $0.kept[name] = given }
        return given
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
