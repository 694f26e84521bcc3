/// A line as words, with quotes and backslashes as a shell reads them.
enum ShellWords {
    /// The words; nil if a quote is not closed or nothing follows a backslash. A `#` ends the line if comments are allowed.
    static func split(_ line: String, comments: Bool = false) -> [String]? {
        // Most lines have nothing that a shell would interpret.
        if !line.utf8.contains(where: { "\"'\\#".utf8.contains($0) }) {
            return line.utf8.split(whereSeparator: { [32, 9, 13, 10].contains($0) }).map { String($0) ?? "" }
        }
        var words: [String] = []
        var word: [UInt8]?
        var quote: UInt8?
        var isEscaped = false
        for byte in line.utf8 {
            if isEscaped {
                // Within double quotes only a quote and a backslash can be escaped.
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
}
