/// A parsed line of a configuration file.
package struct ConfigurationLine: Sendable {
    /// In lower case.
    let keyword: String
    /// The rest of the line after the keyword, without white space at its ends.
    let rest: ArraySlice<UInt8>
    /// The words after the keyword, up to a comment.
    let arguments: [String]

    /// Nil for an empty line and a comment.
    init?(_ bytes: some Sequence<UInt8>) throws(LineProblem) {
        // A C string ends at its first NUL.
        var text = bytes.prefix { $0 != 0 }[...]
        while let last = text.last, text.count > 1, Self.isSpace(last) || last == 0x0C { text.removeLast() }
        var words = DelimitedWords(text)
        var keyword = words.next()
        if keyword?.isEmpty == true { keyword = words.next() }
        guard let keyword, let first = keyword.first, first != UInt8(ascii: "#") else { return nil }
        self.keyword = String(decoding: keyword.map(\.lowercasedASCII), as: UTF8.self)
        rest = (words.rest ?? []).drop(while: Self.isSpace)
        guard !rest.isEmpty else { throw LineProblem("nothing follows the keyword \(self.keyword); give it a value") }
        guard let arguments = Self.split(rest) else { throw LineProblem("a quote is opened and not closed; close it") }
        self.arguments = arguments
    }

    /// White space within a line.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }

    /// Splits at spaces and tabs. Quotes of either kind join words, also in the middle of a word; a backslash escapes a quote,
    /// a backslash and, outside quotes, a space. `#` starts a comment where a word could start.
    ///
    /// Nil if a quote is not closed.
    ///
    /// - Parameter endingAtComment: false where `#` has no meaning, as in a command.
    package static func split(_ text: ArraySlice<UInt8>, endingAtComment: Bool = true) -> [String]? {
        let (quotes, backslash) = ([UInt8(ascii: "\""), UInt8(ascii: "'")], UInt8(ascii: "\\"))
        let isGap = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var words: [String] = []
        var rest = text.drop(while: isGap)
        while let first = rest.first, !endingAtComment || first != UInt8(ascii: "#") {
            var word: [UInt8] = []
            var quote: UInt8?
            while let byte = rest.first, quote != nil || !isGap(byte) {
                rest.removeFirst()
                if byte == backslash, let next = rest.first,
                    next == backslash || quotes.contains(next) || (quote == nil && next == 0x20)
                {
                    word.append(rest.removeFirst())
                } else if byte == quote {
                    quote = nil
                } else if quote == nil, quotes.contains(byte) {
                    quote = byte
                } else {
                    word.append(byte)
                }
            }
            if quote != nil { return nil }
            words.append(String(decoding: word, as: UTF8.self))
            rest = rest.drop(while: isGap)
        }
        return words
    }
}

/// The older way to split words off a line, which the keyword itself and the criteria of `Match` still follow: a word ends at
/// white space, at one `=`, or with a closing quote.
struct DelimitedWords {
    /// The text that has not been read; nil once the end was reached.
    private(set) var rest: ArraySlice<UInt8>?

    init(_ text: ArraySlice<UInt8>) { rest = text }

    /// Whether no text is left.
    var isAtEnd: Bool { rest?.isEmpty ?? true }

    /// The next word, which may be empty; nil at the end, and if a quote is not closed.
    mutating func next() -> [UInt8]? {
        guard let text = rest else { return nil }
        let (quote, equals) = (UInt8(ascii: "\""), UInt8(ascii: "="))
        guard let stop = text.firstIndex(where: { ConfigurationLine.isSpace($0) || $0 == quote || $0 == equals }) else {
            rest = nil
            return Array(text)
        }
        var tail = text[(stop + 1)...]
        if text[stop] == quote {
            guard let close = tail.firstIndex(of: quote) else {
                rest = nil
                return nil
            }
            rest = text[(close + 1)...].drop(while: ConfigurationLine.isSpace)
            return Array(text[..<stop]) + Array(tail[..<close])
        }
        tail = tail.drop(while: ConfigurationLine.isSpace)
        if text[stop] != equals, tail.first == equals { tail = tail.dropFirst().drop(while: ConfigurationLine.isSpace) }
        rest = tail
        return Array(text[..<stop])
    }
}
