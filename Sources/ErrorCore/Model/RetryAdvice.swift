/// Whether a retry can help, and when.
public enum RetryAdvice: Sendable, Hashable {
    /// At once.
    case now
    /// After a growing delay, and not before `minimumWait` if the other side named one.
    case backoff(minimumWait: Duration? = nil)
    /// Only after something has been changed.
    case afterFix
    /// Never: it would fail again, or do harm.
    case never

    /// The name used in logs and JSON: `now`, `backoff`, `after-fix` or `never`.
    public var name: String {
        switch self {
        case .now: "now"
        case .backoff: "backoff"
        case .afterFix: "after-fix"
        case .never: "never"
        }
    }

    /// Whether a program may retry on its own.
    public var allowsRetry: Bool {
        switch self {
        case .now, .backoff: true
        case .afterFix, .never: false
        }
    }

    /// The shortest delay before a retry, if one is known.
    public var minimumWait: Duration? {
        if case .backoff(let wait) = self { wait } else { nil }
    }
}

/// Encoded as `{"advice": "backoff", "minimumWaitSeconds": 15}`; the wait is left out if there is none.
extension RetryAdvice: Codable {
    private enum CodingKeys: CodingKey {
        case advice, minimumWaitSeconds
    }

    /// Decodes an advice.
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

    /// Encodes the advice.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .advice)
        try container.encodeIfPresent(minimumWait?.inSeconds, forKey: .minimumWaitSeconds)
    }
}

/// The defaults of `retry` and `isRetryable`. Each is defined by the other, so a type must declare one of them.
enum RetryDefaults {
    /// The type whose `retry` is being derived. If a default is called for the same type again, it returns a plain answer,
    /// which ends the recursion.
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
