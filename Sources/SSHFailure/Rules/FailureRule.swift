/// One cause of failure: the evidence that shows it, its code, and its text.
struct FailureRule: Sendable {
    /// The code of the failure.
    let code: SSHError.Code
    /// How certain the verdict is with this evidence.
    let confidence: SSHError.Confidence
    /// The source that connects this evidence to this cause.
    let source: String
    /// Whether the evidence shows this cause, provided that no earlier row of the table applied.
    let applies: @Sendable (SSHEvidence) -> Bool
    /// The text for a person.
    let words: @Sendable (SSHEvidence) -> VerdictText

    init(
        _ code: SSHError.Code, _ confidence: SSHError.Confidence, source: String,
        when applies: @escaping @Sendable (SSHEvidence) -> Bool = { _ in true },
        say words: @escaping @Sendable (SSHEvidence) -> VerdictText
    ) {
        self.code = code
        self.confidence = confidence
        self.source = source
        self.applies = applies
        self.words = words
    }
}

/// The text of a verdict, for a person.
package struct VerdictText: Sendable, Hashable {
    /// What happened.
    package var message: String
    /// What to do next.
    package var hint: RemedyText
    /// Other possible causes.
    package var alternatives: [String]

    package init(_ message: String, hint: RemedyText = "", alternatives: [String] = []) {
        // If the host is unknown, "the server" begins the sentence and gets a capital letter. A host name keeps its case.
        self.message = message.hasPrefix("the server ") ? "T" + message.dropFirst() : message
        self.hint = hint
        self.alternatives = alternatives
    }
}
