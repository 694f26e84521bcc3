import ErrorCore
import ErrorCoreTesting
import Testing

/// Texts that users of the catalogue rely on, word for word.
@Suite struct FixedPointsTests {
    @Test("network unavailable") func networkUnavailable() {
        let error = AppError.networkUnavailable
        #expect(error.title == "No Connection")
        #expect(error.icon == "wifi.slash")
        #expect(error.severity == .warning)
        #expect(error.recoveryOptions.map(\.title) == ["Open Settings", "Retry"])
    }

    @Test("rate limited") func rateLimited() {
        #expect(AppError.apiRateLimited(retryAfter: 37).userMessage.contains("rate"))
        #expect(AppError.apiRateLimited(retryAfter: 37).userMessage.contains("37"))
        #expect(AppError.apiRateLimited(retryAfter: 37).retry == .backoff(minimumWait: .seconds(37)))
        #expect(AppError.apiRateLimited(retryAfter: nil).userMessage.contains("rate"))
        #expect(AppError.apiRateLimited(retryAfter: nil).retry == .backoff())
    }

    @Test("severities") func severities() {
        #expect(AppError.agentBusy.severity == .info)
        #expect(AppError.internalError(detail: "").severity == .critical)
        #expect(AppError.sshHostKeyMismatch(host: "h").severity == .critical)
        #expect(AppError.webSocketDisconnected(code: nil, reason: nil).severity == .warning)
        #expect(ErrorSeverity.allCases.sorted() == [.info, .warning, .error, .critical])
    }

    @Test("titles") func titles() {
        #expect(AppError.webSocketDisconnected(code: nil, reason: nil).title == "Connection Lost")
        #expect(AppError.sshConnectionFailed(host: "h", reason: "r").title == "SSH Error")
        #expect(AppError.sshAuthenticationFailed(method: "password").title == "SSH Error")
    }

    static let iconsByPrefix: [(prefix: String, icon: String, except: Set<AppError.Kind>)] = [
        ("ssh.", "terminal", [.sshHostKeyMismatch]),
        ("ssh.host-key", "lock.shield", []),
        ("permission.", "lock.shield", []),
        ("file.", "doc.questionmark", []),
        ("network.timeout", "clock.badge.exclamationmark", []),
        ("network.server", "server.rack", []),
        ("websocket.", "antenna.radiowaves.left.and.right.slash", []),
        ("agent.", "hourglass", []),
        ("validation.", "exclamationmark.triangle", []),
    ]

    @Test("icons", arguments: iconsByPrefix) func icons(prefix: String, icon: String, except: Set<AppError.Kind>) {
        let errors = AppError.samples.filter { $0.errorCode.hasPrefix(prefix) && !except.contains($0.kind) }
        #expect(!errors.isEmpty)
        for error in errors { #expect(error.icon == icon, "\(error.kind)") }
    }

    static let optionRows: [(AppError, [ErrorRecoveryOption])] = [
        (.agentBusy, [.waitForCompletion, .abort]),
        (.permissionDenied(tool: "t"), [.retryWithPermission, .skipTool]),
        (.fileNotFound(path: "p"), [.browse, .cancel]),
        (.webSocketConnectionFailed(reason: ""), [.reconnect, .checkSettings]),
        (.webSocketDisconnected(code: 1, reason: ""), [.reconnect, .checkSettings]),
        (.webSocketMessageInvalid(detail: ""), [.reconnect, .checkSettings]),
        (.webSocketPingTimeout, [.reconnect, .checkSettings]),
        (.sshConnectionFailed(host: "", reason: ""), [.checkSettings, .retry]),
        (.sshAuthenticationFailed(method: ""), [.checkSettings, .retry]),
    ]

    @Test("options", arguments: optionRows) func options(_ error: AppError, _ options: [ErrorRecoveryOption]) {
        #expect(error.recoveryOptions == options)
    }

    @Test("option titles") func optionTitles() {
        let options: [ErrorRecoveryOption] = [
            .retry, .cancel, .dismiss, .reconnect, .checkSettings, .openSettings, .abort, .waitForCompletion, .browse,
            .retryWithPermission, .skipTool,
        ]
        #expect(
            options.map(\.title) == [
                "Retry", "Cancel", "OK", "Reconnect", "Settings", "Open Settings", "Abort", "Wait", "Browse",
                "Grant Permission", "Skip",
            ])
    }

    @Test("a changed host key is never simply tried again") func aChangedHostKeyIsNeverSimplyTriedAgain() {
        #expect(!AppError.sshHostKeyMismatch(host: "h").recoveryOptions.contains(.retry))
        #expect(AppError.sshHostKeyMismatch(host: "h").retry == .never)
    }

    @Test("unknown numbers are omitted") func unknownNumbersAreNotSpokenOf() {
        #expect(!AppError.timeout(seconds: 0).userMessage.contains("0"))
        #expect(!AppError.insufficientDiskSpace(required: 0, available: 0).userMessage.contains("0"))
        #expect(AppError.insufficientDiskSpace(required: 1 << 30, available: 0).userMessage.contains("1 GB needed"))
        let small = AppError.insufficientDiskSpace(required: 1536, available: 10)
        #expect(small.userMessage.contains("1.5 KB needed, 10 bytes free"))
        #expect(!AppError.sshCommandFailed(command: "x", exitCode: -1, stderr: nil).userMessage.contains("-1"))
    }
}
