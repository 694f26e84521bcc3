import ErrorCore

/// A shop's errors: all that a feature must write to use every part of ErrorCore.
enum ShopError: UserFacingError, ClassifiedError, AppErrorConvertible {
    case soldOut(item: String)
    case tooManyOrders(wait: Duration)
    case paymentRefused(underlying: any Error)

    var title: String {
        switch self {
        case .soldOut: "Sold Out"
        case .tooManyOrders: "Shop Busy"
        case .paymentRefused: "Payment Refused"
        }
    }

    var userMessage: String {
        switch self {
        case .soldOut(let item): "Someone bought the last \(item)."
        case .tooManyOrders(let wait): "The shop takes your order again in \(wait.components.seconds) s."
        case .paymentRefused: "Your bank refused the payment."
        }
    }

    var errorCode: String {
        switch self {
        case .soldOut: "shop.sold-out"
        case .tooManyOrders: "shop.too-many-orders"
        case .paymentRefused: "shop.payment-refused"
        }
    }

    var retry: RetryAdvice {
        if case .tooManyOrders(let wait) = self { .backoff(minimumWait: wait) } else { .afterFix }
    }

    var underlyingError: (any Error)? {
        if case .paymentRefused(let underlying) = self { underlying } else { nil }
    }

    var recoveryOptions: [ErrorRecoveryOption] { isRetryable ? [.retry, .cancel] : [.dismiss] }

    var appError: AppError {
        switch self {
        case .soldOut(let item): .validationError(field: item, message: userMessage)
        case .tooManyOrders(let wait): .apiRateLimited(retryAfter: Int(wait.components.seconds))
        case .paymentRefused: .apiBadRequest(message: userMessage)
        }
    }
}
