package import ErrorCore
package import Foundation

/// Numbers as a locale writes them: the formatters need the whole of Foundation.
extension FoundationErrors {
    package static func duration(seconds: Int, locale: Locale) -> String {
        Duration.seconds(seconds).formatted(
            .units(allowed: [.hours, .minutes, .seconds], width: .wide, zeroValueUnits: .hide).locale(locale))
    }

    package static func bytes(_ count: Int64, locale: Locale) -> String {
        count.formatted(.byteCount(style: .memory).locale(locale))
    }
}
