package import BridgeSSH
internal import Synchronization

/// A person's answers in a run, for its next attempts, so that one run asks for each secret once.
///
/// A password is given again only to the same question at the same ``Place``. It goes out once an attempt: one that did
/// not fit is asked for anew. A key's passphrase opens a file here and is the same for every host that wants the key. Answers
/// to a server's questions are never kept: they may hold one time only.
package final class RememberedAnswers: Sendable {
    /// Where a question comes from. The number of the hop is part of it: two hosts may have the same name, port and user in
    /// different networks.
    package struct Place: Hashable {
        /// 0 for the destination, else the jump host's number; 1 is the nearest.
        package let hop: Int
        package let endpoint: SSHEndpoint

        package init(hop: Int, endpoint: SSHEndpoint) {
            self.hop = hop
            self.endpoint = endpoint
        }
    }

    /// The kind of question at a place.
    private struct Question: Hashable {
        let place: Place
        let user: String
        let host: String
    }

    private struct State {
        var passphrases: [String: SSHSecret] = [:]
        var passwords: [Question: SSHSecret] = [:]
        /// The passwords that have not been used in this attempt.
        var unused: Set<Question> = []
    }
    private let state = Mutex(State())
    private let person: any SSHInteraction

    package init(asking person: any SSHInteraction) {
        self.person = person
    }

    /// Kept passwords may be used again.
    package func beginAttempt() {
        state.withLock { $0.unused = Set($0.passwords.keys) }
    }

    /// The interaction of one place.
    package func interaction(at place: Place) -> any SSHInteraction { PlaceInteraction(answers: self, place: place) }

    /// Keeps a place's answers separate from those of others.
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
        // One that did not decrypt the key is of no more use; any other did.
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
    /// The same question with the name first that a person knows the host by.
    fileprivate func named(_ name: String) -> SSHHostKeyQuestion {
        SSHHostKeyQuestion(
            host: SSHEndpoint.label(name, host), port: port, keyType: keyType, fingerprint: fingerprint, otherNames: otherNames,
            certificateAuthority: certificateAuthority, skippedLines: skippedLines)
    }
}
