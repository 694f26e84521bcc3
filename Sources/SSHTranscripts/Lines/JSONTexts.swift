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
        return texts.flatMap { $0.split(whereSeparator: \.isNewline) }.map { String($0).trimming(" \t") }.filter { !$0.isEmpty }
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
