import Foundation
import SSHTestSupport
import Testing

/// Untrusted names, given to every command, with a configuration that hands names to a shell.
@Suite("Hostile names run no command")
struct HostileNameTests {
    /// Creates one file if a shell receives the name, and another if the shell executes it.
    private static func configuration(_ directory: ScratchDirectory) -> String {
        """
        Match exec "touch \(directory.path("matched")); echo %r %n %h"
          Port 1
        Host *
          ProxyCommand touch \(directory.path("proxied")); echo %r %n %h

        """
    }

    private func call(_ words: [String]) async throws -> (result: ProcessResult, marks: [String]) {
        try await ScratchDirectory.with { directory in
            let file = try directory.write(Self.configuration(directory), to: "config")
            let option = words[0] == "persist" ? [] : ["-F", file]
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), [words[0]] + option + words.dropFirst(),
                environment: .exactly([
                    "PATH": "/usr/bin:/bin", "HOME": directory.url.path, "XDG_RUNTIME_DIR": directory.url.path, "LANG": "C.UTF-8",
                ]), directory: directory.url.path)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
            return (result, names.filter { $0 != "config" })
        }
    }

    private static let bad = "x;touch owned"

    private static let calls: [[String]] = [
        ["run", "\(bad)@web1", "true"], ["run", "-l", bad, "web1", "true"], ["run", "--user", bad, "web1", "true"],
        ["run", "-o", "User=\"\(bad)\"", "web1", "true"], ["run", "ssh://x%3Btouch%20owned@web1", "true"],
        ["run", "-J", "x;touch@gate", "web1", "true"], ["run", "-J", "gate,$(id)@gate", "web1", "true"],
        ["run", "--persist", "1m", "\(bad)@web1", "true"], ["run", "--user=-oProxyCommand=x", "web1", "true"],
        ["run", "x\\@web1", "true"], ["run", "$(touch owned)@web1", "true"], ["run", "x\ny@web1", "true"],
        ["run", "web1;id", "true"], ["run", "u@`id`", "true"], ["run", "-o", "HostName=\"a;touch owned\"", "web1", "true"],
        ["copy", "config", "\(bad)@web1:"], ["copy", "-l", bad, "config", "web1:"], ["copy", "scp://x%3Bid@web1/x", "."],
        ["copy", "-J", "x;id@gate", "config", "web1:"],
        ["config", "\(bad)@web1"], ["config", "-l", bad, "web1"], ["config", "-J", "x;id@gate", "web1"],
        ["doctor", "\(bad)@web1"], ["doctor", "-l", bad, "web1"], ["doctor", "-J", "x;id@gate", "web1"],
        ["trust", "\(bad)@web1"], ["trust", "-J", "x;id@gate", "web1"], ["trust", "--remove", "\(bad)@web1"],
    ]

    @Test("no shell receives the name, and the refusal shows it", arguments: calls) func refused(words: [String]) async throws {
        let (result, marks) = try await call(words)
        #expect(marks.isEmpty)
        #expect(result.exitStatus == 199 || result.exitStatus == 193, "\(result.termination)")
        let said = result.errorOutput
        let names = ["x;", "x%3B", "x\\", "x y@web1", "$(", "-oProxy", "web1;id", "`id`", "a;touch", "gate,"]
        #expect(names.contains(where: said.contains), "\(said)")
        #expect(!said.contains("x\ny"))
    }

    @Test("a harmless name reaches both commands, so the test can fail") func honest() async throws {
        let (result, marks) = try await call(["run", "--batch", "deploy@web1", "true"])
        #expect(marks.sorted() == ["matched", "proxied"] && result.exitStatus != 0)
    }
}
