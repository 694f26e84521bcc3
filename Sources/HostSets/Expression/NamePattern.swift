/// A name of an expression with its ranges. `r[1-4]n[01-16].lan` is text, range, text, range, text.
struct NamePattern {
    enum Piece {
        case text(ArraySlice<UInt8>)
        case numbers([NumberRange])
    }

    private(set) var pieces: [Piece] = []
    /// A notice for the person who wrote it.
    private(set) var notice: String?

    /// Parses `bytes`, a part of an expression without operators outside brackets.
    init(_ bytes: ArraySlice<UInt8>) throws(RangeProblem) {
        var index = bytes.startIndex
        var textStart = index
        func offset(_ index: Int) -> Int { index - bytes.startIndex }
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "]") {
                throw RangeProblem(message: "A ] has no opening bracket.", offset: offset(index))
            }
            guard bytes[index] == UInt8(ascii: "[") else {
                index += 1
                continue
            }
            guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "]")) else {
                throw RangeProblem(message: "The bracket is not closed.", offset: offset(index))
            }
            var text = bytes[textStart..<index]
            var inner = bytes[(index + 1)..<close]
            var after = close + 1
            do throws(RangeProblem) {
                var ranges = try NumberRange.parse(inner)
                // Digits beside a bracket belong to its numbers, so the names are the same as when written out.
                let trailing = bytes[after...].prefix(while: isDigit)
                if !trailing.isEmpty {
                    inner = try NumberRange.appending(trailing, to: inner)[...]
                    ranges = try NumberRange.parse(inner)
                    after += trailing.count
                }
                let leading = text.reversed().prefix(while: isDigit).count
                if leading > 0 {
                    let digits = text.suffix(leading)
                    let numbers = try NumberRange.prepending(digits, to: inner)
                    if try Self.mixesPadding(digits: leading, inner, numbers) {
                        let read = String(decoding: numbers, as: UTF8.self)
                        notice =
                            "\(String(decoding: digits, as: UTF8.self))[\(String(decoding: inner, as: UTF8.self))] is read as "
                            + "[\(read)], as nodeset reads it."
                    }
                    ranges = try NumberRange.parse(numbers[...])
                    text = text.dropLast(leading)
                }
                if !text.isEmpty { pieces.append(.text(text)) }
                pieces.append(.numbers(ranges))
            } catch {
                var problem = error
                problem.offset = error.kind == .tooMany ? offset(index) : min(offset(index) + 1 + error.offset, bytes.count)
                throw problem
            }
            if after < bytes.endIndex, bytes[after] == UInt8(ascii: "[") {
                throw RangeProblem(
                    message: "Two brackets follow each other.", offset: offset(after),
                    remedy: "Write text between them, or one bracket.")
            }
            index = after
            textStart = after
        }
        if textStart < bytes.endIndex { pieces.append(.text(bytes[textStart...])) }
        let count = count
        if count > NumberRange.maximumCount { throw NumberRange.tooMany(count) }
    }

    private static func mixesPadding(digits: Int, _ before: ArraySlice<UInt8>, _ after: [UInt8]) throws(RangeProblem) -> Bool {
        let intended = try NumberRange.parse(before).reduce(UInt128(0)) { $0 + $1.count }
        return try NumberRange.parse(after[...]).reduce(UInt128(0)) { $0 + $1.count } > intended
    }

    /// The number of names; the greatest possible number if it is not known.
    var count: UInt128 {
        var product: UInt128 = 1
        for case .numbers(let ranges) in pieces {
            let size = ranges.reduce(UInt128(0)) { $0 + $1.count }
            let (result, overflows) = product.multipliedReportingOverflow(by: size)
            product = overflows ? .max : result
        }
        return product
    }

    /// The text of a pattern without a range.
    var singleName: String? {
        switch pieces.count {
        case 0: return ""
        case 1:
            if case .text(let text) = pieces[0] { return String(decoding: text, as: UTF8.self) }
            return nil
        default: return nil
        }
    }

    /// Calls `body` with each name; the last range varies fastest.
    func forEachName<Failure: Error>(_ body: (String) throws(Failure) -> Void) throws(Failure) {
        if let singleName { return try body(singleName) }
        let numbers: [[HostNumber]] = pieces.map { piece in
            if case .numbers(let ranges) = piece { return ranges.flatMap { $0.numbers() } }
            return []
        }
        // Where each piece starts in the name, and the index of its number. Works like an odometer.
        var bytes: [UInt8] = []
        var starts = [Int](repeating: 0, count: pieces.count)
        var chosen = [Int](repeating: 0, count: pieces.count)
        var piece = 0
        while true {
            while piece < pieces.count {
                starts[piece] = bytes.count
                switch pieces[piece] {
                case .text(let text): bytes += text
                case .numbers: numbers[piece][chosen[piece]].write(to: &bytes)
                }
                piece += 1
            }
            try body(String(decoding: bytes, as: UTF8.self))
            repeat {
                guard piece > 0 else { return }
                piece -= 1
                chosen[piece] += 1
                if chosen[piece] < numbers[piece].count { break }
                chosen[piece] = 0
            } while true
            bytes.removeLast(bytes.count - starts[piece])
        }
    }
}
