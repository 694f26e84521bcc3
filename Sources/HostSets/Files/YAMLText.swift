import Yams

/// YAML with the line of each value. Scalars keep their text: what a number or a boolean would be does not matter for names.
enum YAMLText {
    /// How deep values may stand in each other: more is no inventory, and would exhaust the stack.
    private static let maximumDepth = 64

    /// Aliases can make a small file endless.
    private static let maximumCount = 5_000_000

    /// The document of a text; nil if it is empty.
    static func load(_ text: String, file: String) throws(HostSetProblem) -> SourceNode? {
        try checkDepth(text, file)
        do {
            guard let root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot() else { return nil }
            var count = 0
            return try node(root, file, &count)
        } catch let problem as HostSetProblem {
            throw problem
        } catch let error as YamlError {
            throw problem(error, file)
        } catch {
            throw HostSetProblem(.malformed, "The file is not YAML: \(error).", location: .init(file: file))
        }
    }

    private static func node(_ node: Node, _ file: String, _ count: inout Int) throws(HostSetProblem) -> SourceNode {
        count += 1
        if count > maximumCount {
            throw HostSetProblem(
                .malformed, "The file is endless: its aliases repeat too much.",
                location: .init(file: file, line: node.mark?.line))
        }
        switch node {
        case .scalar(let scalar):
            let tag = scalar.tag.description
            return SourceNode(
                .scalar(scalar.string, isPlain: scalar.style == .plain, tag: tag.hasPrefix("!") ? tag : nil),
                line: scalar.mark?.line)
        case .sequence(let sequence):
            var list: [SourceNode] = []
            for item in sequence { list.append(try self.node(item, file, &count)) }
            return SourceNode(.list(list), line: sequence.mark?.line)
        case .mapping(let mapping):
            var pairs: [SourceNode.Pair] = []
            pairs.reserveCapacity(mapping.count)
            for (key, value) in mapping { pairs.append((try self.node(key, file, &count), try self.node(value, file, &count))) }
            return SourceNode(.mapping(pairs), line: mapping.mark?.line)
        case .alias(let alias): return SourceNode(.scalar("", isPlain: true, tag: nil), line: alias.mark?.line)
        }
    }

    /// Refuses what is nested too deep before the parser, which recurses, sees it. Text that only looks nested may be refused too.
    private static func checkDepth(_ text: String, _ file: String) throws(HostSetProblem) {
        var columns: [Int] = []
        var column = 0
        var line = 1
        var brackets = 0
        var isAtStart = true
        var isComment = false
        for byte in text.utf8 {
            switch byte {
            case 10:
                line += 1
                (column, isAtStart, isComment) = (0, true, false)
                continue
            case UInt8(ascii: " "), 13: break
            case UInt8(ascii: "#") where isAtStart: isComment = true
            case _ where isComment: break
            case UInt8(ascii: "-") where isAtStart, UInt8(ascii: "?") where isAtStart, UInt8(ascii: ":") where isAtStart:
                while let last = columns.last, last >= column { columns.removeLast() }
                columns.append(column)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                brackets += 1
                if isAtStart { fallthrough }
            default:
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { brackets = max(0, brackets - 1) }
                if isAtStart {
                    while let last = columns.last, last >= column { columns.removeLast() }
                    columns.append(column)
                    isAtStart = false
                }
            }
            column += 1
            if columns.count + brackets > maximumDepth {
                throw HostSetProblem(
                    .malformed, "Values stand in each other more than \(maximumDepth) deep.",
                    location: .init(file: file, line: line))
            }
        }
    }

    private static func problem(_ error: YamlError, _ file: String) -> HostSetProblem {
        func malformed(_ text: String, _ line: Int?) -> HostSetProblem {
            HostSetProblem(
                .malformed, "The file is not YAML: \(HostSetProblem.shown(text)).", location: .init(file: file, line: line))
        }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
            return malformed(problem, mark.line)
        case .reader(let problem, _, _, _): return malformed(problem, nil)
        case .duplicatedKeysInMapping(let keys, let context):
            return HostSetProblem(
                .malformed, "The key \(HostSetProblem.shown(keys.first ?? "")) stands twice in one mapping.",
                location: .init(file: file, line: context.mark.line), remedy: "Only one of the two would count; join them.")
        default: return malformed("it cannot be read", nil)
        }
    }
}
