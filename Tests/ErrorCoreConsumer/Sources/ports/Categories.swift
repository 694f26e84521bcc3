import ErrorCore
import Foundation
import Synchronization

// Design 5: categories, context, callbacks, a presenter, logging, automatic recovery, Core Data and the system's own errors.

func portCategories() async -> Checks {
    var checks = Checks("categories")
    for category in ErrorCategory.allCases {
        checks.check(!category.title.isEmpty && !category.icon.isEmpty, "\(category) has a title and an icon")
        checks.check(ErrorTint.allCases.contains(category.tint), "\(category) has a colour")
    }
    checks.equal(Set(ErrorCategory.allCases.map(\.rawValue)).count, 15, "all categories")
    await handling(&checks)
    await recovering(&checks)
    await presenting(&checks)
    mappers(&checks)
    secrets(&checks)
    return checks
}

private func handling(_ checks: inout Checks) async {
    let seen = Mutex<[ErrorCategory]>([])
    let handler = ErrorHandler(
        captureState: { ["screen": "editor"] }, shouldPresent: { $0.profile.category != .validation })
    let observation = await handler.observe { occurrence in seen.withLock { $0.append(occurrence.profile.category) } }
    let errors: [any Error] = [
        AppError.fileNotFound(path: "/a"), URLError(.timedOut), CancellationError(),
        AppError.validationError(field: "a", message: "b"),
        NSError(domain: NSCocoaErrorDomain, code: 134100), NSError(domain: NSCocoaErrorDomain, code: 1570),
    ]
    for error in errors {
        await handler.handle(error, context: ErrorContext(action: "save", requestID: "r-1", capturesStack: true))
    }
    checks.equal(
        seen.withLock { $0 }, [.file, .network, .cancelled, .validation, .persistence, .validation], "callbacks")
    checks.equal(await handler.waiting.map(\.category), [.persistence, .file, .network], "the shown errors, the worst first")
    await handler.stop(observation)
    let occurrence = handler.log(AppError.agentBusy, context: ErrorContext(action: "save", requestID: "r-1", capturesStack: true))
    checks.check(occurrence.record.action == "save" && occurrence.record.requestID == "r-1", "context")
    checks.check(occurrence.record.metadata["screen"] == "editor", "state")
    checks.check(occurrence.record.stack?.isEmpty == false, "a stack")
    checks.check(occurrence.record.place?.contains("Categories.swift") == true, "a place")
    checks.equal(seen.withLock { $0.count }, 6, "a stopped observer")
}

private func recovering(_ checks: inout Checks) async {
    let refreshed = Mutex(0)
    let handler = ErrorHandler(recoveries: [
        AutomaticRecovery(for: .authentication) { _ in refreshed.withLock { $0 += 1 } },
        .choosing(.reconnect, for: .network),
        AutomaticRecovery(for: .file) { _ in throw AppError.insufficientDiskSpace(required: 0, available: 0) },
    ])
    checks.check(await handler.handle(AppError.apiUnauthorized).isRecovered, "authentication by itself")
    checks.equal(refreshed.withLock { $0 }, 1, "once")
    checks.check(await handler.handle(AppError.webSocketPingTimeout, actions: [.reconnect: {}]).isRecovered, "reconnected")
    checks.check(await handler.current == nil, "no one was asked")
    checks.check(await !handler.handle(AppError.webSocketPingTimeout).isRecovered, "nothing is bound")
    checks.check(await !handler.handle(AppError.fileNotFound(path: "/a")).isRecovered, "a recovery that failed")
    checks.check(await handler.current?.recoveryFailure?.contains("space") == true, "and why")
}

private func presenting(_ checks: inout Checks) async {
    let handler = ErrorHandler()
    let retries = Mutex(0)
    for _ in 0..<10 {
        await handler.handle(AppError.networkUnavailable, actions: [.retry: { retries.withLock { $0 += 1 } }])
    }
    checks.equal(await handler.waiting.map(\.count), [10], "ten failed requests, one alert")
    guard let shown = await handler.current else { return checks.check(false, "nothing is shown") }
    checks.check(shown.occurrences?.contains("10") == true, "with their number")
    checks.check(ErrorHTML.fragment(shown).contains("10 times") && TerminalBanner().render(shown).contains("10 times"), "drawn")
    checks.check(await handler.choose(.retry, in: shown.id), "recovered")
    checks.equal(retries.withLock { $0 }, 10, "each")
    checks.check(await handler.current == nil, "closed")

    let (hang, release) = AsyncStream.makeStream(of: Void.self)
    await handler.handle(AppError.networkUnavailable, actions: [.retry: { for await _ in hang {} }])
    guard let hanging = await handler.current else { return checks.check(false, "nothing is shown") }
    let outcome = Task { await handler.choose(.retry, in: hanging.id) }
    while await handler.current?.isRecovering != true { await Task.yield() }
    await handler.handle(AppError.fileNotFound(path: "/a"), actions: [.browse: {}])
    if let other = await handler.current {
        checks.check(other.id != hanging.id, "another is shown")
        checks.check(await handler.choose(.browse, in: other.id), "and can be answered")
    }
    release.finish()
    checks.check(await outcome.value, "the first, too")
}

private func mappers(_ checks: inout Checks) {
    let mapper = ErrorMapper(domain: "SKErrorDomain", codes: [2: .cancelled, 5: .featureUnavailable(feature: "The purchase")])
    ErrorMapper.scoped(to: [mapper]) {
        checks.equal(AppError(NSError(domain: "SKErrorDomain", code: 2)), .cancelled, "StoreKit")
        checks.check(ErrorProfile(NSError(domain: "SKErrorDomain", code: 2)).isCancellation, "is not shown")
    }
    for code in [134100, 1570, 133020] {
        let error = NSError(domain: NSCocoaErrorDomain, code: code, userInfo: [NSURLErrorKey: URL(fileURLWithPath: "/a")])
        let profile = ErrorProfile(error)
        checks.check(profile.appError.kind != .unknown, "Core Data \(code)")
        checks.check(!profile.message.contains("Error Domain") && !profile.message.contains("UserInfo"), profile.message)
    }
}

private func secrets(_ checks: inout Checks) {
    let rows = [
        "Authorization: token s3cretvalue", "Cookie: a=s3cretvalue; b=s3cretvalue", "sshpass -p s3cretvalue ssh h",
        "PGPASSWORD=s3cretvalue psql", "--password=s3cretvalue", "https://u:s3cretvalue@h/x", "Server=h;Password=s3cretvalue;",
        "curl -u me:s3cretvalue https://h", "Authorization: Bearer s3cretvalue", "{\"apiKey\":\"s3cretvalue\"}",
    ]
    for row in rows {
        let record = ErrorOccurrence(AppError.serverError(status: 500, message: row), context: ErrorContext(action: row)).record
        let text = "\(record.message) \(record.action ?? "")"
        checks.check(!text.contains("s3cretvalue"), text)
    }
    for row in ["the password was refused", "ls /etc/passwd", "ssh -p 2222 h", "unexpected token: x"] {
        checks.equal(Redactor.standard.text(row), row, "no secret")
    }
}
