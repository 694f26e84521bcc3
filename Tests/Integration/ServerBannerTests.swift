import BridgeSSH
import SSHTestSupport
import Testing

/// The server's messages before the login and after an answer.
@Suite("A login's messages")
struct ServerBannerTests {
    private static let banner = "Authorised users only.\r\nAll is \u{1b}[31mlogged.\n"

    private func sandbox(_ body: (SSHDSandbox) async throws -> Void) async throws {
        var options = SSHDSandbox.Options("Banner /etc/issue.net\n")
        options.files = ["/etc/issue.net": SandboxFile(Self.banner)]
        try await SSHDSandbox.run(options, body)
    }

    @Test("the banner is shown on standard error, escaped, unless -q or --json")
    func banner() async throws {
        try await sandbox { box in
            let shown = try await box.commandLine([], "echo out").result()
            #expect(shown.output == "out\n" && shown.exitStatus == 0)
            let banner = "Authorised users only.\nAll is \\x1b[31mlogged.\n"
            #expect(shown.errorOutput == banner, "\(shown.errorOutput)")
            for option in ["-q", "--json"] {
                let hidden = try await box.commandLine([option], "true").result()
                #expect(hidden.errorOutput == "" && hidden.exitStatus == 0, "\(option): \(hidden.errorOutput)")
            }
        }
    }

    @Test("the banner comes before the question, and a refused password is reported")
    func refusedPassword() async throws {
        try await sandbox { box in
            var testRun = try await box.testRun(.alice, "echo do''ne")
            testRun.identities = []
            let result = try await testRun.onTerminal { process in
                var place = try await process.standardOutput.wait(for: "All is ")
                place = try await process.standardOutput.wait(for: "Password of ", after: place)
                try await process.write("wrong\r")
                place = try await process.standardOutput.wait(for: "The server refused that password. Try again.", after: place)
                try await process.standardOutput.wait(for: "Password of ", after: place)
                try await process.write("alice-pw\r")
            }
            #expect(result.exitStatus == 0 && result.output.contains("done"), "\(result.output)")
            #expect(result.output.ranges(of: "refused that password").count == 1, "\(result.output)")
        }
    }

    @Test("refused answers are reported once for each attempt")
    func refusedAnswers() async throws {
        let script = ServerScript().asking(for: "keyboard-interactive")
            .on(.login("keyboard-interactive"), [.ask(instruction: "", [("Code: ", false)])])
            .on(.login("keyboard-interactive"), [.ask(instruction: "", [("Code: ", false)])])
            .on(.answers, .refuseLogin(["keyboard-interactive"], partialSuccess: false)).on(.answers, .accept)
        try await ScriptedServer.run(script) { server in
            var testRun = server.testRun()
            testRun.identities = []
            let result = try await testRun.onTerminal { process in
                var place = try await process.standardOutput.wait(for: "Code: ")
                #expect(!process.standardOutput.text.contains("refused"))
                try await process.write("1\r")
                place = try await process.standardOutput.wait(for: "The server refused those answers. Try again.", after: place)
                try await process.standardOutput.wait(for: "Code: ", after: place)
                try await process.write("2\r")
            }
            #expect(result.exitStatus == 0, "\(result.output)")
        }
    }

    @Test("-v says which credential was accepted")
    func accepted() async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await box.commandLine(["-v"]).result()
        #expect(
            result.errorOutput.contains("the server accepted the key \(box.clientKeyFile) (SHA256:"),
            "\(result.errorOutput)")
    }
}
