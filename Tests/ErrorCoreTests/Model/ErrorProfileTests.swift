import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

/// A type's own values always count; missing values are empty, not taken from another error.
@Suite struct ErrorProfileTests {
    static let actions: RecoveryActions = [.retry: {}, .dismiss: {}, .cancel: {}]

    struct WordsOnly: UserFacingError {
        var title: String { "Sold Out" }
        var userMessage: String { "Someone bought the last one." }
        var recoveryOptions: [ErrorRecoveryOption] { [.retry, .cancel] }
    }

    @Test("an error with only texts") func wordsAlone() {
        let profile = ErrorProfile(WordsOnly())
        #expect(profile.title == "Sold Out" && profile.message == "Someone bought the last one.")
        #expect(profile.suggestion == nil, "it has none")
        #expect(profile.options == [.retry, .cancel] && profile.retry == .afterFix && !profile.isRetryable)
        #expect(profile.code == "general.unknown" && profile.category == .internal)
        #expect(ErrorPresentation(WordsOnly(), actions: Self.actions).options == [.retry, .cancel])
    }

    @Test("texts with an own action and suggestion") func wordsWithOwnActionAndSuggestion() {
        struct Bound: UserFacingError {
            var title: String { "Bound" }
            var userMessage: String { "It is bound." }
            var recoverySuggestion: String? { "Do it again." }
            var recoveryOptions: [ErrorRecoveryOption] { [.retry.bound {}] }
        }
        let shown = ErrorPresentation(Bound())
        #expect(shown.options == [.retry] && shown.suggestion == "Do it again." && shown.icon == "xmark.circle")
    }

    struct CodeAndDescription: ClassifiedError {
        var errorCode: String { "payment.declined" }
        var errorDescription: String? { "The bank declined the card." }
        var category: ErrorCategory { "gift-card" }
    }

    @Test("a code with a description") func aCodeWithADescription() {
        let profile = ErrorProfile(CodeAndDescription())
        #expect(profile.message == "The bank declined the card." && profile.suggestion == nil)
        #expect(profile.title == "Gift Card Problem" && profile.code == "payment.declined" && profile.category == "gift-card")
        #expect(profile.options == [.dismiss] && profile.retry == .never)
    }

    @Test("a code over a known error") func aCodeOverAKnownError() {
        struct Upload: ClassifiedError {
            var errorCode: String { "upload.failed" }
            var errorDescription: String? { "The upload failed." }
            var underlyingError: (any Error)? { URLError(.timedOut) }
        }
        let profile = ErrorProfile(Upload())
        #expect(profile.message == "The upload failed." && profile.suggestion == nil && profile.retry == .never)
        #expect(profile.appError.kind == .timeout, "its later state does not matter")
    }

    @Test("a localized error") func aLocalizedError() {
        struct Foreign: LocalizedError {
            var errorDescription: String? { "It is foreign." }
            var recoverySuggestion: String? { "Translate it." }
        }
        #expect(ErrorProfile(Foreign()).message == "It is foreign." && ErrorProfile(Foreign()).suggestion == "Translate it.")
    }

    @Test("a mapping supplies another library's error") func aMappingSpeaksForAnotherLibrarysError() {
        struct Purchase: LocalizedError { var errorDescription: String? { "SKErr 2" } }
        let profile = ErrorMapper.scoped(to: [ErrorMapper(for: Purchase.self) { _ in .networkUnavailable }]) {
            ErrorProfile(Purchase())
        }
        #expect(profile.title == "No Connection" && profile.message == AppError.networkUnavailable.userMessage)
    }

    @Test("own texts override those of the AppError") func wordsOverAnAppError() {
        struct Both: UserFacingError, AppErrorConvertible {
            var title: String { "Own" }
            var userMessage: String { "Own words." }
            var recoveryOptions: [ErrorRecoveryOption] { [.retry.bound {}] }
            var appError: AppError { .internalError(detail: "x") }
        }
        struct Described: LocalizedError, AppErrorConvertible {
            var errorDescription: String? { "Own words." }
            var appError: AppError { .networkUnavailable }
        }
        #expect(ErrorProfile(Both()).code == "general.internal" && ErrorProfile(Both()).suggestion == nil)
        #expect(ErrorPresentation(Both()).options == [.retry])
        #expect(ErrorProfile(Described()).message == "Own words." && ErrorProfile(Described()).title == "No Connection")
        #expect(ErrorProfile(Described()).suggestion == AppError.networkUnavailable.recoverySuggestion)
    }

