/// Receives the events of a run. Its methods are called from the connection and must return at once.
public protocol SSHRunObserver: Sendable {
    /// A stage has begun.
    func stageBegan(_ stage: SSHStage, detail: String)
    /// Something that does not fail the run but that a person may want to know.
    func notice(_ text: String)
    /// A host key was accepted that had not been known, and remembered or not: a person should know. A notice unless it is
    /// implemented.
    func trustChanged(_ text: String)
    /// The server's banner, SSH_MSG_USERAUTH_BANNER (RFC 4252 section 5.4), or a further part of it: raw text of the server's, lines
    /// and all, at most 4096 characters in all. Ignored unless it is implemented.
    func serverBanner(_ text: String)
    /// The server has accepted credentials: `the key /home/me/.ssh/id_ed25519 (SHA256:…)`. Ignored unless it is implemented.
    func authenticated(with credentials: String)
}

extension SSHRunObserver {
    /// Forwards it to `notice`.
    public func trustChanged(_ text: String) { notice(text) }
    /// Does nothing.
    public func serverBanner(_ text: String) {}
    /// Does nothing.
    public func authenticated(with credentials: String) {}
}
