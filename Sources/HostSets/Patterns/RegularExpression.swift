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

/// A regular expression compiled to instructions.
struct RegularExpressionProgram {
    private enum Instruction {
        case character(CharacterTest)
        case assertion(PositionTest)
        case split(Int, Int)
        case jump(Int)
        case look(Int, isAhead: Bool, isNegative: Bool)
        case done
    }

    private static let maximumSize = 20_000

    private var instructions: [Instruction] = []
    private var looks: [RegularExpressionProgram] = []

    init(_ node: RegularExpressionNode) throws(RegularExpressionProblem) {
        try add(node)
        instructions.append(.done)
    }

    private mutating func add(_ node: RegularExpressionNode) throws(RegularExpressionProblem) {
        if instructions.count > Self.maximumSize {
            throw RegularExpressionProblem(message: "The regular expression is too large.", offset: 0)
        }
        switch node {
        case .empty: break
        case .character(let test): instructions.append(.character(test))
        case .assertion(let test): instructions.append(.assertion(test))
        case .sequence(let nodes): for node in nodes { try add(node) }
        case .choice(let nodes):
            var jumps: [Int] = []
            for (index, node) in nodes.enumerated() {
                guard index < nodes.count - 1 else {
                    try add(node)
                    break
                }
                let split = instructions.count
                instructions.append(.done)
                try add(node)
                jumps.append(instructions.count)
                instructions.append(.done)
                instructions[split] = .split(split + 1, instructions.count)
            }
            for jump in jumps { instructions[jump] = .jump(instructions.count) }
        case .repetition(let node, let minimum, let maximum):
            for _ in 0..<minimum { try add(node) }
            if let maximum {
                var splits: [Int] = []
                for _ in 0..<max(0, maximum - minimum) {
                    splits.append(instructions.count)
                    instructions.append(.done)
                    try add(node)
                }
                for split in splits { instructions[split] = .split(split + 1, instructions.count) }
            } else {
                let split = instructions.count
                instructions.append(.done)
                try add(node)
                instructions.append(.jump(split))
                instructions[split] = .split(split + 1, instructions.count)
            }
        case .look(let node, let isAhead, let isNegative):
            looks.append(try RegularExpressionProgram(node))
            instructions.append(.look(looks.count - 1, isAhead: isAhead, isNegative: isNegative))
        }
    }

    /// Whether the program matches from a position on. If `end` is given, the match must end there.
    func matches(_ text: [Unicode.Scalar], from start: Int, mustEnd end: Int?) -> Bool {
        let width = text.count + 1
        var seen = [Bool](repeating: false, count: instructions.count * width)
        var pending = [(0, start)]
        while var (counter, place) = pending.popLast() {
            thread: while !seen[counter * width + place] {
                seen[counter * width + place] = true
                switch instructions[counter] {
                case .character(let test):
                    guard place < text.count, test.matches(text[place]) else { break thread }
                    place += 1
                    counter += 1
                case .assertion(let test):
                    guard test.holds(text, place) else { break thread }
                    counter += 1
                case .split(let first, let second):
                    pending.append((second, place))
                    counter = first
                case .jump(let target): counter = target
                case .look(let index, let isAhead, let isNegative):
                    let found =
                        isAhead
                        ? looks[index].matches(text, from: place, mustEnd: nil)
                        : (0...place).contains { looks[index].matches(text, from: $0, mustEnd: place) }
                    guard found != isNegative else { break thread }
                    counter += 1
                case .done:
                    if end == nil || end == place { return true }
                    break thread
                }
            }
        }
        return false
    }
}
