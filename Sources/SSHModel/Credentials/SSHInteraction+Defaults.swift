extension SSHInteraction {
    /// No person decides about host keys: an unknown one is refused.
    public func accept(_ question: SSHHostKeyQuestion) async throws -> Bool? { nil }
    /// No person has passphrases.
    public func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret? { nil }
    /// No person has a password.
    public func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret? { nil }
    /// No person answers.
    public func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]? { nil }
}
