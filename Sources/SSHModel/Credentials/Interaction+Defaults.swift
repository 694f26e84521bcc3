extension Interaction {
    /// No person decides about host keys: an unknown one is refused.
    public func accept(_ question: HostKeyQuestion) async throws -> Bool? { nil }
    /// No person has passphrases.
    public func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> Secret? { nil }
    /// No person has a password.
    public func password(user: String, host: String, isRetry: Bool) async throws -> Secret? { nil }
    /// No person answers.
    public func answers(to request: PromptRequest, user: String, host: String) async throws -> [Secret]? { nil }
}
