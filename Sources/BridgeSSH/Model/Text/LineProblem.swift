/// What is wrong with one line or value, before it is known where that stands.
struct LineProblem: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
