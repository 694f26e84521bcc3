import BridgeSSH
import ErrorCore
import Testing

@testable import SSHFailure

/// The words of an error for those who call the library, and for those who translate them.
@Suite struct SurfaceTests {
    /// The options of programs that a remedy may name, which are none of bridge-ssh's.
    private static func optionOfOurs(in text: String) -> String? {
        text.split { " `(),;".contains($0) }.first { $0.hasPrefix("--") && $0.dropFirst(2).contains(where: \.isLetter) }.map(
            String.init)
    }

    @Test(arguments: ClassifierTable.everything) func aRemedyForTheLibraryNamesNoOption(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        guard row.evidence.subcommand == nil else { return }
        for text in [error.hint, error.recoverySuggestion ?? ""] + error.alternatives {
            #expect(Self.optionOfOurs(in: text) == nil, "\(error.code): \(text)")
            #expect(!text.contains("in a terminal") && !text.contains(" -v ") && !text.contains("bridge-ssh "), "\(text)")
        }
        // What the command line says is the rule's own text.
        #expect(Surface.commandLine.wording(of: error.remedy) == error.remedy)
        #expect(error.remedy.isEmpty == error.hint.isEmpty)
    }

    @Test func phrasesAreReplaced() {
        let cases = [
            "Give a key (`--identity FILE`) or load one into an agent (`ssh-add`).":
                "Give a key (`SSHCredentials.identities`) or load one into an agent (`ssh-add`).",
            "Then add it: `bridge-ssh trust web1`": "Then add it with SSHKnownHostsWriter.",
            "See `bridge-ssh copy --help`.": "See the documentation of what was called.",
            "Then add it: `bridge-ssh trust web1": "Then add it: `bridge-ssh trust web1", "": "",
        ]
        for (commandLine, library) in cases { #expect(Surface.library.wording(of: commandLine) == library) }
    }

    @Test func phrasesForTheLibraryNameTypesThatExist() {
        let types: [Any.Type] = [
            SSHClient.self, (any SSHInteraction).self, SSHCommandOptions.self, SSHCredentials.self, SSHKnownHostsWriter.self,
            SSHTimeouts.self, SFTPCopyOptions.self,
        ]
        let names = Set(types.map { "\($0)".replacing("any ", with: "") })
        for phrase in Surface.phrases {
            for word in phrase.library.split(whereSeparator: { " ,;".contains($0) }) where word.first?.isUppercase == true {
                let name = word.split(separator: ".")[0]
                guard word.dropLast().contains(".") || name.hasPrefix("SSH") || name.hasPrefix("SFTP") else { continue }
                #expect(names.contains(String(name)), "\(phrase.library)")
            }
        }
    }

    @Test func wordsGoThroughTheAppsText() {
        let error = SSHFailureClassifier.classify(Seen.deadline(.connect, at: .connect))
        #expect(error.title == error.definition.title && error.userMessage == error.message)
        let german = ErrorText([
            .title(error.code.rawValue): "Keine Antwort", .message(error.code.rawValue): "{host} antwortet nicht ({message}).",
            .suggestion(error.code.rawValue): "Später noch einmal.",
        ])
        ErrorText.scoped(to: german) {
            #expect(error.title == "Keine Antwort" && error.recoverySuggestion == "Später noch einmal.")
            #expect(error.userMessage == "\(error.evidence.host) antwortet nicht (\(error.message)).")
            #expect(ErrorPresentation(error).title == "Keine Antwort")
        }
    }

    @Test func aMessageWithTheSignsOfTemplatesIsShownAsItIs() {
        var evidence = Seen.deadline(.connect, at: .connect)
        evidence.host = "{host}[x]\\|"
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.userMessage == error.message)
    }
}

/// Errors that a test makes.
@Suite struct MadeErrorTests {
    @Test(arguments: SSHError.Code.known) func itAnswersAsOneThatWasThrown(code: SSHError.Code) {
        for mayHaveRun in SSHError.CommandMayHaveRun.allCases {
            let error = SSHError(code, host: "web1", commandMayHaveRun: mayHaveRun)
            #expect(error.code == code && code ~= error && error.stage == code.stage)
            #expect(error.commandMayHaveRun == mayHaveRun && error.evidence.host == "web1")
            #expect(!error.message.isEmpty && !error.title.isEmpty && error.appError.kind == error.definition.appCase)
            #expect(error.isCancellation == (code == .localCancelled))
            #expect((error as any Error).isCancellation == error.isCancellation)
        }
    }

    @Test func aWaitBetweenAttemptsThatIsCancelledHasTheSameType() async throws {
        let failure = SSHError(.connectRefused, host: "web1")
        let (waiting, waits) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await withRetry(
                RetryPolicy(maxAttempts: 3, initialDelay: .seconds(3600), maxDelay: .seconds(3600), jitter: .none),
                observer: { _ in waits.finish() }
            ) { _ in throw failure }
        }
        for await _ in waiting {}
        task.cancel()
        let error = await #expect(throws: SSHError.self) { try await task.value }
        #expect(error?.code == .localCancelled && error?.isCancellation == true && error?.commandMayHaveRun == .no)
    }
}
