package import BridgeSSH

/// What a run reports while it works. Handed in: standard error of a command line, or the log of a fleet.
package protocol RunLog: SSHRunObserver {
    /// A detail that only a curious person wants, as with `-v`.
    func line(_ text: String)
    /// A wait that someone in front of a terminal would wonder about.
    func waits(_ text: String)
    /// What a person has to know to understand the outcome.
    func warns(_ text: String)
}

extension RunLog {
    package func waits(_ text: String) { line(text) }
    package func warns(_ text: String) { line(text) }
}

/// Reports nothing.
package struct SilentLog: RunLog {
    package init() {}
    package func line(_ text: String) {}
    package func stageBegan(_ stage: SSHStage, detail: String) {}
    package func notice(_ text: String) {}
}
