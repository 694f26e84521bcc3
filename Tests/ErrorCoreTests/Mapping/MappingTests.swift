import ErrorCore
import ErrorCoreTesting
import Foundation
import Testing

@Suite struct MappingTests {
    @Test("an AppError is itself", arguments: AppError.samples) func anAppErrorIsItself(_ error: AppError) {
        #expect(AppError(error) == error)
    }

    @Test("convertible errors convert themselves") func convertibleErrorsSayItThemselves() {
        #expect(AppError(ShopError.tooManyOrders(wait: .seconds(9))) == .apiRateLimited(retryAfter: 9))
        #expect(AppError(CancellationError()) == .cancelled)
    }

    @Test("the chain is followed if the outermost error is unknown") func theChainIsFollowedWhereTheOutermostIsUnknown() {
        #expect(AppError(SignInError.directory(URLError(.notConnectedToInternet))) == .networkUnavailable)
        let wrapped = NSError(domain: "app", code: 3, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOSPC)])
        #expect(AppError(wrapped) == .insufficientDiskSpace(required: 0, available: 0))
    }

    @Test("a circle of errors ends") func aCircleOfErrorsEnds() {
        struct Circle: ClassifiedError {
            var errorCode: String { "test.circle" }
            var underlyingError: (any Error)? { Circle() }
        }
        #expect(AppError(Circle()).kind == .unknown)
        #expect(ErrorProfile(Circle()).chain.count == ErrorChain.limit)
    }

    @Test("unknown errors do not show their values") func unknownErrorsDoNotShowTheirValues() {
        enum Vault: Error { case locked(pin: String), open }
        struct Token: Error { var secret = "hunter2" }
        struct Spoken: Error, CustomStringConvertible { var description: String { "it spoke" } }
        #expect(AppError(Vault.locked(pin: "hunter2")) == .unknown(message: "Vault.locked"))
        #expect(AppError(Vault.open) == .unknown(message: "Vault.open"))
        #expect(AppError(Token()) == .unknown(message: "Token"))
        #expect(AppError(Spoken()) == .unknown(message: "it spoke"))
        #expect(AppError(SignInError.wrongPassword) == .unknown(message: "The user name or the password is wrong."))
    }

    static let urlRows: [(URLError.Code, AppError.Kind)] = [
        (.notConnectedToInternet, .networkUnavailable), (.cannotConnectToHost, .networkUnavailable),
        (.networkConnectionLost, .networkUnavailable), (.timedOut, .timeout), (.cancelled, .cancelled),
        (.cannotFindHost, .dnsError), (.dnsLookupFailed, .dnsError), (.badURL, .invalidURL), (.unsupportedURL, .invalidURL),
        (.userAuthenticationRequired, .apiUnauthorized), (.secureConnectionFailed, .sslError),
        (.serverCertificateUntrusted, .sslError), (.badServerResponse, .apiDecodingError),
        (.zeroByteResource, .apiDecodingError), (.httpTooManyRedirects, .serverError), (.fileDoesNotExist, .fileNotFound),
        (.noPermissionsToReadFile, .filePermissionDenied), (.cannotCreateFile, .fileWriteError), (.unknown, .unknown),
    ]

    @Test("URL errors", arguments: urlRows) func urlErrors(_ code: URLError.Code, _ kind: AppError.Kind) throws {
        let scheme = kind == .invalidURL ? "gopher" : "https"
        let url = try #require(URL(string: "\(scheme)://me:hunter2@web.example/a?token=hunter2"))
        let error = AppError(URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: url]))
        #expect(error.kind == kind)
        #expect(!"\(error)".contains("hunter2"))
        #expect(AppError(NSError(domain: NSURLErrorDomain, code: code.rawValue)).kind == kind, "by its domain and code too")
        if kind == .dnsError { #expect(error == .dnsError(host: "web.example")) }
        if kind == .invalidURL { #expect(error == .invalidURL(string: "gopher://web.example/a")) }
    }

    @Test("hints supply missing facts") func hintsFillWhatAnErrorDoesNotSay() {
        #expect(AppError(URLError(.timedOut), hints: .init(timeoutSeconds: 15)) == .timeout(seconds: 15))
        #expect(AppError(POSIXError(.ENOENT), hints: .init(path: "/a")) == .fileNotFound(path: "/a"))
        #expect(AppError(POSIXError(.EIO), hints: .init(path: "/a", fileUse: .write)).kind == .fileWriteError)
    }

    static let posixRows: [(POSIXErrorCode, AppError.Kind)] = [
        (.ENOENT, .fileNotFound), (.EACCES, .filePermissionDenied), (.EPERM, .filePermissionDenied),
        (.ENOSPC, .insufficientDiskSpace), (.EDQUOT, .insufficientDiskSpace), (.EROFS, .fileWriteError),
        (.EEXIST, .fileWriteError), (.EISDIR, .fileReadError), (.EIO, .fileReadError), (.ECONNREFUSED, .networkUnavailable),
        (.ENETUNREACH, .networkUnavailable), (.EHOSTUNREACH, .networkUnavailable), (.ECONNRESET, .networkUnavailable),
        (.ETIMEDOUT, .timeout), (.ECANCELED, .cancelled), (.ENOMEM, .internalError), (.EMFILE, .internalError),
        (.EDOM, .unknown),
    ]

    @Test("POSIX errors", arguments: posixRows) func posixErrors(_ code: POSIXErrorCode, _ kind: AppError.Kind) {
        #expect(AppError(POSIXError(code)).kind == kind)
        #expect(AppError(NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))).kind == kind)
        #expect(AppError(systemError: code.rawValue).kind == kind)
    }

    static let cocoaRows: [(CocoaError.Code, AppError.Kind)] = [
        (.fileNoSuchFile, .fileNotFound), (.fileReadNoSuchFile, .fileNotFound), (.fileReadNoPermission, .filePermissionDenied),
        (.fileWriteNoPermission, .filePermissionDenied), (.fileWriteOutOfSpace, .insufficientDiskSpace),
        (.fileWriteVolumeReadOnly, .fileWriteError), (.fileReadCorruptFile, .fileReadError), (.fileReadUnknown, .fileReadError),
        (.fileWriteUnknown, .fileWriteError), (.userCancelled, .cancelled), (.propertyListReadCorrupt, .decodingError),
        (.coderValueNotFound, .decodingError), (.coderInvalidValue, .encodingError), (.keyValueValidation, .unknown),
    ]

    @Test("Cocoa errors", arguments: cocoaRows) func cocoaErrors(_ code: CocoaError.Code, _ kind: AppError.Kind) {
        let error = AppError(CocoaError(code, userInfo: [NSFilePathErrorKey: "/a/b"]))
        #expect(error.kind == kind)
        if let path = error.metadata["file_path"] { #expect(path == "/a/b") }
    }
}
