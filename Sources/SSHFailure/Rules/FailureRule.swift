/// One cause of failure: which evidence shows it, what it is called, and what is said of it.
struct FailureRule: Sendable {
    /// What it is called.
    let code: SSHError.Code
    /// How sure the evidence makes it.
    let confidence: SSHError.Confidence
    /// Where it is written that this evidence means this cause.
    let source: String
    /// Whether the evidence shows this cause, given that no earlier row of the table did.
    let applies: @Sendable (SSHEvidence) -> Bool
    /// What is said of it.
    let words: @Sendable (SSHEvidence) -> Words

    init(
        _ code: SSHError.Code, _ confidence: SSHError.Confidence, source: String,
        when applies: @escaping @Sendable (SSHEvidence) -> Bool = { _ in true },
        say words: @escaping @Sendable (SSHEvidence) -> Words
    ) {
        self.code = code
        self.confidence = confidence
        self.source = source
        self.applies = applies
        self.words = words
    }
}

/// What a verdict says to a person.
package struct Words: Sendable, Hashable {
    /// What happened.
    package var message: String
    /// What to do next.
    package var hint: String
    /// What else it may be.
    package var alternatives: [String]

    package init(_ message: String, hint: String = "", alternatives: [String] = []) {
        // A host without a name opens a sentence in capitals; one with a name keeps it.
        self.message = message.hasPrefix("the server ") ? "T" + message.dropFirst() : message
        self.hint = hint
        self.alternatives = alternatives
    }
}
