import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Questions that a person answers at the terminal during `bridge-ssh run`, even over several connections.
@Suite("A person at the terminal")
struct InteractivePromptTests {
    @Test("a connection lost during a question is made again, without a second question about the host key")
    func lostAtAQuestion() async throws {
        let key = try await TestKey.make(passphrase: "correct horse")
        var options = SSHDSandbox.Options()
        options.authorize(key, for: .alice)
        try await SSHDSandbox.run(options) { box in
            try await FaultProxy.run(to: box.port) { proxy in
                let home = box.directory
                let arguments = [
                    "run", "--agent", "none", "--retries", "5", "-p", "\(proxy.port)", "-l", "alice", "-i",
                    try box.identityFile(key),
                    "--known-hosts", home.path("known"), "127.0.0.1", "--", "echo done",
                ]
                let result = try await TerminalRun.run(
                    try BuiltExecutable.path("bridge-ssh"), arguments,
                    environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8", "TERM": "xterm"])
                ) { process in
                    try await process.standardOutput.wait(for: "fingerprint: ")
                    try await process.write("yes\r")
                    let first = try await process.standardOutput.wait(for: "Passphrase for ")
                    await proxy.trigger(.reset)
                    // The question went with the connection; the next connection asks it again.
                    try await process.standardOutput.wait(for: "Passphrase for ", after: first)
                    try await process.write("correct horse\r")
                }
                #expect(result.exitStatus == 0, "\(result.output)")
                #expect(result.output.contains("done"))
                #expect(result.output.split(separator: "fingerprint: ").count == 2, "\(result.output)")
                #expect(proxy.statistics.connections == 2)
                #expect(!result.output.contains("correct horse"))
            }
        }
    }

    /// A run on a terminal where a person answers each of these questions of the server.
    private static func answer(_ script: ServerScript, _ answers: [(prompt: String, answer: String)]) async throws
        -> ProcessResult
    {
        try await ScriptedServer.run(script) { server in
            var testRun = server.testRun()
            testRun.identities = []
            return try await testRun.onTerminal { process in
                for (prompt, answer) in answers {
                    try await process.standardOutput.wait(for: prompt)
                    try await process.write(answer + "\r")
                }
            }
        }
    }

    /// A server that asks for a name, a token and a password at once, and then accepts any answer.
    private static let questions = ServerScript().asking(for: "keyboard-interactive")
        .on(
            .login("keyboard-interactive"),
            [.ask(instruction: "Prove it", [("Name: ", true), ("Token: ", true), ("Secret: ", false)])]
        )
        .on(.answers, .accept)

    @Test("several questions are answered one by one, and only what may be seen is shown")
    func questions() async throws {
        let result = try await Self.answer(
            Self.questions, [("Name: ", "al"), ("Token: ", "123456"), ("Secret: ", "the-hidden-one")])
        #expect(result.exitStatus == 0, "\(result.output)")
        #expect(result.output.contains("Prove it") && result.output.contains("123456"))
        #expect(!result.output.contains("the-hidden-one"))
    }

    /// A server that repeats both answers in its next question.
    private static let repetition = ServerScript().asking(for: "keyboard-interactive")
        .on(.login("keyboard-interactive"), .ask(instruction: "", [("Name: ", true), ("Secret: ", false)]))
        .on(.answers, .ask(instruction: "You said al-the-seen and the-hidden-one", [("Sure? ", true)]))
        .on(.answers, .accept)

    @Test("a hidden answer that the server repeats is not shown; an answer that was seen is")
    func repeatedAnswers() async throws {
        let result = try await Self.answer(
            Self.repetition, [("Name: ", "al-the-seen"), ("Secret: ", "the-hidden-one"), ("Sure? ", "yes")])
        #expect(result.exitStatus == 0, "\(result.output)")
        #expect(result.output.contains("You said al-the-seen and •••"), "\(result.output)")
    }

    @Test("the end of input at a password prompt is reported, without a second prompt")
    func noAnswer() async throws {
        try await SSHDSandbox.run { box in
            var testRun = try await box.testRun()
            testRun.identities = []
            let result = try await testRun.onTerminal { process in
                try await process.standardOutput.wait(for: "Password of ")
                try await process.write("\u{4}")
            }
            #expect(result.exitStatus == 197 && result.output.contains("ssh.auth.interaction-required"), "\(result.output)")
            #expect(result.output.ranges(of: "Password of ").count == 1, "\(result.output)")
        }
    }
}
