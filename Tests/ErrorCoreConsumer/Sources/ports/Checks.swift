/// Counts the expectations of a design's user that hold, and names those that fail.
struct Checks {
    private let design: String
    private(set) var right = 0
    private(set) var wrong: [String] = []

    init(_ design: String) {
        self.design = design
    }

    mutating func check(_ isSo: Bool, _ what: String, line: Int = #line) {
        if isSo { right += 1 } else { wrong.append("\(design), line \(line): \(what)") }
    }

    mutating func equal<Value: Equatable>(_ left: Value, _ right: Value, _ what: String, line: Int = #line) {
        check(left == right, "\(what): \(left), expected \(right)", line: line)
    }
}
