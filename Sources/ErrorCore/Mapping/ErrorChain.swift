/// The errors under an error.
public enum ErrorChain {
    /// The greatest number of errors that are followed: a chain may be a circle.
    public static let limit = 16

    /// The error and those under it, the outermost first: `underlyingError` of ``ClassifiedError``, else Foundation's
    /// `NSUnderlyingErrorKey`.
    public static func errors(from error: any Error) -> [any Error] {
        var result: [any Error] = [error]
        while result.count < limit, let last = result.last, let next = underlying(last) { result.append(next) }
        return result
    }

    static func underlying(_ error: any Error) -> (any Error)? {
        if let classified = error as? any ClassifiedError { return classified.underlyingError }
        return FoundationErrors.reader?.underlying(error)
    }
}
