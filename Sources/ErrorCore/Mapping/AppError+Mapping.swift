#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AppError {
    /// The app-wide case for any error.
    ///
    /// An ``AppErrorConvertible`` decides itself. Otherwise the app's own mappers are asked (``ErrorMapper``). Then
    /// `CancellationError`, `URLError`, `DecodingError`, `EncodingError`, POSIX, Cocoa and Core Data errors are mapped by type
    /// and code, never by message text. If an error stays unknown, its underlying errors are tried. Otherwise the case is
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

    /// The description of an unknown error. A plain enum is described by type and case, a plain struct by its type: their values
    /// were not meant for display, and may be secret.
    private static func harmlessDescription(of error: any Error) -> String {
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        // Foundation's own descriptions include the user info, which may hold URLs with passwords.
        if let text = FoundationErrors.reader?.description(of: error) { return text }
        if type(of: error) is any CustomStringConvertible.Type { return String(describing: error) }
        let mirror = Mirror(reflecting: error)
        let name = String(describing: type(of: error))
        guard mirror.displayStyle == .enum else { return name }
        return name + "." + (mirror.children.first?.label ?? String(describing: error))
    }
}

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension AppError {
    /// The case for an errno of this platform, with the path that it concerns and how the file was used.
    ///
    /// Socket errors become network cases, whatever the path.
    public init(systemError code: Int32, path: String? = nil, use: MappingHints.FileUse = .read) {
        if let known = Self.fileCase(code, path: path ?? "", use: use) ?? Self.networkCase(code) {
            self = known
            return
        }
        let text = String(cString: strerror(code))
        switch (code, path) {
        case (ECANCELED, _): self = .cancelled
        case (ENOMEM, _), (EMFILE, _), (ENFILE, _), (EBADF, _), (EFAULT, _): self = .internalError(detail: text)
        case (_, let path?) where use == .write: self = .fileWriteError(path: path, reason: text)
        case (_, let path?): self = .fileReadError(path: path, reason: text)
        case (EPERM, nil), (EACCES, nil): self = .filePermissionDenied(path: "")
        default: self = .unknown(message: text)
        }
    }

    private static func fileCase(_ code: Int32, path: String, use: MappingHints.FileUse) -> AppError? {
        switch code {
        case ENOENT: .fileNotFound(path: path)
        case EACCES, EPERM: .filePermissionDenied(path: path)
        case ENOSPC, EDQUOT: .insufficientDiskSpace(required: 0, available: 0)
        case EROFS: .fileWriteError(path: path, reason: Reason.readOnlyFileSystem.rawValue)
        case EEXIST: .fileWriteError(path: path, reason: Reason.exists.rawValue)
        case ENOTEMPTY: .fileWriteError(path: path, reason: Reason.directoryNotEmpty.rawValue)
        case EFBIG: .fileWriteError(path: path, reason: Reason.tooLargeToWrite.rawValue)
        case ETXTBSY: .fileWriteError(path: path, reason: Reason.beingExecuted.rawValue)
        case EISDIR: fileCase(path, use, .isDirectory)
        case ENOTDIR: fileCase(path, use, .pathNotDirectory)
        case ENAMETOOLONG: fileCase(path, use, .nameTooLong)
        case ELOOP: fileCase(path, use, .tooManyLinks)
        case EIO: fileCase(path, use, .inputOutput)
        default: nil
        }
    }

    private static func fileCase(_ path: String, _ use: MappingHints.FileUse, _ reason: Reason) -> AppError {
        use == .write
            ? .fileWriteError(path: path, reason: reason.rawValue) : .fileReadError(path: path, reason: reason.rawValue)
    }

    private static func networkCase(_ code: Int32) -> AppError? {
        switch code {
        case ECONNREFUSED, ECONNRESET, ECONNABORTED, ENETUNREACH, ENETDOWN, ENETRESET, EHOSTUNREACH, EHOSTDOWN, EADDRNOTAVAIL,
            ENOTCONN, EPIPE:
            .networkUnavailable
        case ETIMEDOUT: .timeout(seconds: 0)
        default: nil
        }
    }
}

/// Walks an error's underlying errors.
public enum ErrorChain {
    /// The greatest number of errors to follow: a chain may be circular.
    public static let limit = 16

    /// The error and its underlying errors, the outermost first: ``ClassifiedError/underlyingError``, else Foundation's
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

extension AppError {
    init(decoding error: DecodingError, type: String?) {
        let facts = CodingFacts(error)
        self = .decodingError(type: type ?? facts.type ?? Reason.expectedForm.rawValue, detail: facts.detail)
    }

    init(encoding error: EncodingError, type: String?) {
        guard case .invalidValue(let value, let context) = error else {
            self = .encodingError(type: type ?? Reason.value.rawValue, detail: "")
            return
        }
        // Leave out the value itself: it is the app's data.
        let place = CodingFacts.place(context.codingPath)
        self = .encodingError(
            type: type ?? String(describing: Swift.type(of: value)), detail: place.isEmpty ? context.debugDescription : place)
    }
}

/// The facts of a `DecodingError`, for people.
struct CodingFacts {
    /// The type that was expected.
    var type: String?
    /// The missing field, with its path.
    var missingField: String?
    var detail: String

    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            self.type = String(describing: type)
            detail = "\(Self.place(context.codingPath, else: "the whole")) is not \(self.type ?? "")"
        case .valueNotFound(let type, let context):
            self.type = String(describing: type)
            detail = "\(Self.place(context.codingPath, else: "the whole")) has no value"
        case .keyNotFound(let key, let context):
            let field = Self.place(context.codingPath + [key])
            missingField = field
            detail = "\(field) is missing"
        case .dataCorrupted(let context):
            let place = Self.place(context.codingPath)
            detail = place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
        @unknown default:
            detail = ""
        }
    }

    /// A coding path, written as in code: `user.addresses[2].street`.
    static func place(_ path: [any CodingKey], else whole: String = "") -> String {
        var result = ""
        for key in path {
            if let index = key.intValue {
                result += "[\(index)]"
            } else {
                result += (result.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return result.isEmpty ? whole : result
    }
}
