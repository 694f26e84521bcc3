/// As `{"advice": "backoff", "minimumWaitSeconds": 15}`; the wait only where there is one.
extension RetryAdvice: Codable {
    private enum CodingKeys: CodingKey {
        case advice, minimumWaitSeconds
    }

    /// Reads an advice.
    ///
    /// - Throws: `DecodingError` for an advice that there is not.
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
