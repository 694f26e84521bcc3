internal import SSHFailure

/// Undoes what word processors, weblogs and forums do to pasted output.
enum PastedText {
    /// The text without terminal codes, and with the quotation marks that programs write: ‘Load key “id_rsa”’.
    static func plain(_ text: String) -> String {
        withPlainMarks(withPlainBlanks(TerminalCodes.removed(from: text)))
    }

    /// The text with plain blanks.
    static func withPlainBlanks(_ text: String) -> String {
        var text = text
        return text.withUTF8 { withPlainBlanks($0) }.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The bytes with plain blanks. Pages keep words together with U+00A0, and allow breaks in words with U+200B.
    ///
    /// - Returns: nil if the bytes have none of these.
    static func withPlainBlanks(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let spaced = bytes.replacing([0xC2, 0xA0], with: [0x20]) else {
            return bytes.replacing([0xE2, 0x80, 0x8B], with: [])
        }
        return spaced.withUnsafeBufferPointer { $0.replacing([0xE2, 0x80, 0x8B], with: []) } ?? spaced
    }

    /// The text with plain quotation marks. The others begin with the bytes E2 80, or are written for HTML or Markdown:
    /// `kex\_exchange\_identification`.
    static func withPlainMarks(_ text: String) -> String {
        guard hasMark(text) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "&"), let (entity, mark) = entities.first(where: { rest.starts(with: $0.0) }) {
                bytes.append(mark)
                rest = rest.dropFirst(entity.count)
                continue
            }
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "_") { continue }
            if byte == 0xEF, rest.starts(with: wideColon) {
                bytes += [UInt8(ascii: ":"), UInt8(ascii: " ")]
                rest = rest.dropFirst(3)
                continue
            }
            guard byte == 0xE2, rest.first == 0x80, let last = rest.dropFirst().first, let mark = mark(last) else {
                bytes.append(byte)
                continue
            }
            bytes.append(mark)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `=&gt; {&quot;msg&quot;: …`: marks in the source of a page, without `&`.
    private static let entities: [([UInt8], UInt8)] = [
        ("quot;", "\""), ("gt;", ">"), ("lt;", "<"), ("#39;", "'"), ("#x27;", "'"), ("amp;", "&"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

    /// U+FF1A, which a Chinese keyboard writes for a colon, after its first byte, and the blank that a message has there:
    /// `FATAL ERROR： Network error： Connection refused`.
    private static let wideColon: [UInt8] = [0xBC, 0x9A, 0x20]

    private static func hasMark(_ text: String) -> Bool {
        var (last, middle): (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            if byte == 0x9A, last == 0xBC, middle == 0xEF { return true }
            if middle == 0xE2, last == 0x80, mark(byte) != nil { return true }
            if last == UInt8(ascii: "&"), byte == UInt8(ascii: "#") || byte | 0x20 >= UInt8(ascii: "a") { return true }
            if last == UInt8(ascii: "\\"), byte == UInt8(ascii: "_") { return true }
            (middle, last) = (last, byte)
        }
        return false
    }

    /// The plain mark for one with this last byte.
    private static func mark(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x98, 0x99: UInt8(ascii: "'")
        case 0x9C, 0x9D: UInt8(ascii: "\"")
        default: nil
        }
    }

    /// Words of lines that are read only because of `plain(_:)` and `parts(of:)`.
    static let words = programs.map { "\($0).exe: " } + ["&quot;", "&#39;", "&#x27;", "=&gt;", "\\_", "\u{FF1A} "]

    private static let programs = ["ssh", "scp", "sftp"]

    /// The lines of ssh in one line, in the form in which ssh writes them: `port 22: Connection refusedERROR: (gcloud.compute.ssh)`.
    static func parts(of written: String) -> [String] {
        let line = withSingleBlanks(written)
        if line.mentions(".exe: ") { return [withoutPath(line)] }
        if line.hasPrefix("ssh: "), let place = line.firstPlace(of: "ERROR: (gcloud.") {
            return [String(line[..<place.lowerBound]), String(line[place.lowerBound...])]
        }
        if line.hasPrefix("debug") { return unjoined(line) }
        if line.mentions(" at ") { return unstacked(line) }
        // The beginning of a trace, with the others after it.
        guard line.mentions("OpenSSH_"), line.mentions(" debug1: ") else { return [line] }
        return unjoined(line).flatMap(withoutEnding)
    }

    /// The line with one blank between two words where a wrapped line left two: `ssh: unable to  authenticate`.
    private static func withSingleBlanks(_ line: String) -> String {
        guard line.mentions("  ") else { return line }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let bytes = Array(line.utf8)
        let kept = bytes.indices.filter { place in
            bytes[place] != UInt8(ascii: " ") || place < 2 || place + 1 >= bytes.count || bytes[place - 1] != UInt8(ascii: " ")
                || !letters.contains(bytes[place - 2]) || !letters.contains(bytes[place + 1])
        }
        return kept.count == bytes.count ? line : String(decoding: kept.map { bytes[$0] }, as: UTF8.self)
    }

    /// The last message of ssh, after the debug message before it.
    private static func withoutEnding(_ line: String) -> [String] {
        guard line.hasPrefix("debug"), let place = endings.compactMap({ line.firstPlace(of: $0)?.lowerBound }).min() else {
            return [line]
        }
        return [String(line[..<place]), String(line[place...].dropFirst())]
    }

    private static let endings = [
        " Unable to negotiate with ", " Permission denied (", " Connection closed by ", " Connection reset by ",
        " Host key verification failed.", " Received disconnect from ",
    ]

    /// `C:\Windows\System32\OpenSSH\scp.exe: Connection closed`: Windows passes a program its file as its name.
    private static func withoutPath(_ line: String) -> String {
        for program in programs {
            guard let place = line.firstPlace(of: "\(program).exe: "),
                place.lowerBound == line.startIndex
                    || line[..<place.lowerBound].last == "\\" && line[..<place.lowerBound].mentions(":\\")
            else { continue }
            return "\(program): \(line[place.upperBound...])"
        }
        return line
    }

    /// A message and its stack in one line: `SshException: Failure   at Renci.SshNet.Session.Connect()   at …`.
    private static func unstacked(_ line: String) -> [String] {
        var lines: [String] = []
        var (rest, search) = (line[...], line[...])
        while lines.count < 256, let place = search.firstPlace(of: " at ") {
            search = search[place.upperBound...]
            // A frame is a name with points and its parameters.
            let name = search.prefix { $0.isLetter || $0.isNumber || "._$<>`+".contains($0) }
            guard name.contains("."), search[name.endIndex...].first == "(" else { continue }
            lines.append(String(rest[..<place.lowerBound]).trimming(" "))
            rest = line[place.lowerBound...].dropFirst()
        }
        return lines.count < 2 ? [line] : lines + [String(rest)]
    }

    /// Debug messages that were joined by blanks: `debug1: Connection established. debug1: identity file …`.
    private static func unjoined(_ line: String) -> [String] {
        var lines: [String] = []
        var rest = line[...]
        while lines.count < 256,
            let place = [" debug1: ", " debug2: ", " debug3: ", " @@@@@@@@"].compactMap({ rest.firstPlace(of: $0) })
                .min(by: { $0.lowerBound < $1.lowerBound })
        {
            lines.append(String(rest[..<place.lowerBound]))
            rest = rest[place.lowerBound...].dropFirst()
            // The frame of a warning goes on to the end.
            if rest.hasPrefix("@") { break }
        }
        return lines.isEmpty ? [line] : lines + [String(rest).trimming("@ ")]
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Returns: nil if the bytes do not contain the words.
    fileprivate func replacing(_ words: [UInt8], with others: [UInt8]) -> [UInt8]? {
        words.withUnsafeBufferPointer { words in
            guard var place = firstOffset(of: words) else { return nil }
            var (result, start): ([UInt8], Int) = ([], 0)
            result.reserveCapacity(count)
            while true {
                result += self[start..<place] + others
                start = place + words.count
                guard let next = Self(rebasing: self[start...]).firstOffset(of: words) else { break }
                place = start + next
            }
            return result + self[start...]
        }
    }
}
