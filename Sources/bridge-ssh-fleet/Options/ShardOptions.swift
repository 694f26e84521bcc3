internal import ArgumentParser
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// One shard of a plan in place of hosts and a command.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run one shard of the plan in this directory, in place of hosts and a command; see bridge-ssh fleet plan --help.",
            valueName: "directory"),
        completion: .directory)
    var plan: String?

    @Option(
        help: ArgumentHelp(
            "Which shard: K of 0 to N−1, K/N, or auto for the task's number in the environment of Slurm, Kubernetes, AWS Batch or "
                + "Nomad.",
            valueName: "K/N|auto"))
    var shard: String?
}

extension ShardOptions {
    /// The shard; nil where none is asked for.
    ///
    /// - Parameter words: what follows the options.
    /// - Throws: `UsageProblem`.
    func shard(_ words: [String]) throws -> ShardRun? {
        guard let plan else {
            guard shard == nil else {
                throw UsageProblem(field: "--shard", problem: "it needs --plan DIRECTORY; `bridge-ssh fleet plan` writes a plan")
            }
            return nil
        }
        guard let shard else {
            throw UsageProblem(field: "--plan", problem: "say which shard: --shard K/N, or --shard auto in an array of tasks")
        }
        guard words.isEmpty else {
            throw UsageProblem(
                field: words[0], problem: "the plan has the hosts and the command; leave them out, or --plan and --shard")
        }
        return try ShardRun(ShardDirectory(plan), shard, own: ShardWords.without(["--plan", "--shard"], ProcessArguments.all))
    }
}

/// The words of a command line, without some of its options.
enum ShardWords {
    /// - Parameters:
    ///   - options: options with a value.
    ///   - words: the subcommand and its options.
    /// - Returns: the words after the subcommand.
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
