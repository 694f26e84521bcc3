extension CatalogueRow {
    static let validation: [AppError.Kind: CatalogueRow] = [
        .validationError: CatalogueRow(
            "Invalid Input",
            "[{field}|The input] is not valid[: {message}].",
            suggestion: "Correct it and try again.",
            icon: "exclamationmark.triangle", severity: .warning, category: .validation, retry: .afterFix,
            options: [.dismiss]),
        .invalidURL: CatalogueRow(
            "Invalid Address",
            "[“{string}” is not a web address|The address is empty].",
            suggestion: "Check it for typing errors.",
            icon: "exclamationmark.triangle", severity: .warning, category: .validation, retry: .afterFix,
            options: [.dismiss]),
        .invalidProjectPath: CatalogueRow(
            "Invalid Project Path",
            "[The folder {path}|This folder] cannot hold a project.",
            suggestion: "Choose another folder.",
            icon: "exclamationmark.triangle", severity: .warning, category: .validation, retry: .afterFix,
            options: [.browse, .cancel]),
    ]
}
