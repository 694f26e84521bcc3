extension CatalogueRow {
    static let api: [AppError.Kind: CatalogueRow] = [
        .apiNotFound: CatalogueRow(
            "Not Found",
            "[The server has nothing at {endpoint}|The server does not have what was asked for].",
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
            suggestion: "Update the app; its version and the server’s may not fit.",
            icon: "curlybraces", category: .protocol, retry: .afterFix,
            options: [.retry, .dismiss]),
        .apiMissingField: CatalogueRow(
            "Incomplete Answer",
            "The server’s answer lacks [the field “{field}”|a field that it must have].",
            suggestion: "Update the app; its version and the server’s may not fit.",
            icon: "curlybraces", category: .protocol, retry: .afterFix,
            options: [.retry, .dismiss]),
    ]
}
