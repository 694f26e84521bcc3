import BridgeSSHFleet
import ErrorCore

/// HTML or XML under construction. All markup comes from this program (`StaticString`); every other text is escaped when it is
/// added, so a host's text cannot become markup.
struct Markup: Sendable {
    typealias Attributes = KeyValuePairs<StaticString, String?>

    private(set) var bytes: [UInt8] = []

    /// Adds markup of this program's own, unescaped.
    mutating func fixed(_ text: StaticString) { append(text) }

    /// Adds an element whose content `content` adds.
    mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout Markup) throws -> Void
    ) rethrows {
        begin(name, attributes)
        bytes.append(UInt8(ascii: ">"))
        try content(&self)
        append("</")
        append(name)
        append(">\n")
    }

    /// Adds an element that contains text.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
        begin(name, attributes)
        bytes.append(UInt8(ascii: ">"))
        self.text(text)
        append("</")
        append(name)
        bytes.append(UInt8(ascii: ">"))
    }

    /// Adds an element without content, as XML and SVG write it.
    mutating func empty(_ name: StaticString, _ attributes: Attributes = [:]) {
        begin(name, attributes)
        append("/>")
    }

    /// Leaves out an attribute whose value is nil.
    private mutating func begin(_ name: StaticString, _ attributes: Attributes) {
        bytes.append(UInt8(ascii: "<"))
        append(name)
        for (name, value) in attributes {
            guard let value else { continue }
            bytes.append(UInt8(ascii: " "))
            append(name)
            append("=\"")
            escape(value, isAttribute: true)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Adds text. Escapes markup in it, and shows control and format characters as a terminal would.
    mutating func text(_ text: String) { escape(text, isAttribute: false) }

    /// Adds what a host wrote, line by line, including tabs and bytes that are not UTF-8.
    mutating func output(_ output: some BidirectionalCollection<UInt8>) {
        var isFirst = true
        for line in output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if !isFirst { bytes.append(UInt8(ascii: "\n")) }
            isFirst = false
            text(VisibleText.line(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func escape(_ text: String, isAttribute: Bool) {
        if !text.utf8.allSatisfy({ $0 == 0x0A || $0 >= 0x20 && $0 < 0x7F }) {
            return escape(plain: Self.withoutNoncharacters(TerminalText.escape(text)), isAttribute: isAttribute)
        }
        escape(plain: text, isAttribute: isAttribute)
    }

    private mutating func escape(plain text: String, isAttribute: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            case UInt8(ascii: "'"): append("&#39;")
            // XML would turn a line feed in an attribute into a space.
            case UInt8(ascii: "\n") where isAttribute: append("&#10;")
            default: bytes.append(byte)
            }
        }
    }

    /// XML 1.0 excludes U+FFFE and U+FFFF (section 2.2), and HTML excludes the other noncharacters, too.
    private static func withoutNoncharacters(_ text: String) -> String {
        func isNone(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
        }
        guard text.unicodeScalars.contains(where: isNone) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isNone($0) ? "\u{FFFD}" : $0 }))
    }
}
