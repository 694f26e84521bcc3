import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A terminal that closes during a question.
@Suite("A terminal that hangs up")
struct HangupTests {
    /// The run's log after a hangup at a prompt: its terminal is gone, so only the log says how it ended.
    private func hangUp(at prompt: Int, server: ServerScript) async throws -> String {
        try await ScriptedServer.run(server) { server in
            try await ScratchDirectory.with { scratch in
                var testRun = server.testRun()
                testRun.identities = []
                let log = scratch.path("log")
                let result = try await testRun.onTerminal(["--log-file", log]) { process in
                    var place = 0
                    for number in 1...prompt {
                        place = try await process.standardOutput.wait(for: "Code: ", after: place)
                        if number < prompt { try await process.write("wrong\r") }
                    }
                    try await process.hangUp()
                }
                #expect(result.exitStatus == 129)
                return try String(contentsOfFile: log, encoding: .utf8)
            }
        }
    }

    private static let asking = ServerScript().asking(for: "keyboard-interactive")
        .replacing(.login("keyboard-interactive"), by: [.ask(instruction: "", [("Code: ", false)])])
        .replacing(.answers, by: [.refuseLogin(["keyboard-interactive"], partialSuccess: false)])

    @Test("a hangup at any prompt cancels the run", arguments: [1, 2, 1, 2, 1, 2, 1, 2])
    func cancels(prompt: Int) async throws {
        let log = try await hangUp(at: prompt, server: Self.asking)
        #expect(log.contains("ssh.local.cancelled") && !log.contains("library-failure"), "\(log)")
    }
}
