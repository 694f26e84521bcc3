extension CatalogueRow {
    static let file: [AppError.Kind: CatalogueRow] = [
        .fileNotFound: CatalogueRow(
            "File Not Found",
            "[There is no file at {path}|The file does not exist].",
            suggestion: "Choose another file, or restore this one.",
            icon: "doc.questionmark", category: .file, retry: .afterFix,
            options: [.browse, .cancel]),
        .fileReadError: CatalogueRow(
            "File Not Readable",
            "The file[ {path}] could not be read[: {reason}].",
            suggestion: "Check the file and the disk that it is on.",
            icon: "doc.questionmark", category: .file, retry: .afterFix,
            options: [.browse, .retry]),
        .fileWriteError: CatalogueRow(
            "File Not Written",
            "The file[ {path}] could not be written[: {reason}].",
            suggestion: "Choose another place to write to, or check the disk.",
            icon: "doc.questionmark", category: .file, retry: .afterFix,
            options: [.browse, .retry]),
        .insufficientDiskSpace: CatalogueRow(
            "Disk Full",
            "There is too little space on the disk[: {required} needed][, {available} free].",
            suggestion: "Make some space, then try again.",
            icon: "doc.questionmark", category: .file, retry: .afterFix,
            options: [.retry, .cancel]),
        .filePermissionDenied: CatalogueRow(
            "File Access Denied",
            "You do not have permission to access [{path}|the file].",
            suggestion: "Change the permissions of the file or its folder, or choose another.",
            icon: "doc.questionmark", category: .file, retry: .afterFix,
            options: [.browse, .cancel]),
    ]
}

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
