extension CatalogueRow {
    static let cancelled = CatalogueRow(
        "Cancelled",
        "It was stopped before it had finished.",
        suggestion: "Start it again if you still want it.",
        icon: "xmark.circle", severity: .info, category: .cancelled,
        options: [.dismiss])

    static let unknown = CatalogueRow(
        "Unknown Problem",
        "[Something failed that this app has no name for: {message}|Something failed, and nothing more is known of it].",
        suggestion: "Try again; if it stays so, report it with the text of this message.",
        icon: "questionmark.circle", category: .internal,
        options: [.dismiss])

    static let internalError = CatalogueRow(
        "Internal Error",
        "The app has a defect and could not go on[: {detail}].",
        suggestion: "Please report it, with the text of this message.",
        icon: "ladybug", severity: .critical, category: .internal,
        options: [.dismiss])

    static let featureUnavailable = CatalogueRow(
        "Not Available",
        "{feature} is not available here.",
        suggestion: "It may need a newer version or another device.",
        icon: "nosign", severity: .info, category: .validation,
        options: [.dismiss])
}
