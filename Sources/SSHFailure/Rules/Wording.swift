internal import ErrorCore

/// Small change of the sentences that rules make.
extension String {
    /// One line of at most `limit` characters: line ends, control characters and those that reorder text become spaces.
    package func oneLine(_ limit: Int = 300) -> String {
        var line = ""
        var count = 0
        for character in self {
            if count == limit { return line + "…" }
            let isShown = character.unicodeScalars.allSatisfy { TerminalText.isHarmless($0) && $0 != "\n" }
            // A character may have any number of combining marks.
            line.append(isShown && character.utf8.count <= 64 ? character : " ")
            count += 1
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// As one word of a POSIX shell, quoted only where it has to be.
    package var shellWord: String {
        let plain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "@%+=:,./_-~".utf8.contains(byte)
                }
            }
        return plain ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// With its first letter in upper case.
    package var sentence: String { prefix(1).uppercased() + dropFirst() }

    /// Ended like a sentence.
    package var ended: String {
        guard let last else { return self }
        return ".!?…。".contains(last) ? self : self + "."
    }
}

extension Double {
    /// `15 seconds`, `1 second`, `0.5 seconds`.
    package var inSeconds: String {
        guard isFinite, magnitude < 1e9 else { return "some time" }
        let tenths = (self * 10).rounded()
        if tenths == 10 { return "1 second" }
        if tenths.truncatingRemainder(dividingBy: 10) == 0 { return "\(Int(tenths / 10)) seconds" }
        return "\(tenths / 10) seconds"
    }

    /// Whole seconds, rounded up, within what an `AppError` carries.
    var wholeSeconds: Int {
        guard isFinite, self > 0 else { return 0 }
        return self < 1e9 ? Int(rounded(.up)) : 1_000_000_000
    }
}

extension [String] {
    /// `a, b and c`, at most `limit` of them.
    package func listed(_ limit: Int = 6) -> String {
        let shown = count > limit ? Array(prefix(limit)) + ["\(count - limit) more"] : self
        guard let last = shown.last else { return "nothing" }
        return shown.count == 1 ? last : shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
