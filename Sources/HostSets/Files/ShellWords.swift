/// Splits a line into words, with quotes and backslashes as in a shell.
enum ShellWords {
    /// The words; nil for an unclosed quote or a trailing backslash. If comments are allowed, `#` ends the line.
    static func split(_ line: String, comments: Bool = false) -> [String]? {
        var line = line
        // Fast path: most lines have no shell syntax.
        if let words = line.withUTF8(plainWords) { return words }
        var words: [String] = []
        var word: [UInt8]?
        var quote: UInt8?
        var isEscaped = false
        for byte in line.utf8 {
            if isEscaped {
                // Inside double quotes a backslash can escape only a quote or a backslash.
                if quote != nil, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { word?.append(UInt8(ascii: "\\")) }
                if word == nil { word = [byte] } else { word?.append(byte) }
                isEscaped = false
            } else if let open = quote {
                if byte == open {
                    quote = nil
                } else if byte == UInt8(ascii: "\\"), open == UInt8(ascii: "\"") {
                    isEscaped = true
                } else {
                    word?.append(byte)
                }
            } else {
                switch byte {
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                    if let finished = word { words.append(String(decoding: finished, as: UTF8.self)) }
                    word = nil
                case UInt8(ascii: "#") where comments:
                    if let finished = word { words.append(String(decoding: finished, as: UTF8.self)) }
                    return words
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    quote = byte
                    word = word ?? []
                case UInt8(ascii: "\\"):
                    isEscaped = true
                    word = word ?? []
                default:
                    if word == nil { word = [byte] } else { word?.append(byte) }
                }
            }
        }
        if quote != nil || isEscaped { return nil }
        if let word { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// The words of a line without quotes, backslashes and comment characters; nil for other lines.
    private static func plainWords(_ line: UnsafeBufferPointer<UInt8>) -> [String]? {
        var words: [String] = []
        var start: Int?
        for (index, byte) in line.enumerated() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "#"): return nil
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                if let first = start { words.append(String(decoding: line[first..<index], as: UTF8.self)) }
                start = nil
            default: start = start ?? index
            }
        }
        if let start { words.append(String(decoding: line[start...], as: UTF8.self)) }
        return words
    }
}
