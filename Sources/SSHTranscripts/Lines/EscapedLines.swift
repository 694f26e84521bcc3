/// Lines that a log carries in one: JSON and Python write an end of a line as `\n` or `\r\n`.
enum EscapedLines {
    /// How many lines one line may carry.
    private static let most = 256

    /// The lines of a line, without the blanks around them.
    static func split(_ line: String) -> [String] {
        guard line.mentions("\\n") || line.mentions("\\r"), !namesDrive(line) else { return [line] }
        var lines: [String] = []
        var rest = line[...]
        while lines.count < most,
            let end = [rest.firstPlace(of: "\\r"), rest.firstPlace(of: "\\n")].compactMap({ $0 }).min(by: {
                $0.lowerBound < $1.lowerBound
            })
        {
            lines.append(String(rest[..<end.lowerBound]).trimming(" \\"))
            rest = rest[end.upperBound...]
        }
        lines.append(String(rest).trimming(" "))
        return lines.filter { !$0.isEmpty }
    }

    /// `C:\new`: what follows its backslashes is no end of a line.
    private static func namesDrive(_ line: String) -> Bool {
        var rest = line[...]
        while let place = rest.firstPlace(of: ":\\") {
            if rest[..<place.lowerBound].last?.isLetter == true { return true }
            rest = rest[place.upperBound...]
        }
        return false
    }
}
