import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

// The program of docs/guides/library.md, word for word; the test below compares.
// BEGIN GUIDE
func deploy(home: String) async throws {
    do {
        try await SSHClient.withConnection(to: "deploy@web1", configuration: .standard(home: home)) { connection in
            let result = try await connection.run("uptime")
            print(result.termination, result.standardOutputText)
            try await connection.run("make deploy", check: true)
            try await connection.execute("journalctl -n 100") { execution in
                for try await line in execution.standardOutput.lines { print(line) }
            }.checked()
        }
    } catch SSHError.hostKeyChanged {
        print("Another machine may be answering.")
    } catch let error as SSHError {
        print(error.code, error.message, error.hint, error.retry, error.commandMayHaveRun)
    }
}
// END GUIDE

@Suite struct LibraryGuideTests {
    @Test("the program in the guide is this one") func theProgramInTheGuideIsThisOne() throws {
        let here = URL(fileURLWithPath: #filePath)
        let guide = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/guides/library.md")
        let source = try String(contentsOf: here, encoding: .utf8)
        let program = try #require(
            source.components(separatedBy: "// BEGIN GUIDE\n").last?.components(separatedBy: "// END GUIDE").first)
        #expect(program.contains("withConnection"))
        #expect(try String(contentsOf: guide, encoding: .utf8).contains("import BridgeSSH\n\n" + program + "```"))
    }

    @Test("every other program in the guide is compiled") func everyOtherProgramInTheGuideIsCompiled() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let guide = here.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/guides/library.md")
        let compiled = try ["GuideSnippets", "FleetSnippets"].map {
            try String(contentsOf: here.appendingPathComponent("Library/\($0).swift"), encoding: .utf8)
        }.joined()
        let programs = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst(2).map {
            $0.components(separatedBy: "```")[0].split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix("import ") }.joined(separator: "\n").trimmingCharacters(in: .newlines)
        }
        #expect(programs.count >= 7)
        for program in programs where program.hasPrefix("func ") { #expect(compiled.contains(program + "\n"), "\(program)") }
    }

    /// Its host does not exist here; it reports that without throwing.
    @Test("the program in the guide runs") func theProgramInTheGuideRuns() async throws {
        try await deploy(home: "/nonexistent")
    }
}
