import ErrorCore
import Foundation

/// Design 1: one app-wide enum with a title, a message, an icon, a severity and buttons for every case.
func portOneEnum() async -> Checks {
    var checks = Checks("one enum")
    let slash = "antenna.radiowaves.left.and.right.slash"
    // Title, icon, severity and buttons if the design fixed them; nil if any value is fine.
    let rows: [(AppError, title: String?, icon: String?, severity: ErrorSeverity?, options: [ErrorRecoveryOption]?)] = [
        (.networkUnavailable, "No Connection", "wifi.slash", .warning, [.openSettings, .retry]),
        (.timeout(seconds: 30), nil, "clock.badge.exclamationmark", nil, nil),
        (.serverError(status: 500, message: nil), nil, "server.rack", nil, nil),
        (.serverError(status: 503, message: "maintenance"), nil, "server.rack", nil, nil),
        (.webSocketConnectionFailed(reason: "refused"), nil, slash, nil, [.reconnect, .checkSettings]),
        (.webSocketDisconnected(code: 1006, reason: nil), "Connection Lost", slash, .warning, [.reconnect, .checkSettings]),
        (.webSocketMessageInvalid(detail: "x"), nil, slash, nil, [.reconnect, .checkSettings]),
        (.webSocketPingTimeout, nil, slash, nil, [.reconnect, .checkSettings]),
        (.agentBusy, nil, "hourglass", .info, [.waitForCompletion, .abort]),
        (.agentCreationFailed(reason: "x"), nil, "hourglass", nil, nil), (.agentAborted, nil, "hourglass", nil, nil),
        (.permissionDenied(tool: "git"), nil, "lock.shield", nil, [.retryWithPermission, .skipTool]),
        (.permissionTimeout(tool: "git", seconds: 3), nil, "lock.shield", nil, nil),
        (.sshConnectionFailed(host: "web1", reason: "refused"), "SSH Error", "terminal", nil, [.checkSettings, .retry]),
        (.sshAuthenticationFailed(method: "publickey"), "SSH Error", "terminal", nil, [.checkSettings, .retry]),
        (.sshCommandFailed(command: "ls", exitCode: 2, stderr: nil), nil, "terminal", nil, nil),
        (.sshTimeout(seconds: 3), nil, "terminal", nil, nil), (.sshKeyInvalid(reason: "x"), nil, "terminal", nil, nil),
        (.sshHostKeyMismatch(host: "web1"), nil, "lock.shield", .critical, nil),
        (.fileNotFound(path: "/a"), nil, "doc.questionmark", nil, [.browse, .cancel]),
        (.fileReadError(path: "/a", reason: "x"), nil, "doc.questionmark", nil, nil),
        (.fileWriteError(path: "/a", reason: "x"), nil, "doc.questionmark", nil, nil),
        (.insufficientDiskSpace(required: 5, available: 1), nil, "doc.questionmark", nil, nil),
        (.filePermissionDenied(path: "/a"), nil, "doc.questionmark", nil, nil),
        (.validationError(field: "name", message: "too long"), nil, "exclamationmark.triangle", nil, nil),
        (.invalidURL(string: "x"), nil, "exclamationmark.triangle", nil, nil),
        (.invalidProjectPath(path: "/a"), nil, "exclamationmark.triangle", nil, nil),
        (.internalError(detail: "x"), nil, nil, .critical, nil), (.apiRateLimited(retryAfter: 20), nil, nil, nil, nil),
    ]
    for row in rows {
        let name = row.0.kind.caseName
        if let title = row.title { checks.equal(row.0.title, title, "\(name)’s title") }
        if let icon = row.icon { checks.equal(row.0.icon, icon, "\(name)’s icon") }
        if let severity = row.severity { checks.equal(row.0.severity, severity, "\(name)’s severity") }
        if let options = row.options { checks.equal(row.0.recoveryOptions, options, "\(name)’s options") }
        checks.check((1...4).contains(row.0.title.split(separator: " ").count), "\(name)’s title is short")
        checks.check(row.0.userMessage.hasSuffix("."), "\(name)’s message is a sentence")
        checks.equal(row.0.localizedDescription, row.0.userMessage, "\(name)’s localizedDescription")
        checks.equal((row.0 as any Error).localizedDescription, row.0.userMessage, "\(name)’s, as any Error")
        checks.equal(row.0.errorDescription, row.0.userMessage, "\(name)’s errorDescription")
        checks.check(row.0.recoverySuggestion?.isEmpty == false, "\(name)’s suggestion")
        checks.check(AppError(row.0) == row.0, "\(name) maps to itself")
        checks.check(ErrorPresentation(row.0).options.isEmpty, "\(name)’s unbound options are not shown")
    }
    checks.check(AppError.apiRateLimited(retryAfter: 20).userMessage.contains("rate"), "the word rate")
    checks.check(AppError.apiRateLimited(retryAfter: 20).userMessage.contains("20"), "the wait")
    checks.check(AppError.apiRateLimited(retryAfter: nil).userMessage.contains("rate"), "the word rate without a wait")
    checks.check(!AppError.sshHostKeyMismatch(host: "h").recoveryOptions.contains(.retry), "no plain Retry for a host key")
    let titles: [(ErrorRecoveryOption, String)] = [
        (.retry, "Retry"), (.cancel, "Cancel"), (.dismiss, "OK"), (.reconnect, "Reconnect"), (.checkSettings, "Settings"),
        (.openSettings, "Open Settings"), (.abort, "Abort"), (.waitForCompletion, "Wait"), (.browse, "Browse"),
        (.retryWithPermission, "Grant Permission"), (.skipTool, "Skip"),
    ]
    for (option, title) in titles {
        checks.equal(option.title, title, "the title of \(option.id.rawValue)")
        checks.check(option == option.bound {} && option.action == nil, "\(title) is equal by identity")
    }
    checks.check(ErrorRecoveryOption.abort.style == .destructive && ErrorRecoveryOption.retry.style == .primary, "styles")
    checks.check(ErrorRecoveryOption.cancel.role == .cancel && ErrorRecoveryOption.abort.role == .destructive, "roles")
    mapping(&checks)
    ownWords(&checks)
    return checks
}

