package import BridgeSSH

/// What a run reports while it works. Handed in: standard error of a command line, or the log of a fleet.
package protocol RunLog: RunObserver {
    /// A detail that only a curious person wants, as with `-v`.
    func line(_ text: String)
}

/// Reports nothing.
package struct SilentLog: RunLog {
    package init() {}
    package func line(_ text: String) {}
    package func stageBegan(_ stage: Stage, detail: String) {}
    package func notice(_ text: String) {}
}
