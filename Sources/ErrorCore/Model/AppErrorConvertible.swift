/// An error of a feature or library that knows its app-wide case.
public protocol AppErrorConvertible: Error {
    /// The app-wide case for this error.
    var appError: AppError { get }
}
