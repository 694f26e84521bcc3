import Foundation
import SSHTestSupport
import Testing

/// Options whose value is the name of a file, a directory or a socket. A script's unset variable makes it empty.
@Suite("Options that name a file") struct FileNameOptionTests {
    private static let subcommands = [
        ["run"], ["copy"], ["trust"], ["doctor"], ["config"], ["check"], ["fleet", "run"], ["fleet", "script"],
        ["fleet", "copy"], ["fleet", "check"], ["fleet", "trust"], ["fleet", "hosts"], ["fleet", "list"], ["fleet", "plan"],
        ["fleet", "merge"], ["fleet", "report"], ["fleet", "resume"],
    ]

    private func run(_ words: [String]) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), words,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
    }

    /// Several subcommands have an option from the same group, with the same help. It is tried with one of them, or with all in a
    /// thorough run.
    @Test("an empty file name is refused before anything is done") func empty() async throws {
        var tried: Set<String> = []
        for subcommand in Self.subcommands {
            let help = try await run(subcommand + ["--help"]).output
            let options = help.matches(of: /(--[a-z-]+) <(?:file|directory|socket)[^>]*>\s+([^\n]*)/).map(\.output)
            #expect(!options.isEmpty, "\(help)")
            for (line, option, _) in options where tried.insert("\(line)").inserted || TestExtent.ofThisRun == .all {
                let result = try await run(subcommand + ["\(option)", "", "127.0.0.1", "true"])
                #expect(result.exitStatus == 199 && result.words.contains("name is empty"), "\(subcommand) \(option): \(result)")
                #expect(result.words.contains(option), "\(subcommand) \(option): \(result)")
            }
        }
    }
}
