import BridgeSSH
import Synchronization
import Testing

@testable import SSHCommandLine

/// The answers to ssh's questions.
@Suite("Answers for ssh") struct OpenSSHAnswersTests {
    private final class Person: Questioner {
        let isTerminal = true
        let maximumTries = 3
        private let kept = Mutex<[String]>([])
        var prompts: [String] { kept.withLock { $0 } }

        func ask(_ prompt: String, after text: String, echo: Bool) -> SSHSecret? {
            kept.withLock { $0.append(prompt) }
            return SSHSecret("typed")
        }
    }

    private let person = Person()

    private func answers(mayAsk: Bool = false) -> OpenSSHAnswers {
        OpenSSHAnswers(
            .init(
                password: SSHSecret("pw"), passphrase: SSHSecret("phrase"), questioner: mayAsk ? person : nil, notice: { _ in }))
    }

    private func answer(
        _ answers: OpenSSHAnswers, _ prompt: String, isDestination: Bool = true, hasPartialSuccess: Bool = false
    ) async -> String? {
        let question = OpenSSHQuestion(asker: 2, kind: "", prompt: prompt)
        let secret = await answers.answer(question, isDestination: isDestination, hasPartialSuccess: hasPartialSuccess)
        return secret.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } }
    }

    private static let password = "alice@web1's password: "
    private static let code = "(alice@web1) Password: "

    @Test("a passphrase is given once for each key; then the person is asked") func passphrase() async {
        for mayAsk in [false, true] {
            let answers = answers(mayAsk: mayAsk)
            for name in ["a", "b"] { #expect(await answer(answers, "Enter passphrase for key '\(name)': ") == "phrase") }
            #expect(await answer(answers, "Enter passphrase for key 'a': ") == (mayAsk ? "typed" : nil))
        }
        #expect(person.prompts == ["Enter passphrase for key 'a': "])
    }

    @Test("a password is given once, and to another method only if the server has accepted the first") func password() async {
        let refused = answers()
        #expect(await answer(refused, Self.password) == "pw")
        #expect(await answer(refused, Self.password) == nil)
        #expect(await answer(refused, Self.code) == nil)
        let accepted = answers()
        #expect(await answer(accepted, Self.password) == "pw")
        #expect(await answer(accepted, Self.code, hasPartialSuccess: true) == "pw")
        #expect(await answer(accepted, Self.code, hasPartialSuccess: true) == nil)
    }

    @Test("a jump host gets no password") func jumpHost() async {
        #expect(await answer(answers(), Self.password, isDestination: false) == nil)
    }
}
