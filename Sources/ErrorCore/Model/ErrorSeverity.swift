/// The severity of an error for the person.
///
/// Ordered: `info < warning < error < critical`. The raw values are used in logs and JSON.
public enum ErrorSeverity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// No failure; something has to wait, or is worth knowing.
    case info
    /// The cause will probably pass, or a small change will help.
    case warning
    /// The requested operation did not happen.
    case error
    /// Data, trust or the app itself is at stake.
    case critical

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        case .critical: 3
        }
    }

    /// Whether the left severity is lower.
    public static func < (left: ErrorSeverity, right: ErrorSeverity) -> Bool {
        left.rank < right.rank
    }
}

/// A colour by name; a view turns it into a platform colour.
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
