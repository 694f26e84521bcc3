internal import ErrorCore

/// JSON of any program.
enum JSONTree: Sendable {
    case members([String: JSONTree])
    case elements([JSONTree])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    /// Returns nil if the text is not JSON.
    init?(_ text: Substring) {
        guard let tree = try? JSONReader<JSONTree>.read(text, isLenient: true) else { return nil }
        self = tree
    }
}

extension JSONTree: JSONNode {
    init(_ part: JSONPart<JSONTree>, line: Int) {
        switch part {
        // If two members have the same name, the first counts, as in Foundation.
        case .object(let members): self = .members(.init(members.lazy.map { ($0.name, $0.value) }) { first, _ in first })
        case .array(let elements): self = .elements(elements)
        case .string(let text): self = .text(text)
        case .number(let text): self = Double(text).map { .number($0) } ?? .null
        case .boolean(let flag): self = .flag(flag)
        case .null: self = .null
        }
    }
}

/// The texts of a JSON object at the end of a line, as programs write it: `{"level":"error","msg":"ssh: handshake failed: EOF"}`.
enum JSONTexts {
    private static let maximumTexts = 64
    private static let maximumLength = 64 << 10

    /// The lines of the object's texts, in the order of their names. None if the line does not end with an object.
    static func lines(in line: String) -> [String] {
        guard line.utf8.last == UInt8(ascii: "}"), line.utf8.count <= maximumLength, let open = line.firstPlace(of: "{"),
            let tree = JSONTree(line[open.lowerBound...])
        else { return [] }
        var texts: [String] = []
        collect(tree, &texts)
        return texts.flatMap(TranscriptLines.trimmed)
    }

    private static func collect(_ tree: JSONTree, _ texts: inout [String]) {
        guard texts.count < maximumTexts else { return }
        switch tree {
        case .text(let text): texts.append(text)
        case .members(let members): for (_, value) in members.sorted(by: { $0.key < $1.key }) { collect(value, &texts) }
        case .elements(let elements): for value in elements { collect(value, &texts) }
        case .number, .flag, .null: break
        }
    }
}
