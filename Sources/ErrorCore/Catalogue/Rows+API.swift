extension CatalogueRow {
    static let api: [AppError.Kind: CatalogueRow] = [
        .apiNotFound: CatalogueRow(
            "Not Found",
            "[The server has nothing at {endpoint}|The server does not have the requested item].",
            suggestion: "Check the address; it may have moved, or need a newer version of the app.",
            icon: "magnifyingglass", category: .server, retry: .afterFix,
            options: [.checkSettings, .dismiss]),
        .apiBadRequest: CatalogueRow(
            "Request Refused",
            "The server did not accept the request[: {message}].",
            suggestion: "Check what you entered, or reload and try again.",
            icon: "exclamationmark.bubble", category: .validation, retry: .afterFix,
            options: [.dismiss]),
        .apiUnauthorized: CatalogueRow(
            "Not Signed In",
            "The server does not accept your sign-in, or it has expired.",
            suggestion: "Sign in again.",
            icon: "person.badge.key", category: .authentication, retry: .afterFix,
            options: [.checkSettings, .dismiss]),
        .apiRateLimited: CatalogueRow(
            "Too Many Requests",
            "You have reached the server’s rate limit[; it accepts requests again in {retryAfter} s|; try again in a little while].",
            suggestion: "Wait a little before you try again.",
            icon: "tortoise", severity: .warning, category: .server, retry: .backoff(),
            options: [.waitForCompletion, .retry]),
        .apiDecodingError: CatalogueRow(
            "Unexpected Answer",
            "The server’s answer could not be read[ as {type}][: {detail}].",
            suggestion: "Update the app; its version and the server’s may be incompatible.",
            icon: "curlybraces", category: .protocol, retry: .afterFix,
            options: [.retry, .dismiss]),
        .apiMissingField: CatalogueRow(
            "Incomplete Answer",
            "The server’s answer lacks [the field “{field}”|a field that it must have].",
            suggestion: "Update the app; its version and the server’s may be incompatible.",
            icon: "curlybraces", category: .protocol, retry: .afterFix,
            options: [.retry, .dismiss]),
    ]
}

extension CatalogueRow {
    static let network: [AppError.Kind: CatalogueRow] = [
        .networkUnavailable: CatalogueRow(
            "No Connection",
            "There is no network connection, or the other side cannot be reached over it.",
            suggestion: "Check Wi-Fi, cable or VPN, then try again.",
            icon: "wifi.slash", severity: .warning, category: .network, retry: .backoff(),
            options: [.openSettings, .retry]),
        .timeout: CatalogueRow(
            "Timed Out",
            "No answer came[ within {seconds} s], so the attempt was given up.",
            suggestion: "Try again; if it happens often, allow more time.",
            icon: "clock.badge.exclamationmark", severity: .warning, category: .network, retry: .backoff(),
            options: [.retry, .cancel]),
        .serverError: CatalogueRow(
            "Server Error",
            "The server could not do what was asked[: {message}][ (status {status})].",
            suggestion: "The fault is on the server’s side. Try again in a little while.",
            icon: "server.rack", category: .server, retry: .backoff(),
            options: [.retry, .dismiss]),
        .sslError: CatalogueRow(
            "Insecure Connection",
            "No secure connection could be made[: {description}].",
            suggestion: "Check the date of this device and the server’s certificate.",
            icon: "lock.slash", category: .trust, retry: .afterFix,
            options: [.checkSettings, .cancel]),
        .dnsError: CatalogueRow(
            "Unknown Host",
            "No address could be found for the host[ {host}].",
            suggestion: "Check the spelling of the name and the DNS settings.",
            icon: "network", category: .network, retry: .backoff(),
            options: [.checkSettings, .retry]),
    ]
}

extension CatalogueRow {
    static let session: [AppError.Kind: CatalogueRow] = [
        .sessionNotFound: CatalogueRow(
            "Session Not Found",
            "[There is no session {id}|The session does not exist].",
            suggestion: "It may have been deleted; choose another.",
            icon: "exclamationmark.bubble", category: .session, retry: .afterFix,
            options: [.dismiss]),
        .sessionArchived: CatalogueRow(
            "Session Archived",
            "The session[ {id}] is archived and cannot be changed.",
            suggestion: "Take it out of the archive first.",
            icon: "exclamationmark.bubble", severity: .info, category: .session, retry: .afterFix,
            options: [.dismiss]),
        .sessionExportFailed: CatalogueRow(
            "Export Failed",
            "The session could not be exported[: {reason}].",
            suggestion: "Choose another place and try again.",
            icon: "exclamationmark.bubble", category: .session, retry: .afterFix,
            options: [.retry, .cancel]),
        .sessionSearchFailed: CatalogueRow(
            "Search Failed",
            "The search[ for “{query}”] failed[: {reason}].",
            suggestion: "Try again, or search for something else.",
            icon: "exclamationmark.bubble", category: .session, retry: .afterFix,
            options: [.retry, .dismiss]),
    ]
}

extension CatalogueRow {
    static let webSocket: [AppError.Kind: CatalogueRow] = [
        .webSocketConnectionFailed: CatalogueRow(
            "Connection Failed",
            "The live connection could not be opened[: {reason}].",
            suggestion: "Check the address in the settings, then reconnect.",
            icon: "antenna.radiowaves.left.and.right.slash", category: .network, retry: .backoff(),
            options: [.reconnect, .checkSettings]),
        .webSocketDisconnected: CatalogueRow(
            "Connection Lost",
            "The live connection was closed[: {reason}][ (code {code})].",
            suggestion: "Reconnect to continue.",
            icon: "antenna.radiowaves.left.and.right.slash", severity: .warning, category: .network, retry: .backoff(),
            options: [.reconnect, .checkSettings]),
        .webSocketMessageInvalid: CatalogueRow(
            "Unreadable Message",
            "A message on the live connection could not be understood[: {detail}].",
            suggestion: "Reconnect. If it happens again, the app or the server needs an update.",
            icon: "antenna.radiowaves.left.and.right.slash", category: .protocol, retry: .afterFix,
            options: [.reconnect, .checkSettings]),
        .webSocketPingTimeout: CatalogueRow(
            "Connection Stalled",
            "The server no longer answers on the live connection.",
            suggestion: "Reconnect to continue.",
            icon: "antenna.radiowaves.left.and.right.slash", severity: .warning, category: .network, retry: .backoff(),
            options: [.reconnect, .checkSettings]),
    ]
}
