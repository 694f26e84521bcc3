import ErrorCore
import Foundation

// Codes and keys of CoreData/CoreDataErrors.h. Core Data puts its errors into Cocoa's domain, and its module is Apple's only.
extension AppError {
    /// nil for a code that is not Core Data's.
    init?(coreData error: NSError) {
        // Several objects were not valid: the first of them says more than their number.
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
            // The versions are hashes of the model, which say nothing to a person.
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
