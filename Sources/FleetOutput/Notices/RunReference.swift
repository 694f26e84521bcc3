import BridgeSSHFleet

/// How a suggested command names a run: by its own name, because `last` may mean another run by then.
package struct RunReference: Sendable, Equatable {
    private let run: String
    private let option: String
    /// The subcommand of a run whose journal lacks some of its words; nil if the journal has them all.
    private let incompleteSubcommand: String?
    /// The command that resumes a shard; nil if the run is not one.
    private let shard: String?
    /// The options with which the run's inventory says how its hosts are reached.
    private let inventory: [String]

    /// - Parameters:
    ///   - file: the run's journal, if a person named the run by that file.
    ///   - option: the option, with a leading space, that a command needs to find the journal.
    ///   - incompleteSubcommand: the subcommand of a run whose journal lacks some of its words: they contained a secret, or
    ///     `--journal-command none` kept them out. To resume such a run, a person must give the words again.
    ///   - shard: the command that resumes the run, if it is a shard of a plan.
    ///   - inventory: the options that name the inventory of the run.
    package init(
        run: String, file: String? = nil, option: String, incompleteSubcommand: String? = nil, shard: String? = nil,
        inventory: [String] = []
    ) {
        self.inventory = inventory
        self.incompleteSubcommand = incompleteSubcommand
        self.shard = shard
        self.run = file?.shellWord ?? run
        self.option = file == nil ? option : ""
    }

    /// The command that resumes the run.
    var resume: String {
        shard ?? "bridge-ssh fleet resume\(option) \(run)" + (incompleteSubcommand.map { " -- \($0) …" } ?? "")
    }

    /// What a person must add to ``resume``; empty if it can be typed as it is.
    var resumeNote: String {
        incompleteSubcommand == nil || shard != nil ? "" : " (… are the words of this run, which its journal does not have)"
    }

    var report: String { "bridge-ssh fleet report\(option) \(run)" }

    /// The command that lists the selected hosts of the run.
    func hosts(_ selector: String) -> String { "bridge-ssh fleet hosts\(option) @run:\(run):\(selector)" }

    /// The command that trusts the unknown hosts of the run.
    ///
    /// - Parameter options: the options with which the hosts are reached.
    func trust(_ options: [String]) -> String {
        let words = (inventory + options).map { " " + $0.shellWord }.joined()
        return "bridge-ssh fleet trust\(option)\(words) @run:\(run):ssh.host-key.unknown"
    }
}
