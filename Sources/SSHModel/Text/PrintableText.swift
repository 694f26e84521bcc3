/// Makes untrusted text safe for a terminal.
package enum PrintableText {
    /// `text` with each control or invisible character written as `\u{…}`.
    package static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isControl {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A name from an untrusted file, made safe for a sentence: at most 64 printable ASCII characters.
package func printable(_ name: String, spaces: Bool = false) -> String {
    let allowed: ClosedRange<UInt8> = spaces ? 0x20...0x7E : 0x21...0x7E
    let shown = name.utf8.prefix(64).map { allowed.contains($0) ? $0 : UInt8(ascii: "?") }
    return shown.isEmpty ? "an unnamed kind" : String(decoding: shown, as: UTF8.self)
}

extension Unicode.Scalar {
    /// Whether a terminal would act on this character, or hide or reorder text, instead of showing it.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
