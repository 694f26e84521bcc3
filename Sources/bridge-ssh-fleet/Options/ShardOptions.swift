internal import ArgumentParser
internal import SSHCommandLine

/// Selects one shard of a plan instead of hosts and a command.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run one shard of the plan in this directory, in place of hosts and a command; see bridge-ssh fleet plan --help.",
            valueName: "directory"),
        completion: .directory,
        transform: FileName.parse)
    var plan: String?

    @Option(
        help: ArgumentHelp(
            "Which shard: K of 0 to N−1, K/N, or auto for the task's number in the environment of Slurm, Kubernetes, AWS Batch or "
                + "Nomad.",
            valueName: "K/N|auto"))
    var shard: String?
}

/// Removes options from the words of a command line.
enum ShardWords {
    /// - Parameters:
    ///   - options: the options to remove, each with a value.
    ///   - words: the subcommand and its options.
    /// - Returns: the remaining words after the subcommand.
    static func without(_ options: [String], _ words: [String]) -> [String] {
        var kept: [String] = []
        var rest = words.dropFirst()[...]
        while let word = rest.popFirst() {
            if options.contains(word) {
                rest = rest.dropFirst()
            } else if !options.contains(where: { word.hasPrefix($0 + "=") }) {
                kept.append(word)
            }
        }
        return kept
    }
}
