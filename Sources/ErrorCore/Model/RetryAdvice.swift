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

/// As `{"advice": "backoff", "minimumWaitSeconds": 15}`; the wait only where there is one.
extension RetryAdvice: Codable {
    private enum CodingKeys: CodingKey {
        case advice, minimumWaitSeconds
    }

    /// Reads an advice.
    ///
    /// - Throws: `DecodingError` for an unknown value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let seconds = try container.decodeIfPresent(Double.self, forKey: .minimumWaitSeconds)
        switch try container.decode(String.self, forKey: .advice) {
        case RetryAdvice.now.name: self = .now
        case RetryAdvice.backoff().name: self = .backoff(minimumWait: seconds.map { .seconds($0) })
        case RetryAdvice.afterFix.name: self = .afterFix
        case RetryAdvice.never.name: self = .never
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .advice, in: container, debugDescription: "there is no advice \(other)")
        }
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .advice)
        try container.encodeIfPresent(minimumWait?.inSeconds, forKey: .minimumWaitSeconds)
    }
}

/// The defaults of `retry` and `isRetryable`, which are defined by each other: a type declares one of them.
enum RetryDefaults {
    /// The type whose `retry` is being derived. Asked again for the same type, a default gives a plain answer instead of
    /// asking back, which would never end.
    @TaskLocal private static var deriving: ObjectIdentifier?

    static func advice<Failure: ClassifiedError>(for error: Failure) -> RetryAdvice {
        let type = ObjectIdentifier(Failure.self)
        guard deriving != type else { return .never }
        return $deriving.withValue(type) {
            if error.isRetryable { return .backoff() }
            let options = (error as? any UserFacingError)?.recoveryOptions ?? []
            return options.contains(.retry) ? .afterFix : .never
        }
    }

    static func isRetryable<Failure: ClassifiedError>(_ error: Failure) -> Bool {
        guard deriving != ObjectIdentifier(Failure.self) else { return false }
        return error.retry.allowsRetry && !error.mayHaveTakenEffect
    }
}
