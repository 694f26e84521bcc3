/// One `-----BEGIN …-----` block of a file, decoded (RFC 7468, with the headers of RFC 1421 that OpenSSL still writes).
struct Armor {
    /// The label after BEGIN, `RSA PRIVATE KEY` for example.
    var label: String
    /// `Proc-Type` and `DEK-Info` of an encrypted PEM file.
    var headers: [String: String]
    var body: SecretBytes

    /// The first line of a block, counted from 1, and the block's label.
    struct Opening: Equatable {
        var line: Int
        var label: String
    }

    /// All blocks that begin in the lines.
    static func openings(in lines: [ArraySlice<UInt8>]) -> [Opening] {
        lines.enumerated().compactMap { index, line in
            label(of: line, after: "-----BEGIN ").map { Opening(line: index + 1, label: $0) }
        }
    }

    /// Splits bytes into lines, without line ends (LF, CRLF or CR) and trailing blanks.
    static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let feed = UInt8(ascii: "\n")
        let carriageReturn = UInt8(ascii: "\r")
        let separator = bytes.contains(feed) ? feed : carriageReturn
        return bytes.split(separator: separator, omittingEmptySubsequences: false).map { line in
            var line = line
            while let last = line.last, last == carriageReturn || last == 0x20 || last == 0x09 { line = line.dropLast() }
            return line
        }
    }

    private static func label(of line: ArraySlice<UInt8>, after prefix: StaticString) -> String? {
        let dashes = Array("-----".utf8)
        let start = prefix.withUTF8Buffer { Array($0) }
        guard line.starts(with: start), line.suffix(5).elementsEqual(dashes), line.count > start.count + 5 else { return nil }
        return String(decoding: line.dropFirst(start.count).dropLast(5), as: UTF8.self)
    }

    /// Decodes the block that begins at `opening`.
    ///
    /// Text after the END line is ignored, as OpenSSH does.
    init(_ opening: Opening, in lines: [ArraySlice<UInt8>]) throws(KeyDefect) {
        label = opening.label
        var index = opening.line
        headers = [:]
        if index < lines.count, lines[index].contains(UInt8(ascii: ":")) { headers = Self.headers(in: lines, at: &index) }
        let first = index
        while index < lines.count, !lines[index].starts(with: Array("-----".utf8)) { index += 1 }
        guard index < lines.count, let end = Self.label(of: lines[index], after: "-----END ") else {
            throw KeyDefect(
                .formatInvalid, "The file is cut off: the END line of the block that begins on line \(opening.line) is missing.")
        }
        guard end == opening.label else {
            throw KeyDefect(.formatInvalid, "The END line \(index + 1) does not match the BEGIN line \(opening.line).")
        }
        body = try Self.decode(lines[first..<index], firstLine: first + 1)
    }

    /// Reads `name: value` lines up to an empty line, and moves `index` past it.
    private static func headers(in lines: [ArraySlice<UInt8>], at index: inout Int) -> [String: String] {
        var headers: [String: String] = [:]
        while index < lines.count, let colon = lines[index].firstIndex(of: UInt8(ascii: ":")) {
            let value = lines[index][(colon + 1)...].drop { $0 == 0x20 }
            headers[String(decoding: lines[index][..<colon], as: UTF8.self)] = String(decoding: value, as: UTF8.self)
            index += 1
        }
        if index < lines.count, lines[index].isEmpty { index += 1 }
        return headers
    }

    private static func decode(_ lines: ArraySlice<ArraySlice<UInt8>>, firstLine: Int) throws(KeyDefect) -> SecretBytes {
        let characterCount = lines.reduce(0) { $0 + $1.count }
        guard characterCount > 0 else {
            throw KeyDefect(.formatInvalid, "There is nothing between the BEGIN and END lines.")
        }
        return try SecretBytes(capacity: characterCount) { (memory) throws(KeyDefect) in
            var decoder = Base64Decoder()
            var count = 0
            for (offset, line) in lines.enumerated() {
                for character in line {
                    let accepted = decoder.accept(character) { byte in
                        memory[count] = byte
                        count += 1
                    }
                    guard accepted else {
                        throw KeyDefect(.formatInvalid, "Line \(firstLine + offset) is not base64: the file is damaged.")
                    }
                }
            }
            guard decoder.isComplete else {
                throw KeyDefect(
                    .formatInvalid,
                    "The base64 text that ends on line \(firstLine + lines.count - 1) is incomplete: a part is missing.")
            }
            return count
        }
    }
}
