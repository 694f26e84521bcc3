internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// Finds the journals, and reports their problems as problems of the command line.
enum JournalLocation {
    /// - Parameter named: the value of `--journal`.
    static func directory(_ named: String?, home: String) -> JournalDirectory {
        named.flatMap { $0 == "none" ? nil : JournalDirectory($0, isNamed: true) }
            ?? JournalDirectory.standard(stateHome: FleetProcess.variable("XDG_STATE_HOME"), home: home)
    }

    /// - Throws: `UsageProblem` for a journal that cannot be used; `SSHError` for a full disk.
    static func refusing<Result>(_ field: String, _ body: () throws(JournalProblem) -> Result) throws -> Result {
        do { return try body() } catch { throw error.refusal(field) }
    }
}
