/// A regular expression in Python's notation, which Ansible uses after `~`. It is matched from the start of a name.
///
/// It only says whether there is a match. So each instruction is tried at most once at each position of the name, and the time is
/// bounded by the product of the two lengths. Back references cannot be matched this way and are refused.
struct RegularExpression {
    let program: RegularExpressionProgram

    init(_ pattern: String) throws(RegularExpressionProblem) {
        var parser = RegularExpressionParser(pattern)
        let node = try parser.parse()
        program = try RegularExpressionProgram(node)
    }

    func matches(_ name: String) -> Bool {
        program.matches(Array(name.unicodeScalars), from: 0, mustEnd: nil)
    }
}

/// Why a regular expression is refused, and after how many characters.
struct RegularExpressionProblem: Error {
    var message: String
    var offset: Int
}

indirect enum RegularExpressionNode {
    case empty
    case character(CharacterTest)
    case assertion(PositionTest)
    case sequence([RegularExpressionNode])
    case choice([RegularExpressionNode])
    /// A nil maximum means no maximum.
    case repetition(RegularExpressionNode, minimum: Int, maximum: Int?)
    case look(RegularExpressionNode, isAhead: Bool, isNegative: Bool)
}

struct CharacterTest {
    enum CharacterClass {
        case range(ClosedRange<UInt32>)
        case digit, word, space, notDigit, notWord, notSpace
    }

    var items: [CharacterClass]
    var isNegative = false
    var ignoresCase = false

    func matches(_ scalar: Unicode.Scalar) -> Bool {
        var isIn = holds(scalar)
        if ignoresCase, !isIn {
            isIn = Self.otherCases(scalar).contains { holds($0) }
        }
        return isIn != isNegative
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        items.contains { item in
            switch item {
            case .range(let range): range.contains(scalar.value)
            case .digit: Self.isDigit(scalar)
            case .word: Self.isWord(scalar)
            case .space: scalar.properties.isWhitespace
            case .notDigit: !Self.isDigit(scalar)
            case .notWord: !Self.isWord(scalar)
            case .notSpace: !scalar.properties.isWhitespace
            }
        }
    }

    private static func otherCases(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping].compactMap {
            $0.unicodeScalars.count == 1 ? $0.unicodeScalars.first : nil
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .decimalNumber }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}

/// A test of a position between characters.
enum PositionTest {
    case start, end, boundary, noBoundary

    func holds(_ text: [Unicode.Scalar], _ place: Int) -> Bool {
        switch self {
        case .start: return place == 0
        case .end: return place == text.count
        case .boundary, .noBoundary:
            let before = place > 0 && CharacterTest.isWord(text[place - 1])
            let after = place < text.count && CharacterTest.isWord(text[place])
            return (before != after) == (self == .boundary)
        }
    }
}

extension RegularExpressionNode {
    /// The number of characters it matches if that is fixed; nil otherwise. Python requires a fixed length in a lookbehind.
    var length: Int? { lengths.least == lengths.greatest ? lengths.least : nil }

    /// Lengths are capped here; no name is that long.
    private static let unlimited = 1 << 30

    private var lengths: (least: Int, greatest: Int) {
        switch self {
        case .empty, .assertion, .look: (0, 0)
        case .character: (1, 1)
        case .sequence(let nodes):
            nodes.map(\.lengths).reduce((0, 0)) { sum, next in
                (min(sum.0 + next.least, Self.unlimited), min(sum.1 + next.greatest, Self.unlimited))
            }
        case .choice(let nodes):
            nodes.dropFirst().map(\.lengths).reduce(nodes[0].lengths) { all, next in
                (min(all.0, next.least), max(all.1, next.greatest))
            }
        case .repetition(let node, let minimum, let maximum):
            Self.lengths(node.lengths, minimum, maximum ?? Self.unlimited)
        }
    }

    private static func lengths(_ one: (least: Int, greatest: Int), _ minimum: Int, _ maximum: Int) -> (Int, Int) {
        (min(one.least * minimum, unlimited), min(one.greatest * maximum, unlimited))
    }
}
