/// An error of a feature or a library that knows which app-wide error it is.
public protocol AppErrorConvertible: Error {
    /// The app-wide case that it becomes.
    var appError: AppError { get }
}
