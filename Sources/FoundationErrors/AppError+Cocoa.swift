import ErrorCore
import Foundation

extension AppError {
    /// nil for a code that says nothing by itself: the error under it may.
    init?(cocoa error: NSError, hints: MappingHints) {
        let path = error.filePath ?? hints.path ?? ""
        // An errno under it is the sharper fact ("is a directory" under "cannot be read"), save where both name a case.
        if let sharper = Self.systemError(under: error, path: path, use: Self.use(of: error.code, hints)) {
            self = sharper
            return
        }
        switch CocoaError.Code(rawValue: error.code) {
        case .fileNoSuchFile, .fileReadNoSuchFile: self = .fileNotFound(path: path)
        case .fileReadNoPermission, .fileWriteNoPermission: self = .filePermissionDenied(path: path)
        case .fileWriteOutOfSpace: self = .insufficientDiskSpace(required: 0, available: 0)
        case .userCancelled: self = .cancelled
        case .propertyListReadCorrupt, .propertyListReadUnknownVersion, .propertyListReadStream, .coderReadCorrupt,
            .coderValueNotFound:
            self = .decodingError(type: hints.type ?? Reason.expectedForm.rawValue, detail: error.localizedDescription)
        case .propertyListWriteStream, .propertyListWriteInvalid, .coderInvalidValue:
            self = .encodingError(type: hints.type ?? Reason.value.rawValue, detail: error.localizedDescription)
        case .featureUnsupported: self = .featureUnavailable(feature: error.localizedDescription)
        case .fileReadUnknown: self = .fileReadError(path: path, reason: "")
        case .fileWriteUnknown: self = .fileWriteError(path: path, reason: "")
        default:
            if let reason = Self.readFailures[error.code] {
                self = .fileReadError(path: path, reason: reason.rawValue)
            } else if let reason = Self.writeFailures[error.code] {
                self = .fileWriteError(path: path, reason: reason.rawValue)
            } else if let known = AppError(coreData: error) {
                self = known
            } else {
                return nil
            }
        }
    }

    private static func systemError(under error: NSError, path: String, use: MappingHints.FileUse) -> AppError? {
        guard fileCodes.contains(error.code), let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error else { return nil }
        let under = cause as NSError
        guard under.domain == NSPOSIXErrorDomain else { return nil }
        return AppError(systemError: Int32(truncatingIfNeeded: under.code), path: path, use: use)
    }

    /// Foundation's FoundationErrors.h gives file errors the codes 0 to 1023: reading from 256, writing from 512.
    private static let fileCodes = 0..<1024

    private static func use(of code: Int, _ hints: MappingHints) -> MappingHints.FileUse {
        switch code {
        case 256..<512: .read
        case 512..<1024: .write
        default: hints.fileUse
        }
    }

    private static let readFailures: [Int: Reason] = [
        CocoaError.Code.fileReadCorruptFile.rawValue: .damaged,
        CocoaError.Code.fileReadInvalidFileName.rawValue: .nameNotAllowed,
        CocoaError.Code.fileReadInapplicableStringEncoding.rawValue: .otherEncoding,
        CocoaError.Code.fileReadUnknownStringEncoding.rawValue: .unknownEncoding,
        CocoaError.Code.fileReadUnsupportedScheme.rawValue: .unreadableScheme,
        CocoaError.Code.fileReadTooLarge.rawValue: .tooLarge,
    ]

    private static let writeFailures: [Int: Reason] = [
        CocoaError.Code.fileWriteInvalidFileName.rawValue: .nameNotAllowed,
        CocoaError.Code.fileWriteFileExists.rawValue: .exists,
        CocoaError.Code.fileWriteInapplicableStringEncoding.rawValue: .doesNotFitEncoding,
        CocoaError.Code.fileWriteUnsupportedScheme.rawValue: .unwritableScheme,
        CocoaError.Code.fileWriteVolumeReadOnly.rawValue: .readOnlyFileSystem,
    ]
}
