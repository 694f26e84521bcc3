/// How an operator changes the hosts collected so far.
enum SetOperation {
    case union, difference, intersection, symmetricDifference

    init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: ","): self = .union
        case UInt8(ascii: "!"): self = .difference
        case UInt8(ascii: "&"): self = .intersection
        case UInt8(ascii: "^"): self = .symmetricDifference
        default: return nil
        }
    }
}

/// A part of an expression: its position and its operation.
struct Operand {
    var operation: SetOperation
    var range: Range<Int>
}

/// Splits an expression into operands, from left to right.
struct ExpressionScanner {
    let bytes: [UInt8]
    /// Whether `~` starts a regular expression, in which operators are ordinary text.
    var readsRegularExpressions = false

    static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }

    /// The operands. A blank without an operator means union.
    func operands() throws(RangeProblem) -> [Operand] {
        var operands: [Operand] = []
        var pending: (operation: SetOperation, place: Int)?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if Self.isBlank(byte) {
                index += 1
            } else if let operation = SetOperation(byte) {
                if operands.isEmpty || pending != nil { throw missing(at: pending == nil ? index : index) }
                pending = (operation, index)
                index += 1
            } else {
                let end = try self.end(ofOperandAt: index)
                operands.append(Operand(operation: pending?.operation ?? .union, range: index..<end))
                pending = nil
                index = end
            }
        }
        if let pending { throw missing(at: pending.place, after: true) }
        return operands
    }

    private func missing(at place: Int, after: Bool = false) -> RangeProblem {
        RangeProblem(
            message: "A name is missing \(after ? "after" : "before") \"\(Character(Unicode.Scalar(bytes[place])))\".",
            offset: place,
            remedy: bytes[place] == UInt8(ascii: ",") ? nil : "With an inventory, Ansible's patterns may begin with ! and &.")
    }

    /// The end of a name: an operator or a blank outside brackets.
    func end(ofOperandAt start: Int, endsAtColon: Bool = false) throws(RangeProblem) -> Int {
        if readsRegularExpressions, bytes[start] == UInt8(ascii: "~") { return endOfRegularExpression(start) }
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "[") {
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "]")) else {
                    throw RangeProblem(message: "The bracket is not closed.", offset: index)
                }
                index = close + 1
            } else if Self.isBlank(byte) || SetOperation(byte) != nil || (endsAtColon && byte == UInt8(ascii: ":")) {
                return index
            } else {
                index += 1
            }
        }
        return index
    }

    /// A regular expression ends at a comma, colon or blank outside brackets, braces and parentheses.
    private func endOfRegularExpression(_ start: Int) -> Int {
        var index = start
        var depth = 0
        var isInClass = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "[") where !isInClass: isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case _ where isInClass: break
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                if depth <= 0 { return index }
            case let byte where Self.isBlank(byte):
                if depth <= 0 { return index }
            default: break
            }
            index += 1
        }
        return min(index, bytes.count)
    }
}

/// Ansible's `web[0:2]`: the first three hosts of the pattern before the bracket.
struct HostSubscript {
    var first: Int
    /// The last position; nil for all that follow.
    var last: Int?

    /// Splits an operand that ends with a bracket containing a colon into the part before it and the positions; nil for others.
    static func read(
        _ bytes: ArraySlice<UInt8>, hasInventory: Bool, problem: (RangeProblem, Int) -> HostSetProblem
    ) throws(HostSetProblem) -> (base: ArraySlice<UInt8>, positions: HostSubscript)? {
        let addressStart = (bytes.lastIndex(of: UInt8(ascii: "@")) ?? bytes.startIndex - 1) + 1
        guard bytes.last == UInt8(ascii: "]"), let open = bytes.lastIndex(of: UInt8(ascii: "[")), open != addressStart else {
            try checkMiddle(bytes, problem, addressStart)
            return nil
        }
        let inner = bytes[(open + 1)..<(bytes.endIndex - 1)]
        guard let colon = inner.firstIndex(of: UInt8(ascii: ":")) else {
            try checkMiddle(bytes, problem, addressStart)
            return nil
        }
        func refuse(_ message: String, _ remedy: String?) -> HostSetProblem {
            problem(RangeProblem(message: message, offset: open - bytes.startIndex, remedy: remedy), bytes.startIndex)
        }
        guard hasInventory else {
            throw refuse(
                "A colon in brackets means positions, and these need an inventory.",
                "Give an inventory, or write a range of names with a hyphen: [0-2].")
        }
        let (first, last) = (inner[..<colon], inner[(colon + 1)...])
        guard let start = number(first), last.isEmpty || number(last) != nil else {
            throw refuse("Positions are written [0:2] or [3:], and count from 0.", nil)
        }
        return (bytes[..<open], HostSubscript(first: start, last: last.isEmpty ? nil : number(last)))
    }

    /// Rejects a bracket with a colon that is not at the end.
    private static func checkMiddle(
        _ bytes: ArraySlice<UInt8>, _ problem: (RangeProblem, Int) -> HostSetProblem, _ addressStart: Int
    ) throws(HostSetProblem) {
        var index = bytes.startIndex
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "[")) {
            guard let close = bytes[open...].firstIndex(of: UInt8(ascii: "]")) else { return }
            if open != addressStart, bytes[open..<close].contains(UInt8(ascii: ":")) {
                throw problem(
                    RangeProblem(
                        message: "A colon in brackets means positions, and these come at the end of a pattern.",
                        offset: open - bytes.startIndex, remedy: "A range of names has a hyphen: [1-20]."), bytes.startIndex)
            }
            index = close + 1
        }
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty, text.count <= 9, text.allSatisfy(isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    func of(_ hosts: [FleetHost]) -> ArraySlice<FleetHost> {
        // Ansible reads [3:0] as [3:3].
        let end = min(last.map { ($0 == 0 ? first : $0) + 1 } ?? hosts.count, hosts.count)
        return first < end ? hosts[first..<end] : []
    }
}
