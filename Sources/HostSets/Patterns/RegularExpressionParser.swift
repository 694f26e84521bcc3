/// Parses Python's notation of regular expressions.
struct RegularExpressionParser {
    private let text: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private var lookDepth = 0
    private var ignoresCase = false
    private var dotMatchesAll = false
    private var groupNames: Set<String> = []

    /// The deepest nesting of parentheses.
    private static let maximumDepth = 40
    /// The deepest nesting of lookarounds, because each one visits all positions again.
    private static let maximumLookDepth = 2
    /// The highest number in a counted repetition.
    private static let maximumCount = 1000

    init(_ pattern: String) { text = Array(pattern.unicodeScalars) }

    mutating func parse() throws(RegularExpressionProblem) -> RegularExpressionNode {
        let node = try choice()
        if index < text.count { throw problem("A ) has no opening parenthesis") }
        return node
    }

    private func problem(_ message: String, at place: Int? = nil) -> RegularExpressionProblem {
        RegularExpressionProblem(message: message + " in the regular expression.", offset: place ?? index)
    }

    private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private mutating func take(_ expected: String) -> Bool {
        let scalars = Array(expected.unicodeScalars)
        guard index + scalars.count <= text.count, Array(text[index..<index + scalars.count]) == scalars else { return false }
        index += scalars.count
        return true
    }

