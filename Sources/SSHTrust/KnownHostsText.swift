/// The lines of a known_hosts file with their ends, so that what is not changed stays byte for byte.
struct KnownHostsText {
    private(set) var lines: [ArraySlice<UInt8>] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
    }

    var bytes: [UInt8] { Array(lines.joined()) }

    /// Adds a line, given without its terminator, and returns its line number.
    mutating func append(_ line: String) -> Int {
        if let last = lines.last, last.last != UInt8(ascii: "\n") {
            lines[lines.count - 1] = last + [UInt8(ascii: "\n")]
        }
        lines.append(ArraySlice(Array((line + "\n").utf8)))
        return lines.count
    }

    /// Replaces each line by what `change` makes of it, none included.
    ///
    /// - Parameter change: is given a line without its line feed, and its number from 1; nil leaves it as it is.
    mutating func replaceLines<Problem>(
        _ change: (ArraySlice<UInt8>, Int) throws(Problem) -> [[UInt8]]?
    ) throws(Problem) {
        var result: [ArraySlice<UInt8>] = []
        for (index, line) in lines.enumerated() {
            let isEnded = line.last == UInt8(ascii: "\n")
            guard let replacement = try change(isEnded ? line.dropLast() : line, index + 1) else {
                result.append(line)
                continue
            }
            for (place, new) in replacement.enumerated() {
                let isLast = place == replacement.count - 1
                result.append(ArraySlice(isEnded || !isLast ? new + [UInt8(ascii: "\n")] : new))
            }
        }
        lines = result
    }
}
