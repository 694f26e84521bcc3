#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AppError {
    /// The app-wide case that any error becomes.
    ///
    /// An ``AppErrorConvertible`` says it itself. Then the app's own mappers are asked (``ErrorMapper``). `CancellationError`,
    /// `URLError`, `DecodingError`, `EncodingError`, POSIX, Cocoa and Core Data errors are read by type and code, never by the
    /// words of a message; of an error that stays unknown, those under it are tried. What is left becomes
    /// ``unknown(message:)``.
    public init(_ error: any Error, hints: MappingHints = MappingHints()) {
        if let appError = error as? AppError {
            self = appError
            return
        }
        var candidate: (any Error)? = error
        for _ in 0..<ErrorChain.limit {
            guard let asked = candidate else { break }
            if let known = AppError(oneOf: asked, hints: hints) {
                self = known
                return
            }
            candidate = ErrorChain.underlying(asked)
        }
        self = .unknown(message: Self.harmlessDescription(of: error))
    }

    private init?(oneOf error: any Error, hints: MappingHints) {
        switch error {
        case let convertible as any AppErrorConvertible: self = convertible.appError
        default:
            guard let known = ErrorMapper.map(error, hints) ?? AppError(shipped: error, hints: hints) else { return nil }
            self = known
        }
    }

    private init?(shipped error: any Error, hints: MappingHints) {
        switch error {
        case is CancellationError: self = .cancelled
        case let error as DecodingError: self.init(decoding: error, type: hints.type)
        case let error as EncodingError: self.init(encoding: error, type: hints.type)
        default:
            guard let known = FoundationErrors.reader?.appError(for: error, hints: hints) else { return nil }
            self = known
        }
    }

    /// What an unknown error says of itself. A plain enum or struct is named without its values: they were not
    /// written to be shown, and may be secret.
    private static func harmlessDescription(of error: any Error) -> String {
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        // Foundation's own descriptions print user info, addresses with passwords included.
        if let text = FoundationErrors.reader?.description(of: error) { return text }
        if type(of: error) is any CustomStringConvertible.Type { return String(describing: error) }
        let mirror = Mirror(reflecting: error)
        let name = String(describing: type(of: error))
        guard mirror.displayStyle == .enum else { return name }
        return name + "." + (mirror.children.first?.label ?? String(describing: error))
    }
}
