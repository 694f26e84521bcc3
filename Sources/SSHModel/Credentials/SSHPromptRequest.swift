/// One SSH_MSG_USERAUTH_INFO_REQUEST (RFC 4256 section 3.2): what the server asks.
public struct SSHPromptRequest: Sendable, Hashable {
    /// One question.
    public struct Prompt: Sendable, Hashable {
        /// The question, as the server words it.
        public var text: String
        /// Whether the answer may be shown while it is typed.
        public var echo: Bool

        /// A question.
        public init(text: String, echo: Bool) {
            self.text = text
            self.echo = echo
        }
    }
    /// A title, often empty.
    public var name: String
    /// An instruction, often empty.
    public var instruction: String
    /// The questions; there may be none.
    public var prompts: [Prompt]
    /// Whether the server has refused the answers to an earlier request.
    public var isRetry = false

    /// A request.
    public init(name: String, instruction: String, prompts: [Prompt]) {
        self.name = name
        self.instruction = instruction
        self.prompts = prompts
    }
}
