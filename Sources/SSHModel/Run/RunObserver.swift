/// Receives the events of a run. Its methods are called from the connection and must return at once.
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
    /// Forwards it to `notice`.
    public func trustChanged(_ text: String) { notice(text) }
}
