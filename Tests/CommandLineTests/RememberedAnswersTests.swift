import BridgeSSH
import SSHRun
import Synchronization
import Testing

@testable import SSHCommandLine

/// A person who types a different answer each time.
private final class Typist: SSHInteraction {
    private let count = Mutex(0)

    var asked: Int { count.withLock { $0 } }

    private func next() -> SSHSecret {
        SSHSecret(
            count.withLock { count in
                count += 1
                return "answer \(count)"
            })
    }

    func accept(_ question: SSHHostKeyQuestion) async throws -> Bool? { true }
    func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret? { next() }
    func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret? { next() }
    func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]? {
        request.prompts.map { _ in next() }
    }
}

@Suite struct RememberedAnswersTests {
    private func text(_ secret: SSHSecret?) -> String? {
        secret?.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static let destination = RememberedAnswers.Place(
        hop: 0, endpoint: SSHEndpoint(unchecked: "web1", port: 22, user: "alice"))

    @Test("the next attempt gets the last answer") func theNextAttemptGetsTheLastAnswer() async throws {
        let person = Typist()
        let answers = RememberedAnswers(asking: person)
        let asked = answers.interaction(at: Self.destination)
        answers.beginAttempt()
        #expect(text(try await asked.passphrase(forKeyAt: "/k", isRetry: false)) == "answer 1")
        // The first passphrase did not open the key.
        #expect(text(try await asked.passphrase(forKeyAt: "/k", isRetry: true)) == "answer 2")
        answers.beginAttempt()
        #expect(text(try await asked.passphrase(forKeyAt: "/k", isRetry: false)) == "answer 2")
        #expect(person.asked == 2)
    }

    @Test("a key that two hosts want is opened by one answer") func aKeyThatTwoHostsWantIsOpenedByOneAnswer() async throws {
        let person = Typist()
        let answers = RememberedAnswers(asking: person)
        answers.beginAttempt()
        for hop in 0..<2 {
            let asked = answers.interaction(at: .init(hop: hop, endpoint: Self.destination.endpoint))
            #expect(text(try await asked.passphrase(forKeyAt: "/k", isRetry: false)) == "answer 1")
        }
        #expect(person.asked == 1)
    }

    @Test("a passphrase that does not fit is asked for again") func oneThatDoesNotFitIsAskedForAnew() async throws {
        let answers = RememberedAnswers(asking: Typist())
        let asked = answers.interaction(at: Self.destination)
        _ = try await asked.password(user: "alice", host: "web1", isRetry: false)
        answers.beginAttempt()
        #expect(text(try await asked.password(user: "alice", host: "web1", isRetry: false)) == "answer 1")
        #expect(text(try await asked.password(user: "alice", host: "web1", isRetry: false)) == "answer 2")
    }

    @Test("a password is for one place and one question only") func aPasswordIsForOnePlaceAndOneQuestionOnly() async throws {
        let person = Typist()
        let answers = RememberedAnswers(asking: person)
        _ = try await answers.interaction(at: Self.destination).password(user: "alice", host: "web1", isRetry: false)
        answers.beginAttempt()
        let others = [
            (0, "web2", 22, "alice"), (0, "web1", 2222, "alice"), (0, "web1", 22, "bob"), (1, "web1", 22, "alice"),
        ]
        for (number, (hop, host, port, user)) in others.enumerated() {
            let place = RememberedAnswers.Place(hop: hop, endpoint: SSHEndpoint(unchecked: host, port: port, user: user))
            let given = try await answers.interaction(at: place).password(user: "alice", host: "web1", isRetry: false)
            #expect(text(given) == "answer \(number + 2)")
        }
        let here = answers.interaction(at: Self.destination)
        #expect(text(try await here.password(user: "bob", host: "web1", isRetry: false)) == "answer 6")
        #expect(text(try await here.password(user: "alice", host: "web2", isRetry: false)) == "answer 7")
        #expect(text(try await here.password(user: "alice", host: "web1", isRetry: false)) == "answer 1")
    }

    @Test("an answer to the server's questions is never kept") func anAnswerToTheServersQuestionsIsNeverKept() async throws {
        let person = Typist()
        let answers = RememberedAnswers(asking: person)
        let asked = answers.interaction(at: Self.destination)
        let request = SSHPromptRequest(name: "", instruction: "", prompts: [.init(text: "Token: ", echo: false)])
        for number in 1...2 {
            let given = try await asked.answers(to: request, user: "alice", host: "web1")
            #expect(text(given?.first) == "answer \(number)")
            answers.beginAttempt()
        }
    }
}
