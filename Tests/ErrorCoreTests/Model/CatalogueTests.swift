import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

/// Walks every case of AppError.
@Suite struct CatalogueTests {
    @Test("every case has a sample") func everyCaseHasASample() {
        #expect(AppError.samples.map(\.kind) == AppError.Kind.allCases)
    }

    @Test("every case has its own code and message") func codesAndMessagesAreTheCasesOwn() {
        #expect(Set(AppError.samples.map(\.errorCode)).count == AppError.samples.count)
        #expect(Set(AppError.samples.map(\.userMessage)).count == AppError.samples.count)
    }

    @Test("the catalogue is complete", arguments: AppError.samples) func isComplete(_ error: AppError) {
        #expect((1...4).contains(error.title.split(separator: " ").count))
        #expect(!["Error", "Failure", "Problem", ""].contains(error.title))
        let generic = ["an unexpected error", "something went wrong", "an error occurred"]
        #expect(!generic.contains { error.userMessage.lowercased().contains($0) })
        #expect(error.userMessage.hasSuffix(".") && error.userMessage.count > 20)
        #expect(!error.userMessage.contains { "{}[]|".contains($0) }, "\(error.userMessage)")
        #expect(error.recoverySuggestion?.hasSuffix(".") == true)
        #expect(!error.icon.isEmpty && error.icon.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "." })
        #expect(!error.recoveryOptions.isEmpty)
        #expect(Set(error.recoveryOptions).count == error.recoveryOptions.count)
        #expect(error.recoveryOptions.allSatisfy { $0.title != $0.id.rawValue && $0.action == nil })
    }

    @Test("codes are well-formed", arguments: AppError.samples) func codeIsWellFormed(_ error: AppError) throws {
        let form = try Regex("[a-z]+\\.[a-z]+(-[a-z]+)*")
        #expect(error.errorCode.wholeMatch(of: form) != nil, "\(error.errorCode)")
        #expect(error.metadata["error_type"] == error.kind.caseName)
    }

    @Test("localized description is the message", arguments: AppError.samples) func localizedDescriptionIsTheMessage(
        _ error: AppError
    ) {
        let plain: any Error = error
        #expect(plain.localizedDescription == error.userMessage)
        #expect("\(error)" == "\(error.errorCode): \(error.userMessage)")
    }

    @Test("errors that may be retried offer a retry", arguments: AppError.samples) func whatMayBeTriedAgainOffersIt(
        _ error: AppError
    ) {
        let again: Set<ErrorRecoveryOption> = [.retry, .reconnect, .waitForCompletion]
        if error.isRetryable { #expect(!again.isDisjoint(with: error.recoveryOptions)) }
        if error.retry == .never { #expect(!error.recoveryOptions.contains(.retry)) }
    }

    @Test("every value is in the text or known to be left out", arguments: AppError.samples)
    func everyValueIsInTheTextOrKnownToBeLeftOut(_ error: AppError) {
        let values = Mirror(reflecting: error).children.flatMap { child in
            Mirror(reflecting: child.value).displayStyle == .tuple
                ? Mirror(reflecting: child.value).children.map { "\($0.value)" } : ["\(child.value)"]
        }
        for value in values where Int64(value).map({ $0 < 1_000_000 }) ?? !value.hasPrefix("Optional") {
            #expect(error.userMessage.contains(value), "\(value) is not in: \(error.userMessage)")
        }
    }
}
