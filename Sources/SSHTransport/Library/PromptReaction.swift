/// The outcome of a round of prompts.
package enum PromptReaction: Sendable {
    /// How often a server may ask in one attempt. Each question is another round for some servers, but for none so many.
    package static let mostRounds = 64

    /// One answer per prompt; none if there is nothing to answer with.
    case answers([SSHSecret])
    /// Nothing is answered any more: the session is ending.
    case giveUp
}

/// Answers a round of prompts. May block its thread.
package typealias KeyboardInteractivePrompter = @Sendable (SSHPromptRequest) -> PromptReaction
