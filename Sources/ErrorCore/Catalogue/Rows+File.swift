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
