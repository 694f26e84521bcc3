/// Receives the events of a run. Its methods are called from the connection and must return at once.
public protocol SSHRunObserver: Sendable {
    /// A stage has begun.
    func stageBegan(_ stage: SSHStage, detail: String)
    /// Something that does not make the run fail, but that a person may want to know.
    func notice(_ text: String)
    /// An unknown host key was accepted, whether it was remembered or not. By default this calls ``notice(_:)``.
    func trustChanged(_ text: String)
    /// The server's banner, SSH_MSG_USERAUTH_BANNER (RFC 4252 section 5.4), or a further part of it. It is the server's raw
    /// text, with line breaks; all parts have at most 4096 characters together. By default it is ignored.
    func serverBanner(_ text: String)
    /// The server has accepted credentials: `the key /home/me/.ssh/id_ed25519 (SHA256:…)`. By default it is ignored.
    func authenticated(with credentials: String)
}

extension SSHRunObserver {
    /// Calls ``notice(_:)``.
    public func trustChanged(_ text: String) { notice(text) }
    /// Does nothing.
    public func serverBanner(_ text: String) {}
    /// Does nothing.
    public func authenticated(with credentials: String) {}
}
