import BridgeSSH

/// A run's name in a command that a message suggests: its own name, because another run may be the last one by then.
package struct RunReference: Sendable, Equatable {
    private let run: String
    private let option: String
    /// The subcommand of a run whose journal lacks some of its words; nil if the journal has them all.
    private let wordless: String?
    /// The command that goes on with a shard; nil for a run that is not one.
    private let shard: String?

    /// - Parameters:
    ///   - file: the run's journal, where the person has named it by that.
    ///   - option: what a command that is to find its journal has after the subcommand's name, with a blank before it.
    ///   - wordless: the subcommand of a run whose journal lacks some of its words: they held a secret, or `--journal-command
    ///     none`
    ///     kept them out. Such a run is resumed with its words.
    ///   - shard: the command that goes on with it, where it is a shard of a plan.
    package init(run: String, file: String? = nil, option: String, wordless: String? = nil, shard: String? = nil) {
        self.wordless = wordless
        self.shard = shard
        self.run = file?.shellWord ?? run
        self.option = file == nil ? option : ""
    }

    /// The command that goes on with it.
    var resume: String {
        shard ?? "bridge-ssh fleet resume\(option) \(run)" + (wordless.map { " -- \($0) …" } ?? "")
    }

    /// What a person must know to type ``resume``; empty if it can be typed as it is.
    var resumeNote: String {
        wordless == nil || shard != nil ? "" : " (… are the words of this run, which its journal does not have)"
    }

    /// The command that reports on it.
    var report: String { "bridge-ssh fleet report\(option) \(run)" }

    /// The command with these of its hosts.
    func hosts(_ selector: String, for subcommand: String = "hosts") -> String {
        "bridge-ssh fleet \(subcommand)\(option) @run:\(run):\(selector)"
    }
}
