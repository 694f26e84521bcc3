extension RegularExpressionNode {
    /// How many characters it matches if these are always as many; what looks behind must have such a length for Python.
    var length: Int? { lengths.least == lengths.greatest ? lengths.least : nil }

    /// The lengths grow no further than this: no name is as long.
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
