import ErrorCore
import Foundation

extension AppError {
    /// nil for a code that says nothing by itself; the underlying error may.
    init?(cocoa error: NSError, hints: MappingHints) {
        let path = error.filePath ?? hints.path ?? ""
        // An underlying errno is more precise ("is a directory" under "cannot be read"), unless both name a case.
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

    /// Foundation's FoundationErrors.h uses the codes 0 to 1023 for file errors: from 256 for reading, from 512 for writing.
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

// Codes and keys of CoreData/CoreDataErrors.h. Core Data uses Cocoa's error domain, and exists on Apple platforms only.
extension AppError {
    /// nil for a code that does not belong to Core Data.
    init?(coreData error: NSError) {
        // Several objects were invalid: the first one says more than their number.
        if error.code == 1560 {
            let details = error.userInfo["NSDetailedErrors"] as? [NSError]
            let first = details?.first.flatMap { $0.code == 1560 ? nil : AppError(coreData: $0) }
            self = first ?? .validationError(field: "", message: Reason.severalInvalid.rawValue)
        } else if let reason = Self.validationReasons[error.code] {
            let key = error.userInfo["NSValidationErrorKey"] as? String
            self = .validationError(field: key ?? "", message: reason.rawValue)
        } else if let (operation, reason) = Self.storeFailures[error.code] {
            self = .databaseError(operation: operation, detail: reason.rawValue)
        } else if let reason = Self.migrationReasons[error.code] {
            // The versions are hashes of the model, and mean nothing to a person.
            self = .migrationError(from: -1, to: -1, reason: reason.rawValue)
        } else {
            return nil
        }
    }

    private static let validationReasons: [Int: Reason] = [
        1550: .valueInvalid, 1551: .constraintViolated, 1570: .valueRequired, 1580: .relationTooFew, 1590: .relationTooMany,
        1600: .deleteDenied, 1610: .numberTooLarge, 1620: .numberTooSmall, 1630: .dateTooLate, 1640: .dateTooEarly,
        1650: .valueInvalid, 1660: .textTooLong, 1670: .textTooShort, 1680: .textPattern,
    ]

    private static let storeFailures: [Int: (operation: String, reason: Reason)] = [
        133000: ("read an object", .objectGone), 133010: ("read an object", .objectGone),
        133020: ("save the changes", .changedElsewhere), 133021: ("save the changes", .constraintViolated),
        134000: ("open the store", .storeNotOpened), 134010: ("open the store", .storeNotOpened),
        134020: ("open the store", .storeNotOpened), 134030: ("save the changes", .storeNotSaved),
        134040: ("save the changes", .storeNotSaved), 134050: ("save the changes", .changedElsewhere),
        134060: ("use the store", .storeNotOpened), 134070: ("use the store", .storeNotOpened),
        134080: ("open the store", .storeNotOpened), 134090: ("open the store", .storeNotOpened),
    ]

    private static let migrationReasons: [Int: Reason] = [
        134100: .otherVersion, 134110: .migrationFailed, 134111: .migrationFailed, 134120: .migrationModelMissing,
        134130: .migrationModelMissing, 134140: .migrationModelMissing, 134150: .migrationFailed, 134160: .migrationFailed,
        134170: .migrationFailed, 134190: .migrationFailed,
    ]
}
