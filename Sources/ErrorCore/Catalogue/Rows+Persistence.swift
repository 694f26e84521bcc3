extension CatalogueRow {
    static let persistence: [AppError.Kind: CatalogueRow] = [
        .encodingError: CatalogueRow(
            "Not Saved",
            "[{type}|The data] could not be encoded to be stored or sent[: {detail}].",
            suggestion: "Correct the value, then try again.",
            icon: "externaldrive.badge.exclamationmark", category: .persistence,
            options: [.dismiss]),
        .decodingError: CatalogueRow(
            "Unreadable Data",
            "Stored data could not be read[ as {type}][: {detail}].",
            suggestion: "The data is damaged or from another version; restore it from a copy.",
            icon: "externaldrive.badge.exclamationmark", category: .persistence,
            options: [.dismiss]),
        .databaseError: CatalogueRow(
            "Database Error",
            "[The database could not {operation}|A database operation failed][: {detail}].",
            suggestion: "Try again. If it happens again, check the disk.",
            icon: "externaldrive.badge.exclamationmark", category: .persistence, retry: .backoff(),
            options: [.retry, .dismiss]),
        .migrationError: CatalogueRow(
            "Update Failed",
            "The stored data could not be migrated[ from version {from}][ to version {to}][: {reason}].",
            suggestion: "Make a copy of your data before you try again.",
            icon: "externaldrive.badge.exclamationmark", severity: .critical, category: .persistence, retry: .afterFix,
            options: [.retry, .cancel]),
    ]
}
