import BridgeSSH
import ErrorCore
import Foundation
import Testing

/// An SSHError in the error core, as any app sees it.
@Suite("SSHError in the error core")
struct ErrorCoreConformanceTests {
    @Test("every verdict has its own code, advice and texts", arguments: ClassifierTable.everything.map(\.evidence))
    func answers(evidence: SSHEvidence) {
        let error = SSHFailureClassifier.classify(evidence)
        let summary = ErrorProfile(error)
        #expect(summary.code == error.code.rawValue)
        #expect(summary.title == FailureCatalogue.definition(of: error.code).title)
        #expect(summary.message == error.message)
        #expect(summary.suggestion == (error.hint.isEmpty ? nil : error.hint))
        #expect(summary.severity == FailureCatalogue.definition(of: error.code).severity)
        #expect(summary.category == FailureCatalogue.definition(of: error.code).category)
        #expect(summary.appError == error.appError)
        #expect(AppError(error) == error.appError)
        #expect((error as any Error).localizedDescription == error.message)
        if let cause = error.cause { #expect(summary.chain.last as? AppError == cause.appError) }
        // Trying again never helps with a host key.
        if error.category == .trust { #expect(!summary.options.contains(.retry)) }
        #expect(summary.options.contains(.retry) || !error.retry.allowsRetry)
    }

    @Test("JSON keeps the values of the schema")
    func words() {
        let categories = Set(SSHError.Code.known.map { FailureCatalogue.definition(of: $0).category.rawValue })
        #expect(
            categories == [
                "network", "authentication", "trust", "protocol", "server", "command", "file", "validation", "cancelled",
                "internal",
            ])
        let advice = Set(SSHError.Code.known.map { FailureCatalogue.definition(of: $0).retry.name })
        #expect(advice == ["backoff", "after-fix", "never"])
    }

    @Test("metadata has facts and no secret")
    func metadata() {
        let command = "deploy --password=hunter2 --target production --with-a-long-tail-of-options"
        let error = SSHFailureClassifier.classify(Seen.exit(3, command))
        let record = ErrorOccurrence(error, context: ErrorContext()).record
        #expect(record.metadata["ssh_host"] == "web1")
        #expect(record.metadata["exit_code"] == "3")
        #expect(record.metadata["ssh_stage"] == "command")
        #expect(record.metadata["command_may_have_run"] == "yes")
        let logged = record.metadata["ssh_command"] ?? ""
        #expect(logged.hasPrefix("deploy --password="))
        #expect(logged.count <= Redactor.commandLimit)
        #expect(!"\(record)".contains("hunter2"))
    }

    @Test("an error survives encoding", arguments: ClassifierTable.everything.map(\.evidence))
    func coding(evidence: SSHEvidence) throws {
        let error = SSHFailureClassifier.classify(evidence)
        #expect(try JSONDecoder().decode(SSHError.self, from: JSONEncoder().encode(error)) == error)
    }
}
