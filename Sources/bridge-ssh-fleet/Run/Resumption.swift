internal import BridgeSSHFleet
internal import SSHCommandLine

/// A run that goes on.
struct Resumption {
    let path: String
    /// The same as the person has named it; nil where the run was named otherwise.
    let file: String?
    /// The run's name, and what it ran.
    let run: String
    let subject: RunSubject
    /// What names it in a command, with a blank before it.
    let words: String
    let hosts: [NamedHost]
    /// The hosts to run, read again once no other process can change them.
    let begin: () throws -> [String]
    /// The number of hosts of the run.
    let count: Int

    /// The hosts on which the command ran or may have run.
    ///
    /// - Throws: `UsageProblem`.
    func earlier() throws -> [FleetHostResult] {
        try JournalPlace.refusing("run") { () throws(JournalProblem) in try JournalReader(path, checks: false).earlier() }
    }
}
