import ErrorCore

/// Design 2: a feature's own errors with codes and retryability, a handler that is injected, retry with backoff.
enum CheckoutError: UserFacingError, ClassifiedError {
    case cardDeclined
    case bankBusy(seconds: Int)

    var title: String { "Payment Failed" }
    var userMessage: String {
        switch self {
        case .cardDeclined: "Your bank declined the card."
        case .bankBusy(let seconds): "Your bank is busy for \(seconds) s."
        }
    }
    var errorCode: String {
        switch self {
        case .cardDeclined: "checkout.card-declined"
        case .bankBusy: "checkout.bank-busy"
        }
    }
    var retry: RetryAdvice {
        if case .bankBusy(let seconds) = self { .backoff(minimumWait: .seconds(seconds)) } else { .never }
    }
}

/// An analytics service.
actor Analytics: ErrorReporter {
    var codes: [String] = []
    func report(_ record: ErrorRecord) { codes.append(record.code) }
}

func ownErrorsAndHandler() async throws {
    let analytics = Analytics()
    let handler = ErrorHandler(reporters: [analytics])
    var policy = RetryPolicy.default
    policy.initialDelay = .milliseconds(1)
    let receipt = try await withRetry(policy) { attempt in
        if attempt == 1 { throw CheckoutError.bankBusy(seconds: 0) }
        return "receipt"
    }
    expect(receipt == "receipt", "the second attempt")
    do {
        try await withRetry(policy) { _ in throw CheckoutError.cardDeclined }
    } catch CheckoutError.cardDeclined {
        await handler.handle(CheckoutError.cardDeclined)
    }
    expect(await analytics.codes == ["checkout.card-declined"], "what analytics got")
}
