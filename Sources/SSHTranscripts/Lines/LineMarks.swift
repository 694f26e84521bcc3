/// Rules outside of the rows that have words in a line: the one pass over its bytes tells it, so that none of them is tried in vain.
struct LineMarks: OptionSet, Sendable {
    let rawValue: UInt8

    /// What may be Python's own.
    static let python = LineMarks(rawValue: 1)
    /// A library's name.
    static let family = LineMarks(rawValue: 2)
    /// Words in lines of other programs that tell why a login failed.
    static let telling = LineMarks(rawValue: 4)
    /// Noise, explanations, and what wrappers add.
    static let aside = LineMarks(rawValue: 8)
    /// Words of people who speak of messages.
    static let prose = LineMarks(rawValue: 16)
    /// A client that is not known.
    static let anyClient = LineMarks(rawValue: 32)
    /// A line that says once more what another one has said.
    static let echo = LineMarks(rawValue: 64)
}
