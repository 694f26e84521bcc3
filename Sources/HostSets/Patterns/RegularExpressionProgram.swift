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
