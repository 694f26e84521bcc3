extension CatalogueRow {
    static let encodingError = CatalogueRow(
        "Not Saved",
        "{type} could not be turned into a form to store or send[: {detail}].",
        suggestion: "Change the value that it names, then try again.",
        icon: "externaldrive.badge.exclamationmark", category: .persistence,
        options: [.dismiss])

    static let decodingError = CatalogueRow(
        "Unreadable Data",
        "Stored data could not be read as {type}[: {detail}].",
        suggestion: "The data is damaged or from another version; restore it from a copy.",
        icon: "externaldrive.badge.exclamationmark", category: .persistence,
        options: [.dismiss])

    static let databaseError = CatalogueRow(
        "Database Error",
        "The database could not {operation}[: {detail}].",
        suggestion: "Try again; if it stays so, check the disk.",
        icon: "externaldrive.badge.exclamationmark", category: .persistence, retry: .backoff(),
        options: [.retry, .dismiss])

    static let migrationError = CatalogueRow(
        "Update Failed",
        "The stored data could not be brought from version {from} to {to}[: {reason}].",
        suggestion: "Make a copy of your data before you try again.",
        icon: "externaldrive.badge.exclamationmark", severity: .critical, category: .persistence, retry: .afterFix,
        options: [.retry, .cancel])
}
