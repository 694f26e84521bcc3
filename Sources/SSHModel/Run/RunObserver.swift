/// Told of what happens on the way. Called from the connection; must return at once.
public protocol RunObserver: Sendable {
    /// A stage has begun.
    func stageBegan(_ stage: Stage, detail: String)
    /// Something that does not fail the run but that a person may want to know.
    func notice(_ text: String)
    /// A host key was accepted that had not been known, and remembered or not: a person should know. A notice unless it is
    /// implemented.
    func trustChanged(_ text: String)
}

extension RunObserver {
    /// Tells it as any other notice.
    public func trustChanged(_ text: String) { notice(text) }
}
