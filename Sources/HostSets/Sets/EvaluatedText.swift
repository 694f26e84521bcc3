/// An expression, or the text of a group.
struct EvaluatedText {
    var expression: String
    var bytes: [UInt8]
    var usesInventory: Bool
    /// The source whose groups need no name before them.
    var source: String?
    var location: HostSetProblem.Location?

    init(_ expression: String, usesInventory: Bool, source: String? = nil, location: HostSetProblem.Location? = nil) {
        self.expression = expression
        bytes = Array(expression.utf8)
        self.usesInventory = usesInventory
        self.source = source
        self.location = location
    }

    func problem(_ problem: RangeProblem, at start: Int = 0) -> HostSetProblem {
        place(HostSetProblem(problem.kind, problem.message, remedy: problem.remedy), at: start + problem.offset)
    }

    /// The problem with the place in this text, unless it has one of another text already.
    func place(_ problem: HostSetProblem, at offset: Int) -> HostSetProblem {
        guard problem.expression == nil, problem.location == nil else { return problem }
        var problem = problem
        problem.expression = expression
        problem.position = String(decoding: bytes[..<min(max(0, offset), bytes.count)], as: UTF8.self).count
        problem.location = location
        return problem
    }
}
