internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet merge`: merges all shards into one run.
struct FleetMergeCommand: FleetSubcommand {
    static let name = "fleet merge"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "merge", abstract: "Make one run of the shards of a plan.",
            usage: "bridge-ssh fleet merge [<options>] <directory> …",
            discussion: """
                Reads the journals of the shards, and writes a run like any other: for `report`, `resume` and @run:NAME:failed. Doing \
                it again, after further shards have run, replaces the run; results of its resumption are kept.

                If the shards ran on machines that do not share the plan's directory, give each machine's directory; two \
                journals of one shard must not contradict each other. A shard that has not run is named, and its hosts count as \
                skipped. A host that is claimed and has no outcome in any journal counts as unknown.

                EXAMPLES
                  bridge-ssh fleet merge deploy.plan
                  bridge-ssh fleet report --html deploy.html last

                EXIT STATUS
                  0    all hosts are ok
                  1    hosts ended differently
                  75   shards have not run, or not to their end
                  199  wrong usage, or journals that do not fit; nothing was written

                If all hosts failed alike, the exit status is that of a single one.
                """)
    }

    @Option(
        help: ArgumentHelp("Where the run's journal is kept.", valueName: "directory"), completion: .directory,
        transform: FileName.parse)
    var journal: String?

    @Flag(name: .shortAndLong, help: "Suppress bridge-ssh's own messages.")
    var quiet = false

    @Argument(help: ArgumentHelp("The directory of the plan, and others with journals of its shards.", valueName: "directory"))
    var directories: [String]

    func perform() async throws -> SSHExitStatus {
        let journals = JournalLocation.directory(journal, home: FleetProcess.environment().home)
        let directories = directories.map { ShardDirectory($0) }
        let result: ShardMerge.Result
        do throws(JournalProblem) {
            result = try ShardMerge(directories).write(into: journals)
        } catch {
            if error.kind == .inUse {
                FleetProcess.note(error.text)
                return ShardRun.again
            }
            throw error.refusal(directories[0].path)
        }
        let left = result.outcomes[.skipped] ?? 0
        if !quiet { describe(result, left, journals, directories[0]) }
        return left > 0 ? ShardRun.again : result.exitStatus
    }

    private func describe(_ result: ShardMerge.Result, _ left: Int, _ journals: JournalDirectory, _ directory: ShardDirectory) {
        let merged = result.shards - result.missing.count
        FleetProcess.note(
            "run \(result.run) of \(merged) of \(ShardNumber.shards(result.shards)): \(FleetHostOutcome.text(of: result.outcomes))"
        )
        let run = "bridge-ssh fleet run --plan \(directory.path.shellWord) --shard"
        if !result.missing.isEmpty {
            let named = result.missing.prefix(8).map(String.init).joined(separator: ", ")
            FleetProcess.note(
                "not run: \(ShardNumber.shards(result.missing.count)) (\(named)\(result.missing.count > 8 ? ", …" : "")): "
                    + "`\(run) \(result.missing[0])/\(result.shards)`")
        } else if left > 0 {
            FleetProcess.note(
                "\(Formatted.hosts(left)) skipped: start their shards again, or `bridge-ssh fleet resume\(journals.option) \(result.run)`"
            )
        }
        FleetProcess.note("`bridge-ssh fleet report\(journals.option) \(result.run)` shows its result")
    }
}
