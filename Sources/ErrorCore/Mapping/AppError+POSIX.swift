#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension AppError {
    /// The case for an errno of this platform, with the path that it is about and how the file was used.
    ///
    /// Errors of sockets become network cases whatever the path.
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
