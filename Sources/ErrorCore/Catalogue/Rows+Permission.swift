extension CatalogueRow {
    static let permission: [AppError.Kind: CatalogueRow] = [
        .permissionDenied: CatalogueRow(
            "Permission Denied",
            "[{tool}|The tool] was not allowed to do this.",
            suggestion: "Grant the permission, or continue without it.",
            icon: "lock.shield", category: .permission, retry: .afterFix,
            options: [.retryWithPermission, .skipTool]),
        .permissionTimeout: CatalogueRow(
            "Permission Not Given",
            "The request for permission[ for {tool}] was not answered[ within {seconds} s].",
            suggestion: "Answer the request for permission, or continue without it.",
            icon: "lock.shield", severity: .warning, category: .permission, retry: .afterFix,
            options: [.retryWithPermission, .skipTool]),
        .permissionSystemError: CatalogueRow(
            "Permission Check Failed",
            "The permissions could not be checked[: {detail}].",
            suggestion: "Check the permissions in the system’s settings.",
            icon: "lock.shield", category: .permission, retry: .afterFix,
            options: [.openSettings, .dismiss]),
    ]
}
