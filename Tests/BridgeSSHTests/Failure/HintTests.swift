import BridgeSSH
import ErrorCore
import Foundation
import Testing

@testable import SSHFailure

/// The texts of an error for callers of the library, and for translators.
@Suite struct HintTests {
    /// An option of bridge-ssh, or a subcommand, in a text.
    private static func commandLineWords(in text: String) -> String? {
        let words = text.split { " `(),;".contains($0) }
        return words.first { $0.hasPrefix("--") && $0.dropFirst(2).contains(where: \.isLetter) }.map(String.init)
            ?? ["in a terminal", "on a terminal, give", " -v ", "bridge-ssh "].first { text.contains($0) }
    }

    @Test("a hint names no option", arguments: ClassifierTable.everything) func aHintNamesNoOption(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        // A message about wrong usage names the given value.
        let message = error.code == .localUsage ? "" : error.message
        let said = [message, error.cause?.message ?? "", error.hint, error.recoverySuggestion ?? ""]
        for text in said + error.alternatives + error.remedies.map(\.text) {
            #expect(Self.commandLineWords(in: text) == nil, "\(error.code): \(text)")
        }
        #expect(!error.remedies.contains { $0.kind == .option } && error.remedy.isEmpty == error.hint.isEmpty)
    }

    @Test("a hint for a code without evidence names no option either", arguments: SSHError.Code.known)
    func ofACodeWithoutEvidenceToo(code: SSHError.Code) {
        #expect(Self.commandLineWords(in: SSHError(code).hint) == nil, "\(SSHError(code).hint)")
    }

    /// Keys that a program trusts or has read itself are in no file.
    @Test("a hint does not send people to a file for settings of a program") func whatIsInNoFileIsNotSoughtInOne() throws {
        for verdict in [
            SSHHostKeyVerdict.changed(presented: "SHA256:new", known: ClassifierTable.pins),
            .otherTypeKnown(ClassifierTable.pins),
        ] {
            let error = SSHFailureClassifier.classify(Seen.hostKey(verdict))
            #expect(error.hint.contains("trustedHostKeys") && error.message.contains("SHA256:old"))
            #expect(!(error.hint + error.message).contains("known_hosts") && !error.hint.contains("ssh-keygen"))
        }
        for reason in SSHKeyProblem.Reason.allCases {
            let problem = SSHKeyProblem(reason: reason, path: SSHKeyProblem.inMemory, detail: "Why.")
            let error = SSHFailureClassifier.classify(Seen.that(.keyUnusable(problem), at: .key))
            #expect(!error.hint.contains("in memory") && !error.hint.contains("`"), "\(error.hint)")
            let defect = KeyDefect(reason, "`ssh-keygen -p -f {file}`").problem(path: SSHKeyProblem.inMemory)
            #expect(defect.detail == "`ssh-keygen -p -f FILE`")
        }
        let subsystem = Seen.that(.requestRefused(.subsystem), at: .channel) {
            $0.command = SSHCommandEvidence(command: "netconf")
        }
        let missing = SSHFailureClassifier.classify(subsystem)
        #expect(missing.message.contains("netconf") && !(missing.message + missing.hint).contains("SFTP"))
        let family = SSHFailureClassifier.classify(
            Seen.that(.resolutionFailed(code: -9, name: .noAddressOfFamily, message: ""), at: .resolve))
        #expect(family.hint.contains("addressFamily"))
        let blank = SSHFileProblem(.noSuchFile, .local, operation: "look at", path: " ", systemError: ENOENT)
        let unseen = SSHFailureClassifier.classify(SSHEvidence(event: .fileFailed(blank), stage: .local))
        #expect(unseen.message.hasPrefix("Cannot look at “” here: "), "\(unseen.message)")
        let user = try #require(throws: SSHError.self) { try SSHEndpoint(parsing: "a;b@web1") }
        #expect(!user.message.contains("Host block") && user.message.contains("SSHEndpoint"), "\(user.message)")
    }

    /// As a program would store it.
    @Test("encoded it has no secret") func encodedItHasNoSecret() throws {
        var evidence = Seen.deadline(.connect, at: .connect)
        evidence.command = SSHCommandEvidence(command: "mysqldump --password=hunter2 db")
        evidence.notices = ["Authorization: Bearer hunter2"]
        var error = SSHFailureClassifier.classify(evidence)
        error.result = SSHCommandResult(command: "mysqldump --password=hunter2 db")
        let json = try #require(String(bytes: JSONEncoder().encode(error), encoding: .utf8))
        #expect(!json.contains("hunter2") && json.contains("mysqldump"))
        #expect(error.evidence.command?.command.contains("hunter2") == true)
        let decoded = try JSONDecoder().decode(SSHError.self, from: Data(json.utf8))
        #expect(decoded.code == error.code && decoded.message == error.message && decoded.evidence.host == error.evidence.host)
    }

    @Test("texts go through the app's ErrorText") func wordsGoThroughTheAppsText() {
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

    @Test("a message with template characters is shown unchanged") func aMessageWithTheSignsOfTemplatesIsShownAsItIs() {
        var evidence = Seen.deadline(.connect, at: .connect)
        evidence.host = "{host}[x]\\|"
        let error = SSHFailureClassifier.classify(evidence)
        #expect(error.userMessage == error.message)
    }
}

/// Errors made by a test.
@Suite struct MadeErrorTests {
    @Test("an error for tests behaves like a thrown one", arguments: SSHError.Code.known) func itAnswersAsOneThatWasThrown(
        code: SSHError.Code
    ) {
        for mayHaveRun in SSHError.CommandMayHaveRun.allCases {
            let error = SSHError(code, host: "web1", commandMayHaveRun: mayHaveRun)
            #expect(error.code == code && code ~= error && error.stage == code.stage)
            #expect(error.commandMayHaveRun == mayHaveRun && error.evidence.host == "web1")
            #expect(!error.message.isEmpty && !error.title.isEmpty && error.appError.kind == error.definition.appCase)
            #expect(error.isCancellation == (code == .localCancelled))
            #expect((error as any Error).isCancellation == error.isCancellation)
        }
    }

    @Test("a wait between attempts that is cancelled has the same type") func aWaitBetweenAttemptsThatIsCancelledHasTheSameType()
        async throws
    {
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
