import ErrorCore
import Foundation
import Testing

@Suite struct FeatureErrorTests {
    @Test("defaults are suitable") func defaultsSuit() {
        struct Bare: UserFacingError {
            var title: String { "Bare" }
            var userMessage: String { "Nothing else was said." }
        }
        let error = Bare()
        #expect(error.severity == .error && error.icon == "xmark.circle" && error.recoveryOptions == [.dismiss])
        #expect(error.localizedDescription == "Nothing else was said.")
        #expect("\(error)" == "Bare: Nothing else was said.")
    }

    @Test("a code alone is enough to be classified") func aCodeAloneIsEnoughToBeClassified() {
        struct Coded: ClassifiedError { var errorCode: String { "shop.closed" } }
        #expect(Coded().category == .internal && Coded().retry == .never && !Coded().isRetryable)
        #expect(Coded().localizedDescription == "shop.closed")
    }

    @Test("a feature carries wait and cause") func aFeatureCarriesWaitAndCause() {
        #expect(ShopError.tooManyOrders(wait: .seconds(40)).retry.minimumWait == .seconds(40))
        #expect(ShopError.tooManyOrders(wait: .seconds(40)).isRetryable)
        #expect(ShopError.paymentRefused(underlying: AppError.sslError(description: "")).underlyingError is AppError)
        #expect(SignInError.locked(minutes: 2).retry.minimumWait == .seconds(120))
        let plain: any Error = SignInError.wrongPassword
        #expect(plain.localizedDescription == "The user name or the password is wrong.")
    }

    @Test("options are equal by identity") func optionsAreEqualByIdentity() {
        var renamed = ErrorRecoveryOption.retry
        renamed.title = "Once More"
        #expect(renamed == .retry)
        #expect(ErrorRecoveryOption.retry.bound {} == .retry)
        #expect(ErrorRecoveryOption.retry != .reconnect)
        #expect(Set([ErrorRecoveryOption.retry, renamed]).count == 1)
    }

    @Test("only bound options remain") func onlyBoundOptionsRemain() async throws {
        let actions: RecoveryActions = [.retry: { throw SignInError.wrongPassword }, .browse: {}]
        let bound = actions.bind([.checkSettings, .retry, .cancel.bound {}, .retry])
        #expect(bound.map(\.id) == [.retry, .cancel])
        await #expect(throws: SignInError.self) { try await bound[0].action?() }
    }

    @Test("metadata is bounded") func metadataIsBounded() {
        var metadata = ErrorMetadata()
        for number in 0..<100 { metadata["key\(number)"] = String(repeating: "é", count: 1000) }
        #expect(metadata.entries.count == ErrorMetadata.limit)
        #expect(metadata.entries.values.allSatisfy { $0.count == ErrorMetadata.valueLimit && $0.hasSuffix("…") })
        metadata["key0"] = "short"
        #expect(metadata["key0"] == "short", "a full one still takes a new value for an old key")
    }

    @Test("names of retry advice") func adviceNames() {
        #expect([RetryAdvice.now, .backoff(), .afterFix, .never].map(\.name) == ["now", "backoff", "after-fix", "never"])
        #expect([RetryAdvice.now, .backoff(), .afterFix, .never].map(\.allowsRetry) == [true, true, false, false])
    }
}