    private mutating func choice() throws(RegularExpressionProblem) -> RegularExpressionNode {
        var nodes = [try sequence()]
        while take("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .choice(nodes)
    }

    private mutating func sequence() throws(RegularExpressionProblem) -> RegularExpressionNode {
        var nodes: [RegularExpressionNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = index
            guard let atom = try atom() else { continue }
            nodes.append(try repeated(atom, from: start))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func repeated(_ atom: RegularExpressionNode, from start: Int) throws(RegularExpressionProblem)
        -> RegularExpressionNode
    {
        guard let (minimum, maximum) = try quantifier() else { return atom }
        if case .assertion = atom { throw problem("Nothing that can be repeated precedes the sign", at: start) }
        if take("+") { throw problem("Possessive repetition is not supported", at: index - 1) }
        _ = take("?")
        if try quantifier() != nil { throw problem("Two signs of repetition follow each other", at: index - 1) }
        return .repetition(atom, minimum: minimum, maximum: maximum)
    }

    private mutating func quantifier() throws(RegularExpressionProblem) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard next == "{" else { return nil }
        // Braces without numbers are literal text.
        let start = index
        index += 1
        let minimum = digits()
        var maximum = minimum
        let hasComma = take(",")
        if hasComma { maximum = digits() }
        guard take("}"), minimum != nil || hasComma else {
            index = start
            return nil
        }
        for number in [minimum, maximum] {
            if let number, number > Self.maximumCount {
                throw problem("More than \(Self.maximumCount) repetitions are asked for", at: start)
            }
        }
        if let minimum, let maximum, minimum > maximum {
            throw problem("The repetition's upper bound is below its lower bound", at: start)
        }
        return (minimum ?? 0, maximum)
    }

    private mutating func digits() -> Int? {
        var value: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            value = min((value ?? 0) * 10 + Int(scalar.value - 48), Self.maximumCount + 1)
            index += 1
        }
        return value
    }

    private mutating func atom() throws(RegularExpressionProblem) -> RegularExpressionNode? {
        guard let scalar = next else { return nil }
        index += 1
        switch scalar {
        case ".":
            return .character(CharacterTest(items: dotMatchesAll ? [] : [.range(10...10)], isNegative: true))
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "[": return .character(try characterClass())
        case "(": return try group()
        case "\\": return try escape()
        case "*", "+", "?": throw problem("Nothing precedes the sign of repetition", at: index - 1)
        default: return .character(literal(scalar))
        }
    }

    private func literal(_ scalar: Unicode.Scalar) -> CharacterTest {
        CharacterTest(items: [.range(scalar.value...scalar.value)], ignoresCase: ignoresCase)
    }

    private mutating func group() throws(RegularExpressionProblem) -> RegularExpressionNode? {
        let start = index - 1
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maximumDepth { throw problem("Parentheses are nested too deeply", at: start) }
        let caseBefore = ignoresCase
        var look: (isAhead: Bool, isNegative: Bool)?
        if take("?") {
            if take("#") {
                while let scalar = next, scalar != ")" { _ = scalar; index += 1 }
                if !take(")") { throw problem("The parenthesis is not closed", at: start) }
                return nil
            } else if take("=") {
                look = (true, false)
            } else if take("!") {
                look = (true, true)
            } else if take("<=") {
                look = (false, false)
            } else if take("<!") {
                look = (false, true)
            } else if take("P<") {
                try groupName(start)
            } else if !take(":") {
                guard try flags(start) else { return nil }
            }
        }
        if look != nil { lookDepth += 1 }
        if lookDepth > Self.maximumLookDepth {
            throw problem("Lookaround expressions are nested too deeply", at: start)
        }
        let node = try choice()
        if look != nil { lookDepth -= 1 }
        if !take(")") { throw problem("The parenthesis is not closed", at: start) }
        ignoresCase = caseBefore
        if let look, !look.isAhead, node.length == nil {
            throw problem("The lookbehind has no fixed length", at: start)
        }
        if let look { return .look(node, isAhead: look.isAhead, isNegative: look.isNegative) }
        return .sequence([node])
    }

    /// The name of a group, up to its `>`. Nothing refers to the name, but Python rejects an invalid or repeated one.
    private mutating func groupName(_ start: Int) throws(RegularExpressionProblem) {
        var name = String.UnicodeScalarView()
        while let scalar = next, scalar != ">" {
            name.append(scalar)
            index += 1
        }
        if !take(">") { throw problem("The name of the group is not closed", at: start) }
        let isName = name.allSatisfy { $0 == "_" || $0.properties.isIDContinue } && name.first?.properties.numericType == nil
        if name.isEmpty || !isName { throw problem("The name of the group is not a name for Python", at: start) }
        if !groupNames.insert(String(name)).inserted { throw problem("Two groups have one name", at: start) }
    }

    /// Flags as in `(?i)` and `(?i:…)`. Returns true if an expression follows inside the parentheses.
    private mutating func flags(_ start: Int) throws(RegularExpressionProblem) -> Bool {
        while let scalar = next, scalar != ")", scalar != ":" {
            switch scalar {
            case "i": ignoresCase = true
            case "s": dotMatchesAll = true
            case "a", "u", "m": break
            default: throw problem("This kind of group is not supported", at: start)
            }
            index += 1
        }
        if take(":") { return true }
        if take(")") { return false }
        throw problem("The parenthesis is not closed", at: start)
    }

    private mutating func escape() throws(RegularExpressionProblem) -> RegularExpressionNode {
        guard let scalar = next else { throw problem("Nothing follows the backslash", at: index - 1) }
        switch scalar {
        case "A": index += 1; return .assertion(.start)
        case "Z": index += 1; return .assertion(.end)
        case "b": index += 1; return .assertion(.boundary)
        case "B": index += 1; return .assertion(.noBoundary)
        case "1"..."9": throw problem("Back references are not supported", at: index - 1)
        default: return .character(CharacterTest(items: [try escapedItem()], ignoresCase: ignoresCase))
        }
    }

    private mutating func escapedItem() throws(RegularExpressionProblem) -> CharacterTest.CharacterClass {
        guard let scalar = next else { throw problem("Nothing follows the backslash", at: index - 1) }
        index += 1
        switch scalar {
        case "d": return .digit
        case "D": return .notDigit
        case "w": return .word
        case "W": return .notWord
        case "s": return .space
        case "S": return .notSpace
        case "n": return .range(10...10)
        case "t": return .range(9...9)
        case "r": return .range(13...13)
        case "f": return .range(12...12)
        case "v": return .range(11...11)
        case "a": return .range(7...7)
        case "x": return try hexadecimal(2)
        case "u": return try hexadecimal(4)
        case "0": return .range(0...0)
        default:
            if scalar.properties.isAlphabetic, scalar.isASCII {
                throw problem("\\\(scalar) means nothing", at: index - 2)
            }
            return .range(scalar.value...scalar.value)
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(RegularExpressionProblem) -> CharacterTest.CharacterClass {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let scalar = next, let digit = Character(scalar).hexDigitValue else {
                throw problem("A hexadecimal number is too short")
            }
            value = value * 16 + UInt32(digit)
            index += 1
        }
        return .range(value...value)
    }

    private mutating func characterClass() throws(RegularExpressionProblem) -> CharacterTest {
        let start = index - 1
        var test = CharacterTest(items: [], ignoresCase: ignoresCase)
        test.isNegative = take("^")
        var isFirst = true
        while let scalar = next {
            if scalar == "]", !isFirst {
                index += 1
                return test
            }
            isFirst = false
            let low = try classItem()
            if next == "-", index + 1 < text.count, text[index + 1] != "]" {
                let place = index
                index += 1
                let high = try classItem()
                guard case .range(let first) = low, case .range(let last) = high, first.lowerBound <= last.upperBound else {
                    throw problem("Invalid character range", at: place)
                }
                test.items.append(.range(first.lowerBound...last.upperBound))
            } else {
                test.items.append(low)
            }
        }
        throw problem("The bracket is not closed", at: start)
    }

    private mutating func classItem() throws(RegularExpressionProblem) -> CharacterTest.CharacterClass {
        guard let scalar = next else { throw problem("The bracket is not closed") }
        index += 1
        if scalar == "\\" {
            if take("b") { return .range(8...8) }
            return try escapedItem()
        }
        return .range(scalar.value...scalar.value)
    }
}
