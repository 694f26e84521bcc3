import ErrorCore
import Foundation

/// Everything here is isolated to the main actor by default.
enum ShopError: UserFacingError, ClassifiedError {
    case soldOut
    var title: String { "Sold Out" }
    var userMessage: String { "Someone bought the last one." }
    var errorCode: String { "shop.sold-out" }
}

// A class with a Sendable protocol in its declaration says so itself: SE-0466 makes it nonisolated otherwise.
@MainActor final class CartModel: ErrorResponder {
    weak var parentResponder: (any ErrorResponder)?
    var answered = 0

    func response(to error: any Error, context: ErrorContext) -> ErrorDisposition? {
        answered += 1
        return error is ShopError ? .proceed : nil
    }
}

@MainActor final class ShopWindow: ErrorResponder {
    weak var parentResponder: (any ErrorResponder)?
    func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? { .abort }
}

@MainActor final class CrashLog: ErrorReporter {
    var errors: [any Error] = []
    func report(_ record: ErrorRecord) {}
    func report(_ record: ErrorRecord, of error: any Error) { errors.append(error) }
}

@main struct App {
    static func main() async throws {
        let window = ShopWindow()
        let cart = CartModel()
        cart.parentResponder = window
        let own = await cart.respond(to: ShopError.soldOut)
        let passedUp = await cart.respond(to: AppError.agentBusy)
        precondition(own == .proceed && passedUp == .abort && cart.answered == 2)
        let log = CrashLog()
        let errors = ErrorHandler(reporters: [log])
        var retried = 0
        await errors.handle(URLError(.timedOut), actions: [.retry: { await MainActor.run { retried += 1 } }])
        precondition(log.errors.first is URLError)
        if let shown = await errors.current { await errors.choose(.retry, in: shown.id) }
        precondition(retried == 1)
        var attempts = 0
        let value = try await withRetry(RetryPolicy(maxAttempts: 2, initialDelay: .zero, maxDelay: .zero)) { _ in
            attempts += 1
            if attempts == 1 { throw AppError.networkUnavailable }
            return attempts
        }
        precondition(value == 2)
        print("an app of the main actor")
    }
}
