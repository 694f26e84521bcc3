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

/// Rows for the HTTP statuses that mean more than "the server failed" (RFC 9110 section 15, RFC 6585, RFC 7725). These rows
/// replace that of `serverError`. A status from 400 to 599 has a row only if the general text would mislead.
extension CatalogueRow {
    static func serverStatus(_ status: Int) -> CatalogueRow? {
        switch status {
        case 300..<400: redirected
        case 402: paymentRequired
        case 403: forbidden
        case 405: refused("The app asked the server in a way that is not allowed there", retry: .never)
        case 406: refused("The server cannot answer in a form that the app reads", retry: .never)
        case 407: proxySignIn
        case 409: refused("The request conflicts with a change that was made in the meantime", retry: .afterFix)
        case 410: gone
        case 418: refused("This service does not do such things", retry: .never)
        case 451: unavailableForLegalReasons
        case 400..<500: refused("The server refused the request", retry: .afterFix)
        case 501, 505, 506, 510: notSupported
        case 502, 504: gateway
        case 503: overloaded
        case 507: serverFull
        case 508: serverLoop
        case 511: networkSignIn
        default: nil
        }
    }

    /// The statuses that have a row of their own.
    static let statusesWithRows = (300..<600).filter { serverStatus($0) != nil }

    private static let redirected = CatalogueRow(
        "Redirected",
        "The server redirected the request, and the app did not follow[: {message}][ (status {status})].",
        suggestion: "Check the address; the service may have moved.",
        icon: "server.rack", category: .server, retry: .afterFix,
        options: [.checkSettings, .dismiss])

    private static let paymentRequired = CatalogueRow(
        "Payment Required",
        "The server asks for a payment first[: {message}][ (status {status})].",
        suggestion: "Check your plan or subscription.",
        icon: "server.rack", category: .server, retry: .afterFix,
        options: [.checkSettings, .dismiss])

    private static let forbidden = CatalogueRow(
        "Access Denied",
        "The server does not allow you to do this[: {message}][ (status {status})].",
        suggestion: "Ask its owner for access, or sign in with another account.",
        icon: "server.rack", category: .permission, retry: .afterFix,
        options: [.checkSettings, .dismiss])

    private static let proxySignIn = CatalogueRow(
        "Proxy Sign-In Required",
        "The proxy between you and the server asks you to sign in[: {message}][ (status {status})].",
        suggestion: "Check the proxy’s user name and password in the network settings.",
        icon: "server.rack", category: .authentication, retry: .afterFix,
        options: [.openSettings, .retry])

    private static let unavailableForLegalReasons = CatalogueRow(
        "Legally Unavailable",
        "The server may not provide this for legal reasons[: {message}][ (status {status})].",
        suggestion: "It may be available in another country.",
        icon: "server.rack", category: .server, retry: .never,
        options: [.dismiss])

    private static func refused(_ message: String, retry: RetryAdvice) -> CatalogueRow {
        CatalogueRow(
            "Request Refused",
            "\(message)[: {message}][ (status {status})].",
            suggestion: retry == .never
                ? "Update the app, or ask the server’s administrator." : "Check what you entered, or reload and try again.",
            icon: "server.rack", category: .server, retry: retry,
            options: [.dismiss])
    }

    private static let gone = CatalogueRow(
        "No Longer There",
        "The requested item is no longer on the server[: {message}][ (status {status})].",
        suggestion: "Check for a newer address.",
        icon: "server.rack", category: .server, retry: .never,
        options: [.dismiss])

    private static let notSupported = CatalogueRow(
        "Not Supported",
        "The server does not support this request[: {message}][ (status {status})].",
        suggestion: "Update the app, or ask the server’s administrator.",
        icon: "server.rack", category: .server, retry: .never,
        options: [.dismiss])

    private static let gateway = CatalogueRow(
        "Server Not Reachable",
        "An upstream server did not answer properly[: {message}][ (status {status})].",
        suggestion: "The fault is on the server’s side. Try again in a little while.",
        icon: "server.rack", category: .server, retry: .backoff(),
        options: [.retry, .dismiss])

    private static let overloaded = CatalogueRow(
        "Server Busy",
        "The server is overloaded or under maintenance[: {message}][ (status {status})].",
        suggestion: "Try again in a little while.",
        icon: "server.rack", category: .server, retry: .backoff(),
        options: [.retry, .dismiss])

    private static let serverFull = CatalogueRow(
        "Server Full",
        "The server has no space left to store this[: {message}][ (status {status})].",
        suggestion: "Delete something there, or ask for more space.",
        icon: "server.rack", category: .server, retry: .afterFix,
        options: [.retry, .dismiss])

    private static let serverLoop = CatalogueRow(
        "Server Misconfigured",
        "The server found an endless loop while it handled the request[: {message}][ (status {status})].",
        suggestion: "Report it to the server’s administrator.",
        icon: "server.rack", category: .server, retry: .never,
        options: [.dismiss])

    private static let networkSignIn = CatalogueRow(
        "Network Sign-In Required",
        "This network asks you to sign in before you can use it[: {message}][ (status {status})].",
        suggestion: "Open a web page to see the network’s sign-in page, then try again.",
        icon: "server.rack", category: .network, retry: .afterFix,
        options: [.openSettings, .retry])
}
