import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

private enum StockError: Error, Equatable, ClassifiedError {
    case empty, busy
    var errorCode: String { "stock" }
    var retry: RetryAdvice { self == .busy ? .backoff() : .never }
}

@Suite struct TypedThrowsTests {
    private let clock = ManualClock(skipping: true)

    @Test("a typed error survives a retry") func surviveARetry() async {
        do throws(StockError) {
            _ = try await withRetry(.default, clock: clock) { (attempt: Int) throws(StockError) -> Int in
                throw attempt < 3 ? .busy : .empty
            }
        } catch {
            #expect(error == .empty, "the type is known: \(error)")
        }
    }

    @Test("a typed error survives a cancelled wait") func surviveACancelledWait() async {
        let clock = ManualClock()
        let policy = RetryPolicy(maxAttempts: 3, initialDelay: .seconds(1), maxDelay: .seconds(1), jitter: .none)
        let task = Task { () -> StockError? in
            do throws(StockError) {
                try await withRetry(policy, clock: clock) { (_: Int) throws(StockError) in throw .busy }
                return nil
            } catch {
                return error
            }
        }
        await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == .busy, "the last error, if a cancellation cannot be thrown")
    }

    @Test("a typed error survives a recovery") func surviveARecovery() async {
        struct Unrelated: Error {}
        let strategy = RecoverOnce<Int>(where: { $0 as? StockError == .busy }) { $0.request + 1 }
        let throwing = RecoverOnce<Int>(where: { _ in true }) { _ in throw Unrelated() }
        do throws(StockError) {
            let value = try await withRecovery(of: 1, by: strategy, clock: clock) { (request: Int) throws(StockError) -> Int in
                if request == 1 { throw .busy }
                return request
            }
            #expect(value == 2)
            _ = try await withRecovery(of: 1, by: throwing, clock: clock) { (_: Int) throws(StockError) -> Int in throw .empty }
        } catch {
            #expect(error == .empty)
        }
        await #expect(throws: Unrelated.self) {
            try await withRecovery(of: 1, by: throwing, clock: clock) { _ in throw StockError.empty }
        }
    }
}

/// The possible effect of a request before it failed.
@Suite struct RequestEffectTests {
    static let rows: [(error: any Error, repeatsPost: Bool)] = [
        (URLError(.timedOut), false), (URLError(.networkConnectionLost), false), (URLError(.cannotConnectToHost), true),
        (URLError(.notConnectedToInternet), true), (URLError(.dnsLookupFailed), true), (POSIXError(.ECONNREFUSED), true),
        (POSIXError(.ECONNRESET), false), (POSIXError(.ETIMEDOUT), false), (AppError.timeout(seconds: 3), false),
        (AppError.networkUnavailable, true), (AppError.apiRateLimited(retryAfter: 1), true),
        (AppError.serverError(status: 503, message: nil), true), (AppError.serverError(status: 500, message: nil), false),
        (AppError.serverError(status: 504, message: nil), false), (PipelineFailure(.timeout), false),
        (PipelineFailure(.noConnection), true), (PipelineFailure(transport: URLError(.networkConnectionLost)), false),
        (PipelineFailure(.serverError(.badGateway)), false), (PipelineFailure(.serverError(.serviceUnavailable)), true),
    ]

    @Test("a POST that may have taken effect is not repeated") func aPostThatMayHaveTakenEffectIsNotRepeated() {
        let policy = RetryPolicy.default
        for (error, repeatsPost) in Self.rows {
            #expect(policy.allowsRetry(after: error), "\(error)")
            #expect(policy.for(.get).allowsRetry(after: error) && policy.for(.put).allowsRetry(after: error))
            #expect(policy.for(.post).allowsRetry(after: error) == repeatsPost, "\(error)")
            #expect(policy.for(.patch).allowsRetry(after: error) == repeatsPost, "\(error)")
            #expect(policy.for(.post, isIdempotent: true).allowsRetry(after: error), "it has a key")
        }
        #expect(HTTPMethod("delete").isIdempotent && !HTTPMethod("MKCOL").isIdempotent)
    }

    @Test("a pipeline knows its method") func aPipelineKnowsItsMethod() async throws {
        let pipeline = ResponsePipeline(failingWith: PipelineFailure.self)
        for (method, expected) in [(HTTPMethod.post, 1), (.get, 3)] {
            var calls = 0
            do {
                _ = try await withRetry(.default, clock: ManualClock(skipping: true)) { _ in
                    calls += 1
                    return try await pipeline.response(method: method) { throw URLError(.timedOut) }
                }
                Issue.record("it succeeded")
            } catch let failure as PipelineFailure {
                #expect(failure.method == method && failure.mayHaveTakenEffect == (method == .post))
                #expect(failure.metadata["http_method"] == method.rawValue && failure.transportError is URLError)
            }
            #expect(calls == expected)
        }
    }
}
