import Foundation
import SSHTestSupport
import Testing

/// Options whose value is the name of a file, a directory or a socket. A script's unset variable makes it empty.
@Suite("Options that name a file") struct FileNameOptionTests {
    private static let subcommands: [[String]] = {
        let some = [["run"], ["trust"], ["fleet", "run"]]
        guard TestExtent.ofThisRun == .all else { return some }
        return some + [
            ["copy"], ["doctor"], ["config"], ["check"], ["fleet", "script"], ["fleet", "copy"], ["fleet", "check"],
            ["fleet", "trust"], ["fleet", "hosts"], ["fleet", "list"], ["fleet", "plan"], ["fleet", "merge"],
        ]
    }()

    private func run(_ words: [String]) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), words,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
    }

    @Test("an empty file name is refused before anything is done", arguments: subcommands)
    func empty(subcommand: [String]) async throws {
        let help = try await run(subcommand + ["--help"]).output
        let options = help.matches(of: /(--[a-z-]+) <(?:file|directory|socket)/).map { String($0.output.1) }
        #expect(!options.isEmpty, "\(help)")
        for option in Set(options).sorted() {
            let result = try await run(subcommand + [option, "", "127.0.0.1", "true"])
            #expect(result.exitStatus == 199 && result.words.contains("name is empty"), "\(option): \(result)")
            #expect(result.words.contains(option), "\(option): \(result)")
        }
    }
}
