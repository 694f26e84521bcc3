extension CatalogueRow {
    static let project: [AppError.Kind: CatalogueRow] = [
        .projectNotFound: CatalogueRow(
            "Project Not Found",
            "[There is no project at {path}|The project does not exist].",
            suggestion: "Choose the folder that it is in now.",
            icon: "folder.badge.questionmark", category: .project, retry: .afterFix,
            options: [.browse, .cancel]),
        .projectCloneFailed: CatalogueRow(
            "Clone Failed",
            "[{url}|The repository] could not be cloned[: {reason}].",
            suggestion: "Check the address and your access to it.",
            icon: "folder.badge.questionmark", category: .project, retry: .afterFix,
            options: [.retry, .cancel]),
        .projectAlreadyExists: CatalogueRow(
            "Project Exists",
            "[There is already a project at {path}|The project already exists].",
            suggestion: "Open it, or choose another folder.",
            icon: "folder.badge.questionmark", severity: .warning, category: .project, retry: .afterFix,
            options: [.browse, .cancel]),
    ]
}
