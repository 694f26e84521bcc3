import BridgeSSH

/// How a run is named in a command that a person is told to type: by its own name, because another run may be the last one by then.
package struct RunReference: Sendable, Equatable {
    private let run: String
    private let option: String

    /// - Parameters:
    ///   - file: the run's journal, where the person has named it by that.
    ///   - directory: where the journal is.
    package init(run: String, file: String? = nil, directory: JournalDirectory) {
        self.run = file?.shellWord ?? run
        option = file == nil ? directory.option : ""
    }

    /// The command that goes on with it.
    var resume: String { "bridge-ssh fleet resume\(option) \(run)" }

    /// The command with these of its hosts.
    func hosts(_ selector: String, for subcommand: String = "hosts") -> String {
        "bridge-ssh fleet \(subcommand)\(option) @run:\(run):\(selector)"
    }
}
