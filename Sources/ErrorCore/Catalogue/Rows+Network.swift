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
