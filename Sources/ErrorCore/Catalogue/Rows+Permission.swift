extension CatalogueRow {
    static let permissionDenied = CatalogueRow(
        "Permission Denied",
        "{tool} was not allowed to do this.",
        suggestion: "Grant the permission, or go on without it.",
        icon: "lock.shield", category: .permission, retry: .afterFix,
        options: [.retryWithPermission, .skipTool])

    static let permissionTimeout = CatalogueRow(
        "Permission Not Given",
        "Nobody allowed or refused {tool}[ within {seconds} s].",
        suggestion: "Answer the request for permission, or go on without it.",
        icon: "lock.shield", severity: .warning, category: .permission, retry: .afterFix,
        options: [.retryWithPermission, .skipTool])

    static let permissionSystemError = CatalogueRow(
        "Permission Check Failed",
        "It could not be found out what is allowed[: {detail}].",
        suggestion: "Check the permissions in the system’s settings.",
        icon: "lock.shield", category: .permission, retry: .afterFix,
        options: [.openSettings, .dismiss])
}
