extension CatalogueRow {
    static let validationError = CatalogueRow(
        "Invalid Input",
        "{field} is not acceptable[: {message}].",
        suggestion: "Correct it and try again.",
        icon: "exclamationmark.triangle", severity: .warning, category: .validation, retry: .afterFix,
        options: [.dismiss])

    static let invalidURL = CatalogueRow(
        "Invalid Address",
        "“{string}” is not a web address.",
        suggestion: "Check it for typing errors.",
        icon: "exclamationmark.triangle", severity: .warning, category: .validation, retry: .afterFix,
        options: [.dismiss])

    static let invalidProjectPath = CatalogueRow(
        "Invalid Project Path",
        "{path} cannot be a project’s folder.",
        suggestion: "Choose another folder.",
        icon: "exclamationmark.triangle", severity: .warning, category: .validation, retry: .afterFix,
        options: [.browse, .cancel])
}