private func mapping(_ checks: inout Checks) {
    let rows: [(any Error, AppError)] = [
        (URLError(.notConnectedToInternet), .networkUnavailable), (URLError(.timedOut), .timeout(seconds: 0)),
        (URLError(.cancelled), .cancelled), (CancellationError(), .cancelled),
        (URLError(.userAuthenticationRequired), .apiUnauthorized),
        (POSIXError(.ENOENT), .fileNotFound(path: "")), (POSIXError(.EACCES), .filePermissionDenied(path: "")),
        (CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "/a"]), .fileNotFound(path: "/a")),
        (NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet), .networkUnavailable),
        (NSError(domain: "x", code: 1, userInfo: [NSUnderlyingErrorKey: URLError(.timedOut)]), .timeout(seconds: 0)),
    ]
    for (error, expected) in rows { checks.equal(AppError(error), expected, "the case of \(type(of: error))") }
    struct Odd: Error {}
    checks.equal(AppError(Odd()), .unknown(message: "Odd"), "an unknown error")
    let statuses: [(Int, AppError.Kind)] = [
        (400, .apiBadRequest), (401, .apiUnauthorized), (404, .apiNotFound), (408, .timeout), (410, .serverError),
        (422, .apiBadRequest), (429, .apiRateLimited), (500, .serverError), (502, .serverError), (503, .serverError),
    ]
    for (status, kind) in statuses {
        checks.equal(AppError(response: RawResponse(status: status))?.kind, kind, "the case of status \(status)")
    }
    checks.check(AppError(response: RawResponse(status: 204)) == nil, "a success is not an error")
    let forbidden = AppError(response: RawResponse(status: 403, url: "https://h/x"))
    checks.check(forbidden?.recoveryOptions.contains(.retryWithPermission) == false, "the server forbids, not this device")
    checks.equal(forbidden?.title, "Access Denied", "403")
}

private func ownWords(_ checks: inout Checks) {
    let text = ErrorText(
        [
            .message("file.not-found"): "Die Datei „{path:last}“ fehlt.", .option(.retry): "Nochmal",
            .message("session.not-found"): "Sitzung {id:8} fehlt.",
            .message("network.timeout"): "Keine Antwort nach {seconds, plural, one {# Sekunde} other {# Sekunden}}.",
        ], locale: Locale(identifier: "de"))
    ErrorText.scoped(to: text) {
        checks.equal(AppError.fileNotFound(path: "/a/b.txt").userMessage, "Die Datei „b.txt“ fehlt.", "a last component")
        checks.equal(AppError.sessionNotFound(id: "0123456789").userMessage, "Sitzung 01234567 fehlt.", "a short identifier")
        checks.equal(AppError.timeout(seconds: 1).userMessage, "Keine Antwort nach 1 Sekunde.", "one")
        checks.equal(AppError.timeout(seconds: 2).userMessage, "Keine Antwort nach 2 Sekunden.", "many")
        checks.equal(AppError.timeout(seconds: 2).recoveryOptions.first?.title, "Nochmal", "a button")
    }
}
