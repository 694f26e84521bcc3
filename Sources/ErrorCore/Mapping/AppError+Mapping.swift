extension AppError {
    /// The app-wide case that any error becomes.
    public init(_ error: any Error) {
        if let known = error as? any AppErrorConvertible {
            self = known.appError
        } else {
            self = .unknown(message: (error as? any UserFacingError)?.userMessage ?? String(describing: error))
        }
    }
}
