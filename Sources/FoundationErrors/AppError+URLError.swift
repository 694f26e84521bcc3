// On Linux, too, URLError is Foundation's own: NSError.swift of swift-corelibs-foundation declares it, and a program that
// imports Foundation alone and catches one is linked with neither FoundationNetworking nor libcurl (ldd; Swift 6.3.1).
// Only URLSession, which throws it, is in FoundationNetworking. scripts/check-consumer keeps it so.
import ErrorCore
import Foundation

extension AppError {
    /// nil for a code that says nothing by itself: the error under it may.
    init?(url error: URLError, hints: MappingHints) {
        switch error.code {
        case .notConnectedToInternet, .networkConnectionLost, .cannotConnectToHost, .dataNotAllowed, .internationalRoamingOff,
            .callIsActive, .cannotLoadFromNetwork:
            self = .networkUnavailable
        case .timedOut: self = .timeout(seconds: hints.timeoutSeconds ?? 0)
        case .cancelled, .userCancelledAuthentication: self = .cancelled
        case .cannotFindHost, .dnsLookupFailed: self = .dnsError(host: error.host)
        // Foundation on Linux says this, too, of a peer that does not speak HTTP (seen with 6.3: CURLE_UNSUPPORTED_PROTOCOL).
        case .unsupportedURL where ["http", "https"].contains(error.failingURL?.scheme):
            self = .apiDecodingError(type: hints.type ?? "an HTTP response", detail: "it does not follow HTTP")
        case .badURL, .unsupportedURL: self = .invalidURL(string: error.address)
        case .userAuthenticationRequired: self = .apiUnauthorized
        default:
            if let reason = Self.tlsFailures[error.code] {
                self = .sslError(description: reason)
            } else if let reason = Self.badAnswers[error.code] {
                self = .apiDecodingError(type: hints.type ?? "an HTTP response", detail: reason)
            } else if let reason = Self.serverFaults[error.code] {
                self = .serverError(status: 0, message: reason)
            } else if let known = AppError(urlFile: error, hints: hints) {
                self = known
            } else {
                return nil
            }
        }
    }

    private static let tlsFailures: [URLError.Code: String] = [
        .secureConnectionFailed: "the TLS handshake failed",
        .serverCertificateHasBadDate: "the server’s certificate has expired",
        .serverCertificateNotYetValid: "the server’s certificate is not valid yet",
        .serverCertificateHasUnknownRoot: "nobody trusted has signed the server’s certificate",
        .serverCertificateUntrusted: "the server’s certificate is not trusted",
        .clientCertificateRejected: "the server refused the client’s certificate",
        .clientCertificateRequired: "the server asks for a client certificate",
        .appTransportSecurityRequiresSecureConnection: "the address does not use TLS, which this app requires",
    ]

    private static let badAnswers: [URLError.Code: String] = [
        .badServerResponse: "it does not follow HTTP",
        .cannotParseResponse: "it cannot be parsed",
        .cannotDecodeRawData: "its content encoding cannot be undone",
        .cannotDecodeContentData: "its content encoding is not known",
        .zeroByteResource: "it is empty",
        .dataLengthExceedsMaximum: "it is longer than allowed",
        .downloadDecodingFailedMidStream: "its content encoding failed on the way",
        .downloadDecodingFailedToComplete: "its content encoding ended early",
    ]

    private static let serverFaults: [URLError.Code: String] = [
        .httpTooManyRedirects: "it redirects without end",
        .redirectToNonExistentLocation: "it redirects to nowhere",
        .resourceUnavailable: "it does not have what was asked for",
    ]

    private init?(urlFile error: URLError, hints: MappingHints) {
        let path = error.failingURL.flatMap { $0.isFileURL ? $0.path : nil } ?? hints.path ?? error.address
        switch error.code {
        case .fileDoesNotExist: self = .fileNotFound(path: path)
        case .fileIsDirectory: self = .fileReadError(path: path, reason: "it is a directory")
        case .noPermissionsToReadFile: self = .filePermissionDenied(path: path)
        case .cannotCreateFile, .cannotOpenFile: self = .fileWriteError(path: path, reason: "it cannot be created or opened")
        case .cannotWriteToFile, .cannotCloseFile: self = .fileWriteError(path: path, reason: "the download cannot be stored")
        case .cannotMoveFile, .cannotRemoveFile: self = .fileWriteError(path: path, reason: "it cannot be moved or removed")
        default: return nil
        }
    }
}

extension URLError {
    /// The address that failed, without what may be secret in it.
    fileprivate var address: String {
        failingURL?.absoluteString.withoutCredentials ?? ""
    }

    fileprivate var host: String {
        failingURL?.host ?? ""
    }
}
