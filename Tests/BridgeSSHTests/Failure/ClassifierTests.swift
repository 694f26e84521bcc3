import BridgeSSH
import ErrorCore
import Testing

@testable import SSHFailure

@Suite("Classifier")
struct ClassifierTests {
    @Test("evidence gives the code", arguments: ClassifierTable.everything)
    func evidenceGivesTheCode(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        #expect(error.code == row.code)
        #expect(error.confidence == row.confidence)
        #expect(error.evidence == row.evidence.inert)
    }

    @Test("every code of the catalogue is reached by a row of the table")
    func everyCodeIsReached() {
        let reached = Set(ClassifierTable.everything.map { SSHFailureClassifier.classify($0.evidence).code })
        let missing = SSHError.Code.known.filter { !reached.contains($0) }.map(\.rawValue)
        #expect(missing.isEmpty, "not reachable: \(missing)")
    }

    @Test("every rule gives a defined code, and has a source")
    func rulesAreComplete() {
        for rule in SSHFailureClassifier.allRules {
            #expect(rule.code.written != nil, "\(rule.code)")
            #expect(!rule.source.isEmpty, "\(rule.code)")
        }
    }

    @Test("messages are sentences in plain words", arguments: ClassifierTable.everything)
    func messagesAreSentences(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        for text in [error.message, error.hint] where !text.isEmpty {
            #expect(!text.contains("\n"), "\(text)")
            #expect(!text.contains("  "), "\(text)")
            #expect(!text.contains(".."), "\(text)")
            #expect(!text.contains("Optional("), "\(text)")
            #expect(!text.hasSuffix(" ") && !text.hasPrefix(" "), "\(text)")
            let begins = text.first?.isLowercase == false || ["web1", "alice@web1", "libssh2 "].contains { text.hasPrefix($0) }
            #expect(begins, "\(text)")
        }
        #expect(error.message.last.map { ".!?\"…".contains($0) } == true, "\(error.message)")
        #expect(error.message.count <= 700, "\(error.message)")
    }

    @Test("a rejected credential is never tried again automatically", arguments: ClassifierTable.everything)
    func rejectionsAreNotRetried(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        let code = error.code.rawValue
        if code.hasSuffix("-rejected") || code == "ssh.auth.too-many-attempts" || code == "ssh.auth.account-denied" {
            #expect(error.retry == .never)
        }
        if error.category == .trust { #expect(error.retry == .never || error.retry == .afterFix) }
        #expect(error.retry != .now)
        #expect(error.retryAfterSeconds == nil || error.retry == .backoff(minimumWait: .seconds(15)))
    }

    @Test("a message about an unstarted command may be the command's own: its status wins, and the message is a likely cause")
    func wordsAboutExec() {
        let error = SSHFailureClassifier.classify(Seen.exit(3, stdout: "exec is not supported on this storage driver\n"))
        #expect(error.code == .commandExitNonzero && error.exitStatus.rawValue == 3 && error.commandMayHaveRun == .yes)
        #expect(error.cause?.code == "remote.exec-denied" && error.cause?.confidence == .likely)
        #expect(error.remedy.contains("`--shell`") && error.hint.contains("runInShell"))
        let silent = SSHFailureClassifier.classify(Seen.exit(nil, stdout: "SSH command execution is not supported.\n"))
        #expect(silent.commandMayHaveRun == .unknown && silent.remedy.contains("`--shell`") && silent.exitStatus.rawValue == 198)
        let own = SSHFailureClassifier.classify(
            Seen.exit(1, "cat a", stderr: "cat: a: No such file or directory\n", stdout: "exec is not supported\n"))
        #expect(own.cause?.code == "remote.file-not-found")
    }

    @Test("exit statuses are those of the catalogue", arguments: ClassifierTable.everything)
    func exitStatuses(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        let status = error.exitStatus.rawValue
        let remote = row.evidence.command?.exitStatus.map { Int32($0) }
        // A status that is not the command's own is not passed on.
        let isForeign = error.code == .authLoginsClosed || row.evidence.command?.shell != nil
        if row.evidence.event == .commandEnded, let remote, error.stage != .session, !isForeign {
            #expect(status == remote)
        } else if row.evidence.command?.exitSignal != nil {
            #expect(status == 137)
        } else {
            #expect([1, 129, 130, 143, 193, 194, 195, 196, 197, 198, 199].contains(status), "\(error.code)")
            #expect(error.exitStatus(.ssh).rawValue == 255)
        }
        if error.code.rawValue.hasSuffix("timed-out") { #expect(status == 194) }
    }

    @Test("the AppError case is the catalogue's", arguments: ClassifierTable.everything)
    func appErrorCases(row: Row) {
        let error = SSHFailureClassifier.classify(row.evidence)
        let name = error.appError.caseName
        #expect(name == FailureCatalogue.definition(of: error.code).appCase.caseName)
    }
}
