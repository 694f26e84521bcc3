/// A person, or what stands for one. Time spent here counts against no deadline.
///
/// Return nil if no person is available to answer, which is what a method does that you leave out. A thrown error ends the run
/// with that error.
public protocol SSHInteraction: Sendable {
    /// Puts an unknown host key to the person; true only for a clear yes.
    func accept(_ question: SSHHostKeyQuestion) async throws -> Bool?
    /// Asks for a key file's passphrase. Asked again, up to twice, when it does not open the key.
    func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret?
    /// Asks for a password (RFC 4252 section 8); asked again when the server has refused the last answer.
    func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret?
    /// Answers the questions of keyboard-interactive, one answer each (RFC 4256).
    func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]?
}
