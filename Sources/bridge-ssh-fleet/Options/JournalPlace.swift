internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// Where journals are, and what is wrong with them, as a command line says it.
enum JournalPlace {
    /// - Parameter named: what `--journal` says.
    static func directory(_ named: String?, home: String) -> JournalDirectory {
        named.flatMap { $0 == "none" ? nil : JournalDirectory($0, isNamed: true) }
            ?? JournalDirectory.standard(stateHome: FleetProcess.variable("XDG_STATE_HOME"), home: home)
    }

    /// - Throws: `UsageProblem` for a journal that cannot be used.
    static func refusing<Result>(_ field: String, _ body: () throws(JournalProblem) -> Result) throws -> Result {
        do { return try body() } catch { throw UsageProblem(field: field, problem: error.text) }
    }
}
