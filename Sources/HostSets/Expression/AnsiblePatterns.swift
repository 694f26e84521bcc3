/// An expression in Ansible's order: `web:!db:&eu`. Unions come first, then intersections, then exclusions.
struct AnsiblePatterns {
    struct Pattern {
        /// 0, `&` or `!`.
        var sign: UInt8
        var range: Range<Int>
    }

    var patterns: [Pattern]

    /// Parses an expression that uses Ansible's colon, or that has `!` or `&` where the other syntax needs a name; nil for other
    /// expressions.
    static func read(_ scanner: ExpressionScanner) throws(RangeProblem) -> AnsiblePatterns? {
        let bytes = scanner.bytes
        var patterns: [Pattern] = []
        var isAnsible = false
        var index = 0
        var mayBeSigned = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ",") || ExpressionScanner.isBlank(byte) {
                if byte == UInt8(ascii: ",") { mayBeSigned = true }
                index += 1
                continue
            }
            // A chunk is the text between commas and blanks.
            let pieces = try Self.pieces(scanner, from: &index)
            if pieces.count > 1 { isAnsible = true }
            for piece in pieces where !piece.isEmpty {
                let first = bytes[piece.lowerBound]
                let isSigned = first == UInt8(ascii: "!") || first == UInt8(ascii: "&")
                if isSigned, mayBeSigned { isAnsible = true }
                patterns.append(
                    isSigned
                        ? Pattern(sign: first, range: (piece.lowerBound + 1)..<piece.upperBound) : Pattern(sign: 0, range: piece))
            }
            mayBeSigned = false
        }
        guard isAnsible else { return nil }
        for pattern in patterns { try checkSigns(pattern, scanner) }
        return AnsiblePatterns(patterns: patterns)
    }

    /// Splits the chunk at `index` at its colons, except those of a port, an address, or a group's source.
    private static func pieces(_ scanner: ExpressionScanner, from index: inout Int) throws(RangeProblem) -> [Range<Int>] {
        let bytes = scanner.bytes
        var pieces: [Range<Int>] = []
        let start = index
        var pieceStart = index
        func joinsLast(_ piece: Range<Int>) -> Bool {
            guard let last = pieces.last, !last.isEmpty, bytes[last.lowerBound] != UInt8(ascii: "~") else { return false }
            let isSigned =
                !piece.isEmpty && (bytes[piece.lowerBound] == UInt8(ascii: "!") || bytes[piece.lowerBound] == UInt8(ascii: "&"))
            if bytes[last.lowerBound] == UInt8(ascii: "@"), !isSigned { return true }
            return !piece.isEmpty && bytes[piece].allSatisfy(isDigit)
        }
        while true {
            var end = pieceStart
            let bodyStart = pieceStart < bytes.count && "!&".utf8.contains(bytes[pieceStart]) ? pieceStart + 1 : pieceStart
            if bodyStart < bytes.count, bytes[bodyStart] == UInt8(ascii: "~") {
                end = try scanner.end(ofOperandAt: bodyStart)
            } else {
                end = bodyStart
                while end < bytes.count, bytes[end] != UInt8(ascii: ":"), bytes[end] != UInt8(ascii: ","),
                    !ExpressionScanner.isBlank(bytes[end])
                {
                    if bytes[end] == UInt8(ascii: "[") {
                        guard let close = bytes[end...].firstIndex(of: UInt8(ascii: "]")) else {
                            throw RangeProblem(message: "The bracket is not closed.", offset: end)
                        }
                        end = close
                    }
                    end += 1
                }
            }
            let piece = pieceStart..<end
            if joinsLast(piece), let last = pieces.popLast() {
                pieces.append(last.lowerBound..<end)
            } else {
                pieces.append(piece)
            }
            guard end < bytes.count, bytes[end] == UInt8(ascii: ":") else {
                index = end
                break
            }
            pieceStart = end + 1
        }
        let whole = String(decoding: bytes[start..<index], as: UTF8.self)
        let address = whole.lastIndex(of: "@").map { String(whole[whole.index(after: $0)...]) } ?? whole
        return IPv6.isAddress(address) ? [start..<index] : pieces.filter { !$0.isEmpty }
    }

    /// Rejects a mix of the two orders, which would be ambiguous.
    private static func checkSigns(_ pattern: Pattern, _ scanner: ExpressionScanner) throws(RangeProblem) {
        guard let first = scanner.bytes[pattern.range].first, first != UInt8(ascii: "~") else {
            if pattern.range.isEmpty {
                throw RangeProblem(message: "A name is missing after the sign.", offset: pattern.range.lowerBound)
            }
            return
        }
        for index in pattern.range {
            switch scanner.bytes[index] {
            case UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "^"):
                throw RangeProblem(
                    message: "Ansible's order and set algebra are mixed.", offset: index,
                    remedy: "Use either colons, as in web:!db:&eu, or operators between names, as in web!db&eu.")
            default: break
            }
        }
    }

    /// The patterns in the order in which Ansible applies them.
    var ordered: [Pattern] {
        patterns.filter { $0.sign == 0 } + patterns.filter { $0.sign == UInt8(ascii: "&") }
            + patterns.filter { $0.sign == UInt8(ascii: "!") }
    }
}
