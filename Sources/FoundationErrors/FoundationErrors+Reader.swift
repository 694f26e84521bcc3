package import ErrorCore
package import Foundation

extension FoundationErrors: FoundationErrorReader {
    package static func appError(for error: any Error, hints: AppError.MappingHints) -> AppError? {
        if let error = error as? URLError { return AppError(url: error, hints: hints) }
        let error = error as NSError
        switch error.domain {
        case NSPOSIXErrorDomain:
            return AppError(
                systemError: Int32(truncatingIfNeeded: error.code), path: error.filePath ?? hints.path, use: hints.fileUse)
        case NSCocoaErrorDomain: return AppError(cocoa: error, hints: hints)
        case NSURLErrorDomain:
            // This initialiser fails for unknown codes on Linux, and never on Apple platforms.
            let code: URLError.Code? = URLError.Code(rawValue: error.code)
            return code.flatMap { AppError(url: URLError($0, userInfo: error.userInfo), hints: hints) }
        default: return nil
        }
    }

    package static func underlying(_ error: any Error) -> (any Error)? {
        (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    }

    package static func description(of error: any Error) -> String? {
        guard error is URLError || error is CocoaError || error is POSIXError || type(of: error) is NSError.Type else {
            return nil
        }
        return (error as NSError).localizedDescription
    }

    package static func identity(of error: any Error) -> (domain: String, code: Int) {
        let error = error as NSError
        return (error.domain, error.code)
    }

    package static func mayHaveBeenSent(_ error: any Error) -> Bool? {
        if let code = (error as? POSIXError)?.code {
            return [.ETIMEDOUT, .ECONNRESET, .ECONNABORTED, .EPIPE, .ENETRESET, .ENOTCONN].contains(code)
        }
        guard let code = (error as? URLError)?.code else { return nil }
        return ![
            .notConnectedToInternet, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .dataNotAllowed,
            .internationalRoamingOff, .callIsActive, .badURL, .unsupportedURL, .secureConnectionFailed,
            .serverCertificateHasBadDate, .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot,
            .serverCertificateUntrusted, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection, .userAuthenticationRequired, .resourceUnavailable,
        ].contains(code)
    }

    package static func callStack() -> [String] {
        Thread.callStackSymbols
    }
}

extension NSError {
    /// The path in a Foundation error.
    var filePath: String? {
        (userInfo[NSFilePathErrorKey] as? String) ?? (userInfo[NSURLErrorKey] as? URL)?.path
    }
}

/// Numbers in a locale's format. The formatters need the whole of Foundation.
extension FoundationErrors {
    package static func duration(seconds: Int, locale: Locale) -> String {
        Duration.seconds(seconds).formatted(
            .units(allowed: [.hours, .minutes, .seconds], width: .wide, zeroValueUnits: .hide).locale(locale))
    }

    package static func bytes(_ count: Int64, locale: Locale) -> String {
        count.formatted(.byteCount(style: .memory).locale(locale))
    }
}
