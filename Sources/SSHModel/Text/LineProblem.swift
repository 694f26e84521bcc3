/// What is wrong with one line or value, before it is known where that stands.
package struct LineProblem: Error {
    package let text: String

    package init(_ text: String) { self.text = text }
}
