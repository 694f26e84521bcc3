/// Whether trying again can help, and when.
public enum RetryAdvice: Sendable, Hashable {
    /// At once.
    case now
    /// After a growing wait, and not before `minimumWait` where the other side named one.
    case backoff(minimumWait: Duration? = nil)
    /// Only after something was changed.
    case afterFix
    /// Not at all: it would fail again, or do harm.
    case never

    /// The name of logs and JSON: `now`, `backoff`, `after-fix` or `never`.
    public var name: String {
        switch self {
        case .now: "now"
        case .backoff: "backoff"
        case .afterFix: "after-fix"
        case .never: "never"
        }
    }

    /// Whether a program may try again by itself.
    public var allowsRetry: Bool {
        switch self {
        case .now, .backoff: true
        case .afterFix, .never: false
        }
    }

    /// The least wait before trying again, where one is known.
    public var minimumWait: Duration? {
        if case .backoff(let wait) = self { wait } else { nil }
    }
}
