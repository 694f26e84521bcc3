package import BridgeSSH
internal import Synchronization

/// Keeps a person's answers for later attempts of the same run, so that a run asks for each secret once.
///
/// A password is reused only for the same prompt at the same ``Place``, and only once per attempt: if it was wrong, the person is
/// asked again. A key's passphrase decrypts a local file, so it is reused for every host that needs the key. Answers to other
/// prompts from a server are never kept: they may be one-time codes.
package final class RememberedAnswers: Sendable {
    /// The source of a prompt. It includes the hop's number, because two hosts in different networks may have the same name, port
    /// and user.
    package struct Place: Hashable {
        /// 0 for the destination, otherwise the jump host's number; 1 is the nearest.
        package let hop: Int
        package let endpoint: SSHEndpoint

        package init(hop: Int, endpoint: SSHEndpoint) {
            self.hop = hop
            self.endpoint = endpoint
        }
    }

    /// The kind of prompt at a place.
    private struct Question: Hashable {
        let place: Place
        let user: String
        let host: String
    }

    private struct State {
        var passphrases: [String: SSHSecret] = [:]
        var passwords: [Question: SSHSecret] = [:]
        /// Passwords not yet used in this attempt.
        var unused: Set<Question> = []
    }
    private let state = Mutex(State())
    private let person: any SSHInteraction

    package init(asking person: any SSHInteraction) {
        self.person = person
    }

    /// Allows kept passwords to be used again.
    package func beginAttempt() {
        state.withLock { $0.unused = Set($0.passwords.keys) }
    }

    package func interaction(at place: Place) -> any SSHInteraction { PlaceInteraction(answers: self, place: place) }

    /// Keeps the answers of one place separate from the others.
    private struct PlaceInteraction: SSHInteraction {
        let answers: RememberedAnswers
        let place: Place

        func accept(_ question: SSHHostKeyQuestion) async throws -> Bool? {
            try await answers.person.accept(question.named(place.endpoint.name))
        }

        func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret? {
            try await answers.passphrase(forKeyAt: path, isRetry: isRetry)
        }

        func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret? {
            try await answers.password(Question(place: place, user: user, host: host), isRetry: isRetry)
        }

        func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]? {
            try await answers.person.answers(to: request, user: user, host: host)
        }
    }

    private func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret? {
        // A retry means that the kept passphrase did not decrypt the key.
        if !isRetry, let kept = state.withLock({ $0.passphrases[path] }) { return kept }
        let given = try await person.passphrase(forKeyAt: path, isRetry: isRetry)
        state.withLock { $0.passphrases[path] = given }
        return given
    }

    private func password(_ question: Question, isRetry: Bool) async throws -> SSHSecret? {
        let kept = state.withLock { $0.unused.remove(question) == nil ? nil : $0.passwords[question] }
        if let kept { return kept }
        let given = try await person.password(user: question.user, host: question.host, isRetry: isRetry)
        state.withLock { $0.passwords[question] = given }
        return given
    }
}

extension SSHHostKeyQuestion {
    /// The same question, beginning with the name by which the person knows the host.
    fileprivate func named(_ name: String) -> SSHHostKeyQuestion {
        SSHHostKeyQuestion(
            host: SSHEndpoint.label(name, host), port: port, keyType: keyType, fingerprint: fingerprint, otherNames: otherNames,
            certificateAuthority: certificateAuthority, skippedLines: skippedLines)
    }
}
