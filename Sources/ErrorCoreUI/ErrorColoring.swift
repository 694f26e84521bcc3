public import ErrorCore

/// The meaning of an error's colour.
public enum ErrorColoring: Sendable, Hashable {
    /// The severity.
    case severity
    /// The category.
    case category

    /// The colour of an error.
    public func tint(of presentation: ErrorPresentation) -> ErrorTint {
        switch self {
        case .severity: presentation.severity.tint
        case .category: presentation.category.tint
        }
    }
}
