import ErrorCore
import Foundation
import Synchronization

// Design 2: a base protocol with codes, retryability and analytics, a handler service, retry with backoff.

private enum CheckoutError: UserFacingError, ClassifiedError {
    case cardDeclined
    case bankBusy
    case network(URLError)

    var title: String { "Payment Failed" }
    var userMessage: String {
        switch self {
        case .cardDeclined: "Your bank declined the card."
        case .bankBusy: "Your bank is busy."
        case .network: "The bank could not be reached."
        }
    }
    var errorCode: String {
        switch self {
        case .cardDeclined: "checkout.card-declined"
        case .bankBusy: "checkout.bank-busy"
        case .network: "checkout.network"
        }
    }
    var category: ErrorCategory { "payment" }
    var isRetryable: Bool { if case .cardDeclined = self { false } else { true } }
    var underlyingError: (any Error)? { if case .network(let error) = self { error } else { nil } }
    var metadata: ErrorMetadata { ["shop": "north"] }
}

/// A type that had only an error code and a description in the design.
private struct LegacyError: ClassifiedError {
    var errorCode: String { "legacy.failed" }
    var errorDescription: String? { "The old part failed." }
}

/// A type that had only texts.
private struct FormError: UserFacingError {
    var title: String { "Check the Form" }
    var userMessage: String { "The name is too long." }
    var recoveryOptions: [ErrorRecoveryOption] { [.retry.bound {}] }
}

private actor Analytics: ErrorReporter {
    var codes: [String] = []
    var errors: [any Error] = []
    func report(_ record: ErrorRecord) { codes.append(record.code) }
    func report(_ record: ErrorRecord, of error: any Error) {
        errors.append(error)
        report(record)
    }
}

func portBaseProtocol() async -> Checks {
    var checks = Checks("base protocol")
    let busy = CheckoutError.bankBusy
    checks.check(busy.isRetryable && busy.retry == .backoff(), "isRetryable decides")
    checks.check(!CheckoutError.cardDeclined.isRetryable && CheckoutError.cardDeclined.retry == .never, "and forbids")
    checks.equal(ErrorProfile(busy).message, "Your bank is busy.", "its words")
    checks.equal(ErrorProfile(busy).category, "payment", "its category")
    checks.equal(ErrorProfile(busy).suggestion, nil, "no one else's suggestion")
    checks.equal(
        ErrorProfile(CheckoutError.network(URLError(.timedOut))).message, "The bank could not be reached.", "over a cause")
    checks.equal(ErrorProfile(CheckoutError.network(URLError(.timedOut))).chain.count, 2, "its chain")
    checks.equal(ErrorProfile(LegacyError()).message, "The old part failed.", "a description is the message")
    checks.equal(ErrorProfile(LegacyError()).code, "legacy.failed", "a code")
    checks.equal(ErrorPresentation(FormError()).options, [.retry], "a bound Retry stays")
    checks.equal(ErrorProfile(FormError()).suggestion, nil, "no suggestion")
    checks.check(ErrorProfile(FormError()).metadata["error_type"] == "FormError", "its type in the log")

    let analytics = Analytics()
    let handler = ErrorHandler(reporters: [analytics])
    let occurrence = await handler.handle(busy, context: ErrorContext(action: "pay", values: ["shop": "south"]))
    checks.equal(await analytics.codes, ["checkout.bank-busy"], "analytics")
    checks.check(await analytics.errors.first is CheckoutError, "the error itself")
    checks.equal(occurrence.record.metadata["shop"], "north", "the error's value")
    checks.equal(occurrence.record.metadata["context_shop"], "south", "the context's, too")
    checks.check(handler.log(busy).profile.code == "checkout.bank-busy", "a synchronous log")
    await retrying(&checks)
    return checks
}

private func retrying(_ checks: inout Checks) async {
    let presets: [(RetryPolicy, Int, Duration, Duration, Double, RetryPolicy.Jitter)] = [
        (.default, 3, .seconds(1), .seconds(30), 2, .full), (.aggressive, 5, .milliseconds(500), .seconds(60), 2, .full),
        (.conservative, 2, .seconds(2), .seconds(10), 1.5, .none),
    ]
    for (policy, attempts, first, cap, multiplier, jitter) in presets {
        checks.equal(policy.maxAttempts, attempts, "attempts")
        checks.equal(policy.initialDelay, first, "the first delay")
        checks.equal(policy.maxDelay, cap, "the cap")
        checks.equal(policy.multiplier, multiplier, "the multiplier")
        checks.equal(policy.jitter, jitter, "the jitter")
    }
    let quick = RetryPolicy(maxAttempts: 3, initialDelay: .milliseconds(1), maxDelay: .milliseconds(2))
    let failures: [(any Error, Int)] = [
        (CheckoutError.bankBusy, 3), (CheckoutError.cardDeclined, 1), (URLError(.timedOut), 3), (AppError.apiUnauthorized, 1),
        (CancellationError(), 1), (LegacyError(), 1), (FormError(), 1), (AppError.serverError(status: 501, message: nil), 1),
    ]
    for (failure, expected) in failures {
        var calls = 0
        do {
            try await withRetry(quick) { _ in
                calls += 1
                throw failure
            }
        } catch {
            checks.check(type(of: error) == type(of: failure), "thrown unchanged: \(error)")
        }
        checks.equal(calls, expected, "attempts after \(failure)")
    }
    do throws(CheckoutError) {
        _ = try await withRetry(quick) { (_: Int) throws(CheckoutError) -> Int in throw .cardDeclined }
    } catch {
        if case .cardDeclined = error { checks.check(true, "typed") } else { checks.check(false, "typed throws: \(error)") }
    }
    var posts = 0
    _ = try? await withRetry(quick.for(.post)) { _ in
        posts += 1
        throw URLError(.timedOut)
    }
    checks.equal(posts, 1, "a POST that timed out")
    posts = 0
    _ = try? await withRetry(quick.for(.post, isIdempotent: true)) { _ in
        posts += 1
        throw URLError(.timedOut)
    }
    checks.equal(posts, 3, "one with an idempotency key")
    var events: [String] = []
    let value = try? await withRetry(
        quick,
        observer: { event in
            switch event {
            case .willRetry(let attempt, _): events.append("retry \(attempt.number)")
            case .succeeded(let failed): events.append("after \(failed.count)")
            case .gaveUp: events.append("gave up")
            }
        }
    ) { attempt in
        if attempt < 3 { throw CheckoutError.bankBusy }
        return attempt
    }
    checks.check(value == 3 && events == ["retry 1", "retry 2", "after 2"], "\(events)")
}
