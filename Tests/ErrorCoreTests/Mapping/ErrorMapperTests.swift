import ErrorCore
import Foundation
import Testing

@Suite struct ErrorMapperTests {
    struct Purchase: Error { var code: Int }

    static let mappers = [
        ErrorMapper(for: Purchase.self) { $0.code == 1 ? .cancelled : nil },
        ErrorMapper(domain: "SKErrorDomain", codes: [2: .cancelled, 0: .featureUnavailable(feature: "The purchase")]),
        ErrorMapper(domain: "CKErrorDomain") { code, error in
            let wait = (error as NSError).userInfo["CKRetryAfter"] as? Double
            return code == 7 ? .apiRateLimited(retryAfter: wait.map { Int($0) }) : nil
        },
        ErrorMapper { error, hints in
            (error as? URLError)?.code == .timedOut ? .timeout(seconds: hints.timeoutSeconds ?? 99) : nil
        },
        ErrorMapper(for: Purchase.self) { _ in .agentBusy },
    ]

    static let rows: [(any Error, AppError)] = [
        (Purchase(code: 1), .cancelled), (Purchase(code: 2), .agentBusy),
        (NSError(domain: "SKErrorDomain", code: 2), .cancelled),
        (NSError(domain: "SKErrorDomain", code: 0), .featureUnavailable(feature: "The purchase")),
        (NSError(domain: "CKErrorDomain", code: 7, userInfo: ["CKRetryAfter": 12.0]), .apiRateLimited(retryAfter: 12)),
        (URLError(.timedOut), .timeout(seconds: 99)), (URLError(.notConnectedToInternet), .networkUnavailable),
        (AppError.agentAborted, .agentAborted),
        (NSError(domain: "app", code: 1, userInfo: [NSUnderlyingErrorKey: Purchase(code: 1)]), .cancelled),
    ]

    @Test("mappings are asked in order, before the built-in ones") func areAskedInOrderBeforeWhatShips() async {
        await ErrorMapper.scoped(to: Self.mappers) {
            for (error, expected) in Self.rows { #expect(AppError(error) == expected) }
            let inTask = Task { AppError(Purchase(code: 1)) }
            #expect(await inTask.value == .cancelled, "a task inherits them")
        }
        #expect(AppError(Purchase(code: 1)).kind == .unknown && AppError(URLError(.timedOut)) == .timeout(seconds: 0))
    }

    @Test("registered mappings apply everywhere") func registeredOnesCountEverywhere() async {
        ErrorMapper.register(ErrorMapper(domain: "ErrorMapperTests.registered", codes: [1: .agentBusy]))
        ErrorMapper.register(ErrorMapper(domain: "ErrorMapperTests.registered") { _, _ in .agentAborted })
        let other = Task.detached { AppError(NSError(domain: "ErrorMapperTests.registered", code: 1)) }
        #expect(await other.value == .agentBusy)
        #expect(AppError(NSError(domain: "ErrorMapperTests.registered", code: 2)) == .agentAborted)
    }

    static let coreData: [(code: Int, kind: AppError.Kind)] = [
        (1550, .validationError), (1560, .validationError), (1570, .validationError), (1600, .validationError),
        (1680, .validationError), (133000, .databaseError), (133020, .databaseError), (133021, .databaseError),
        (134030, .databaseError), (134060, .databaseError), (134080, .databaseError), (134100, .migrationError),
        (134110, .migrationError), (134130, .migrationError), (134140, .migrationError), (999_999, .unknown),
    ]

    @Test("Core Data's errors", arguments: coreData) func coreDatasErrors(_ code: Int, _ kind: AppError.Kind) {
        let error = AppError(NSError(domain: NSCocoaErrorDomain, code: code))
        #expect(error.kind == kind && !error.userMessage.contains("-1"), "\(error.userMessage)")
    }

    @Test("Core Data's user info") func coreDatasUserInfo() {
        let missing = NSError(domain: NSCocoaErrorDomain, code: 1570, userInfo: ["NSValidationErrorKey": "email"])
        #expect(AppError(missing) == .validationError(field: "email", message: "a value is required"))
        let several = NSError(domain: NSCocoaErrorDomain, code: 1560, userInfo: ["NSDetailedErrors": [missing, missing]])
        #expect(AppError(several) == AppError(missing))
        #expect(AppError(missing).userMessage == "email is not valid: a value is required.")
        #expect(
            AppError(NSError(domain: NSCocoaErrorDomain, code: 134100)).userMessage.hasPrefix(
                "The stored data could not be migrated: "))
    }
}