    @Test("known errors have their case's texts") func knownErrorsSpeakAsTheirCase() {
        let profile = ErrorProfile(URLError(.notConnectedToInternet))
        #expect(profile.title == "No Connection" && profile.suggestion != nil && profile.options == [.openSettings, .retry])
        #expect(profile.retry == .backoff())
    }

    struct Both: UserFacingError, ClassifiedError {
        var title: String { "Both" }
        var userMessage: String { "Both." }
        var errorCode: String { "test.both" }
        var recoveryOptions: [ErrorRecoveryOption] { [.retry, .dismiss] }
    }

    @Test("both protocols without retry keep the button") func bothProtocolsWithoutRetryKeepTheButton() {
        #expect(Both().retry == .afterFix && !Both().isRetryable)
        #expect(ErrorPresentation(Both(), actions: Self.actions).options == [.retry, .dismiss])
    }

    struct Retryable: ClassifiedError {
        var errorCode: String { "test.retryable" }
        var isRetryable: Bool { true }
    }
    struct NotRetryable: ClassifiedError {
        var errorCode: String { "test.not" }
        var isRetryable: Bool { false }
    }
    /// Each of its answers asks for another.
    struct Circular: UserFacingError, ClassifiedError {
        var title: String { "Circular" }
        var userMessage: String { "It asks itself." }
        var errorCode: String { "test.circular" }
        var isRetryable: Bool { retry.allowsRetry }
        var recoveryOptions: [ErrorRecoveryOption] { isRetryable ? [.retry] : [.dismiss] }
    }

    @Test("a declared isRetryable counts") func aDeclaredIsRetryableCounts() async {
        #expect(Retryable().retry == .backoff() && ErrorProfile(Retryable()).isRetryable)
        #expect((Retryable() as any ClassifiedError).retry == .backoff())
        #expect(RetryAdvice.of(Retryable()) == .backoff() && RetryPolicy.default.allowsRetry(after: Retryable()))
        #expect(ErrorProfile(Retryable()).options == [.retry, .dismiss])
        #expect(NotRetryable().retry == .never && !RetryPolicy.default.allowsRetry(after: NotRetryable()))
        #expect(Circular().retry == .never && !Circular().isRetryable && Circular().recoveryOptions == [.dismiss])
        var calls = 0
        _ = try? await withRetry(.default, clock: ManualClock(skipping: true)) { _ in
            calls += 1
            throw Retryable()
        }
        #expect(calls == 3)
    }

    @Test("a cancellation of any type is never shown") func aCancellationOfAnyTypeIsNeverShown() async {
        struct Stopped: ClassifiedError {
            var errorCode: String { "test.stopped" }
            var category: ErrorCategory { .cancelled }
        }
        struct StoppedInWords: UserFacingError, ClassifiedError {
            var title: String { "Stopped" }
            var userMessage: String { "It was stopped." }
            var errorCode: String { "test.stopped" }
            var category: ErrorCategory { .cancelled }
        }
        struct DraftLost: ClassifiedError {
            var errorCode: String { "draft.lost" }
            var category: ErrorCategory { .file }
            var underlyingError: (any Error)? { CancellationError() }
        }
        let handler = RecordingHandler().handler
        for error in [Stopped(), StoppedInWords(), CancellationError(), URLError(.cancelled)] as [any Error] {
            await handler.handle(error)
            #expect(await handler.current == nil, "\(error)")
        }
        await handler.handle(DraftLost())
        #expect(await handler.current?.code == "draft.lost", "it names its subject")
    }

    @Test("categories") func categories() {
        #expect(ErrorCategory.allCases.count == 15 && Set(ErrorCategory.allCases).count == 15)
        #expect(ErrorCategory.allCases.allSatisfy { !$0.title.isEmpty && !$0.icon.isEmpty })
        #expect(ErrorCategory("payment").title == "Payment Problem" && ErrorCategory("payment").tint == .gray)
        #expect(Set(ErrorCategory.allCases.map(\.tint)).count > 5)
        #expect(ErrorCategory.authentication.tint == .red && ErrorCategory.persistence.tint == .purple)
        #expect(ErrorSeverity.allCases.map(\.tint) == [.blue, .yellow, .red, .red])
        let text = ErrorText([.title("category.network"): "Netzproblem"])
        ErrorText.scoped(to: text) { #expect(ErrorCategory.network.title == "Netzproblem") }
    }
}
