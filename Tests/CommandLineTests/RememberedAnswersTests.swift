import BridgeSSH
import Synchronization
import Testing

@testable import bridge_ssh

/// Someone who types another answer each time.
private final class Typist: Interaction {
    private let count = Mutex(0)

    var asked: Int { count.withLock { $0 } }

    private func next() -> Secret {
        Secret(
            count.withLock { count in
                count += 1
                return "answer \(count)"
            })
    }

    func accept(_ question: HostKeyQuestion) async throws -> Bool? { true }
    func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> Secret? { next() }
    func password(user: String, host: String) async throws -> Secret? { next() }
    func answers(to request: PromptRequest, user: String, host: String) async throws -> [Secret]? {
        request.prompts.map { _ in next() }
    }
}

@Suite struct RememberedAnswersTests {
    private func text(_ secret: Secret?) -> String? {
        secret?.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func theNextAttemptGetsTheLastAnswer() async throws {
        let person = Typist()
        let answers = RememberedAnswers(asking: person)
        answers.beginAttempt()
        #expect(text(try await answers.passphrase(forKeyAt: "/k", isRetry: false)) == "answer 1")
        // The first did not open the key.
        #expect(text(try await answers.passphrase(forKeyAt: "/k", isRetry: true)) == "answer 2")
        answers.beginAttempt()
        #expect(text(try await answers.passphrase(forKeyAt: "/k", isRetry: false)) == "answer 2")
        #expect(person.asked == 2)
    }

    @Test func aKeyThatTwoHostsWantIsOpenedByOneAnswer() async throws {
        let person = Typist()
        let answers = RememberedAnswers(asking: person)
        answers.beginAttempt()
        for _ in 0..<2 { #expect(text(try await answers.passphrase(forKeyAt: "/k", isRetry: false)) == "answer 1") }
        #expect(person.asked == 1)
    }

    @Test func oneThatDoesNotFitIsAskedForAnew() async throws {
        let answers = RememberedAnswers(asking: Typist())
        _ = try await answers.password(user: "alice", host: "web1")
        answers.beginAttempt()
        #expect(text(try await answers.password(user: "alice", host: "web1")) == "answer 1")
        #expect(text(try await answers.password(user: "alice", host: "web1")) == "answer 2")
    }

    @Test func anAnswerIsForOneKeyAndOneHostOnly() async throws {
        let person = Typist()
        let answers = RememberedAnswers(asking: person)
        _ = try await answers.password(user: "alice", host: "web1")
        _ = try await answers.passphrase(forKeyAt: "/k", isRetry: false)
        answers.beginAttempt()
        _ = try await answers.password(user: "alice", host: "web2")
        _ = try await answers.passphrase(forKeyAt: "/l", isRetry: false)
        #expect(person.asked == 4)
    }
}
