public import ErrorCore

/// What the colour of an error stands for.
public enum ErrorColoring: Sendable, Hashable {
    /// How bad it is.
    case severity
    /// What it is about.
    case category

    /// The colour of an error.
    public func tint(of presentation: ErrorPresentation) -> ErrorTint {
        switch self {
        case .severity: presentation.severity.tint
        case .category: presentation.category.tint
        }
    }
}
