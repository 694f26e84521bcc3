import BridgeSSHFleet
import ErrorCore

extension VisibleText {
    /// The text of a line: control sequences escaped, tabs as spaces up to the next multiple of eight, and bytes that are not
    /// UTF-8 as `\xff`.
    static func line(_ bytes: some Collection<UInt8>) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(decoding: bytes, as: UTF8.self) }
        let text = decoded(bytes)
        guard text.contains("\t") else { return TerminalText.escape(text) }
        var line = ""
        for (index, part) in text.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { line += String(repeating: " ", count: 8 - TerminalText.columns(line) % 8) }
            line += TerminalText.escape(String(part))
        }
        return line
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var decoder = UTF8()
        var index = 0
        // The standard library's decoder does not say how many bytes an error takes, except by how many it has requested.
        while index < bytes.count {
            var end = index
            var source = AnyIterator { () -> UInt8? in
                guard end < bytes.count else { return nil }
                defer { end += 1 }
                return bytes[end]
            }
            decoder = UTF8()
            switch decoder.decode(&source) {
            case .scalarValue(let scalar):
                text.unicodeScalars.append(scalar)
                index += UTF8.width(scalar)
            case .emptyInput: index = bytes.count
            case .error:
                let digits = String(bytes[index], radix: 16)
                text += "\\x" + (digits.count < 2 ? "0" : "") + digits
                index += 1
            }
        }
        return text
    }
}
