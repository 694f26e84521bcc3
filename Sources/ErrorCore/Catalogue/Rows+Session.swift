extension CatalogueRow {
    static let session: [AppError.Kind: CatalogueRow] = [
        .sessionNotFound: CatalogueRow(
            "Session Not Found",
            "[There is no session {id}|The session does not exist].",
            suggestion: "It may have been deleted; choose another.",
            icon: "exclamationmark.bubble", category: .session, retry: .afterFix,
            options: [.dismiss]),
        .sessionArchived: CatalogueRow(
            "Session Archived",
            "The session[ {id}] is archived and cannot be changed.",
            suggestion: "Take it out of the archive first.",
            icon: "exclamationmark.bubble", severity: .info, category: .session, retry: .afterFix,
            options: [.dismiss]),
        .sessionExportFailed: CatalogueRow(
            "Export Failed",
            "The session could not be exported[: {reason}].",
            suggestion: "Choose another place and try again.",
            icon: "exclamationmark.bubble", category: .session, retry: .afterFix,
            options: [.retry, .cancel]),
        .sessionSearchFailed: CatalogueRow(
            "Search Failed",
            "The search[ for “{query}”] failed[: {reason}].",
            suggestion: "Try again, or search for something else.",
            icon: "exclamationmark.bubble", category: .session, retry: .afterFix,
            options: [.retry, .dismiss]),
    ]
}
