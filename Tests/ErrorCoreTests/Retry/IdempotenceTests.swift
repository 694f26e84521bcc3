import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

/// An order that may have been taken although no answer came.
private struct OrderUnanswered: ClassifiedError {
    var errorCode: String { "order.unanswered" }
    var retry: RetryAdvice { .backoff() }
    var mayHaveTakenEffect: Bool { true }
}

@Suite struct IdempotenceTests {
    private func attempts(_ policy: RetryPolicy) async -> Int {
        var calls = 0
        _ = try? await withRetry(policy, clock: ManualClock(skipping: true)) { _ in
            calls += 1
            throw OrderUnanswered()
        }
        return calls
    }

    @Test("an operation that may have taken effect is not repeated") func whatMayHaveHappenedIsNotDoneTwice() async {
        #expect(await attempts(.default) == 1)
        #expect(!OrderUnanswered().isRetryable)
    }

    @Test("an idempotent operation is repeated") func unlessItDoesNoHarm() async {
        var policy = RetryPolicy.default
        policy.isIdempotent = true
        #expect(await attempts(policy) == 3)
    }

    @Test("an app's own choice of errors does not change that") func anAppsOwnChoiceOfErrorsDoesNotChangeThat() async {
        var policy = RetryPolicy.default
        policy.shouldRetry = { _ in true }
        #expect(await attempts(policy) == 1)
    }

    @Test("strategies follow the same rule") func strategiesKeepToItToo() async {
        for (isIdempotent, expected) in [(false, 1), (true, 3)] {
            var policy = RetryPolicy.default
            policy.isIdempotent = isIdempotent
            var calls = 0
            _ = try? await withRecovery(of: 1, by: RecoverByWaiting(policy), clock: ManualClock(skipping: true)) { _ in
                calls += 1
                throw OrderUnanswered()
            }
            #expect(calls == expected)
        }
    }

    @Test("advice is encoded", arguments: [RetryAdvice.now, .backoff(), .backoff(minimumWait: .seconds(15)), .afterFix, .never])
    func adviceIsEncoded(_ advice: RetryAdvice) throws {
        #expect(try JSONDecoder().decode(RetryAdvice.self, from: JSONEncoder().encode(advice)) == advice)
    }

    @Test("unknown advice is not decoded") func anUnknownAdviceIsNotDecoded() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RetryAdvice.self, from: Data(#"{"advice":"perhaps"}"#.utf8))
        }
    }
}
