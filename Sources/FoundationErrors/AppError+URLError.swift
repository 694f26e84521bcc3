// On Linux, too, URLError belongs to Foundation: NSError.swift of swift-corelibs-foundation declares it. A program that imports
// Foundation only and catches a URLError links neither FoundationNetworking nor libcurl (ldd; Swift 6.3.1). Only URLSession,
// which throws it, is in FoundationNetworking. scripts/check-consumer verifies this.
import ErrorCore
import Foundation

extension AppError {
    /// nil for a code that says nothing by itself; the underlying error may.
    init?(url error: URLError, hints: MappingHints) {
        switch error.code {
        case .notConnectedToInternet, .networkConnectionLost, .cannotConnectToHost, .dataNotAllowed, .internationalRoamingOff,
            .callIsActive, .cannotLoadFromNetwork:
            self = .networkUnavailable
        case .timedOut: self = .timeout(seconds: hints.timeoutSeconds ?? 0)
        case .cancelled, .userCancelledAuthentication: self = .cancelled
        case .cannotFindHost, .dnsLookupFailed: self = .dnsError(host: error.host)
        // Foundation on Linux also reports this for a peer that does not speak HTTP (seen with 6.3: CURLE_UNSUPPORTED_PROTOCOL).
        case .unsupportedURL where ["http", "https"].contains(error.failingURL?.scheme):
            self = .apiDecodingError(type: hints.type ?? Reason.httpResponse.rawValue, detail: Reason.notHTTP.rawValue)
        case .badURL, .unsupportedURL: self = .invalidURL(string: error.address)
        case .userAuthenticationRequired: self = .apiUnauthorized
        default:
            if let reason = Self.tlsFailures[error.code] {
                self = .sslError(description: reason.rawValue)
            } else if let reason = Self.badAnswers[error.code] {
                self = .apiDecodingError(type: hints.type ?? Reason.httpResponse.rawValue, detail: reason.rawValue)
            } else if let reason = Self.serverFaults[error.code] {
                self = .serverError(status: 0, message: reason.rawValue)
            } else if let known = AppError(urlFile: error, hints: hints) {
                self = known
            } else {
                return nil
            }
        }
    }

    private static let tlsFailures: [URLError.Code: Reason] = [
        .secureConnectionFailed: .handshakeFailed,
        .serverCertificateHasBadDate: .certificateExpired,
        .serverCertificateNotYetValid: .certificateNotYetValid,
        .serverCertificateHasUnknownRoot: .certificateUnknownRoot,
        .serverCertificateUntrusted: .certificateUntrusted,
        .clientCertificateRejected: .clientCertificateRejected,
        .clientCertificateRequired: .clientCertificateRequired,
        .appTransportSecurityRequiresSecureConnection: .tlsRequired,
    ]

    private static let badAnswers: [URLError.Code: Reason] = [
        .badServerResponse: .notHTTP,
        .cannotParseResponse: .cannotBeParsed,
        .cannotDecodeRawData: .encodingNotUndone,
        .cannotDecodeContentData: .contentEncodingUnknown,
        .zeroByteResource: .empty,
        .dataLengthExceedsMaximum: .longerThanAllowed,
        .downloadDecodingFailedMidStream: .encodingFailedMidway,
        .downloadDecodingFailedToComplete: .encodingEndedEarly,
    ]

    private static let serverFaults: [URLError.Code: Reason] = [
        .httpTooManyRedirects: .endlessRedirect,
        .redirectToNonExistentLocation: .redirectsNowhere,
        .resourceUnavailable: .notThere,
    ]

    private init?(urlFile error: URLError, hints: MappingHints) {
        let path = error.failingURL.flatMap { $0.isFileURL ? $0.path : nil } ?? hints.path ?? error.address
        switch error.code {
        case .fileDoesNotExist: self = .fileNotFound(path: path)
        case .fileIsDirectory: self = .fileReadError(path: path, reason: Reason.isDirectory.rawValue)
        case .noPermissionsToReadFile: self = .filePermissionDenied(path: path)
        case .cannotCreateFile, .cannotOpenFile: self = .fileWriteError(path: path, reason: Reason.cannotBeOpened.rawValue)
        case .cannotWriteToFile, .cannotCloseFile: self = .fileWriteError(path: path, reason: Reason.downloadNotStored.rawValue)
        case .cannotMoveFile, .cannotRemoveFile: self = .fileWriteError(path: path, reason: Reason.cannotBeMoved.rawValue)
        default: return nil
        }
    }
}

extension URLError {
    /// The URL of the failed request, without anything that may be secret.
    fileprivate var address: String {
        failingURL?.absoluteString.withoutCredentials ?? ""
    }

    fileprivate var host: String {
        failingURL?.host ?? ""
    }
}
