extension ErrorText {
    /// Every text that ships, in English, for those who translate it: a template by key.
    public static var catalogue: [Key: String] {
        var result: [Key: String] = [:]
        for kind in AppError.Kind.allCases { add(kind.row, code: kind.rawValue, to: &result) }
        let serverError = AppError.Kind.serverError.rawValue
        for status in CatalogueRow.statusesWithRows {
            guard let row = CatalogueRow.serverStatus(status) else { continue }
            add(row, code: "\(serverError).\(status)", to: &result)
        }
        for (id, row) in ErrorRecoveryOption.commonRows { result[.option(id)] = row.title }
        for category in ErrorCategory.allCases { result[.title("category." + category.rawValue)] = category.englishTitle }
        for reason in Reason.allCases { result[.reason(reason.rawValue)] = reason.rawValue }
        for reason in HTTPStatus.refusals.values { result[.reason(reason)] = reason }
        result[.occurrences] = ErrorPresentation.occurrencesTemplate
        return result
    }

    private static func add(_ row: CatalogueRow, code: String, to result: inout [Key: String]) {
        result[.title(code)] = row.title
        result[.message(code)] = row.message
        result[.suggestion(code)] = row.suggestion
    }
}
