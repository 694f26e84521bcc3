import ErrorCore
import Foundation

// The examples of ErrorCore's articles: they compile, and their claims are checked.

private enum ShopError: UserFacingError, ClassifiedError {
    case soldOut(item: String)
    case closed(until: Date)

    var title: String { "Shop" }
    var userMessage: String {
        switch self {
        case .soldOut(let item): "Someone bought the last \(item)."
        case .closed: "The shop is closed."
        }
    }
    var errorCode: String {
        switch self {
        case .soldOut: "shop.sold-out"
        case .closed: "shop.closed"
        }
    }
    var category: ErrorCategory { "shop" }
    var recoveryOptions: [ErrorRecoveryOption] { [.retry, .dismiss] }
    var isRetryable: Bool { if case .closed = self { true } else { false } }
}

private enum WeatherError: PipelineFailureRepresentable {
    case signInAgain, other(PipelineFailure)
    init(failure: PipelineFailure) {
        if case .clientError(.unauthorized) = failure.rootCause { self = .signInAgain } else { self = .other(failure) }
    }
}

@MainActor private final class DocumentModel {
    let errors: ErrorHandler
    var document: String?
    var loads = 0

    init(_ errors: ErrorHandler) { self.errors = errors }

    func load() async {
        do {
            document = try await withRetry(RetryPolicy(maxAttempts: 1, initialDelay: .zero, maxDelay: .zero)) { _ in
                try await fetchDocument()
            }
        } catch {
            await errors.handle(
                error, context: ErrorContext(action: "load document"),
                actions: [.retry: { await self.load() }, .openSettings: {}, .dismiss: {}])
        }
    }

    private func fetchDocument() async throws -> String {
        loads += 1
        if loads < 3 { throw URLError(.notConnectedToInternet) }
        return "text"
    }
}

@MainActor func articles() async -> Checks {
    var checks = Checks("articles")
    checks.check(ErrorProfile(ShopError.closed(until: Date())).retry == .backoff(), "isRetryable")
    checks.equal(ErrorPresentation(ShopError.soldOut(item: "lamp"), actions: [.dismiss: {}]).options, [.dismiss], "its options")
    checks.check(AppError(URLError(.notConnectedToInternet)).title == "No Connection", "one enum")

    do throws(WeatherError) {
        _ = try await ResponsePipeline(failingWith: WeatherError.self).value(String.self, method: .post) {
            RawResponse(status: 401)
        }
    } catch {
        if case .signInAgain = error { checks.check(true, "a pipeline") } else { checks.check(false, "\(error)") }
    }

    let mapper = ErrorMapper(domain: "CKErrorDomain") { code, error in
        let wait = (error as NSError).userInfo["CKRetryAfter"] as? Double
        return code == 6 || code == 7 ? .apiRateLimited(retryAfter: wait.map { Int($0) }) : nil
    }
    ErrorMapper.scoped(to: [mapper]) {
        let limited = NSError(domain: "CKErrorDomain", code: 7, userInfo: ["CKRetryAfter": 3.0])
        checks.equal(AppError(limited), .apiRateLimited(retryAfter: 3), "a mapper")
    }

    // A retry that fails again: the new error is not lost, and the old one is not shown twice.
    let errors = ErrorHandler()
    let model = DocumentModel(errors)
    await model.load()
    for loads in 2...3 {
        guard let shown = await errors.current else {
            checks.check(false, "nothing is shown")
            break
        }
        checks.equal(shown.options, [.openSettings, .retry], "what is offered")
        checks.check(await errors.choose(.retry, in: shown.id), "done")
        checks.equal(model.loads, loads, "loaded")
    }
    checks.check(await errors.current == nil && model.document == "text", "and then it is there")
    return checks
}
