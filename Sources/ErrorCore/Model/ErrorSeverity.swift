/// How bad an error is for the person it happens to.
///
/// Ordered: `info < warning < error < critical`. The raw values are the ones of logs and JSON.
public enum ErrorSeverity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Nothing is wrong; something has to wait or is worth knowing.
    case info
    /// It will probably pass, or a small change helps.
    case warning
    /// What was asked for did not happen.
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

    /// Whether the left one is the less severe.
    public static func < (left: ErrorSeverity, right: ErrorSeverity) -> Bool {
        left.rank < right.rank
    }
}
