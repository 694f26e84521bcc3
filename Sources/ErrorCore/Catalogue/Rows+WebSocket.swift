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
