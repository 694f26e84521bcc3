extension CatalogueRow {
    static let general: [AppError.Kind: CatalogueRow] = [
        .cancelled: CatalogueRow(
            "Cancelled",
            "The operation was stopped before it had finished.",
            suggestion: "Start it again if you still want it.",
            icon: "xmark.circle", severity: .info, category: .cancelled,
            options: [.dismiss]),
        .unknown: CatalogueRow(
            "Unknown Problem",
            "The app does not know this kind of problem[: {message}].",
            suggestion: "Try again. If it happens again, report it with the text of this message.",
            icon: "questionmark.circle", category: .internal,
            options: [.dismiss]),
        .internalError: CatalogueRow(
            "Internal Error",
            "The app has a defect and could not continue[: {detail}].",
            suggestion: "Please report it, with the text of this message.",
            icon: "ladybug", severity: .critical, category: .internal,
            options: [.dismiss]),
        .featureUnavailable: CatalogueRow(
            "Not Available",
            "[{feature}|This feature] is not available here.",
            suggestion: "It may need a newer version or another device.",
            icon: "nosign", severity: .info, category: .validation,
            options: [.dismiss]),
    ]
}
