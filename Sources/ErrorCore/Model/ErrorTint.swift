/// A colour by name, which a view turns into its platform's own.
public enum ErrorTint: String, Sendable, Hashable, Codable, CaseIterable {
    case blue, brown, gray, green, indigo, orange, pink, purple, red, teal, yellow
}

extension ErrorSeverity {
    /// The colour of the severity.
    public var tint: ErrorTint {
        switch self {
        case .info: .blue
        case .warning: .yellow
        case .error, .critical: .red
        }
    }
}
