internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet fetch`: files of every host, into a directory for each.
struct FleetFetchCommand: ResumableSubcommand {
    static let name = "fleet fetch"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "fetch", abstract: "Copy files and directories from every host, into DIRECTORY/HOST.",
            usage: "bridge-ssh fleet fetch [<options>] <hosts>:<path> … <directory>",
            discussion: """
                What comes from a host lies in a directory with its name, and no host can write outside of it. The directories are made \
                where they are missing. In a path *, ? and […] stand for the names there that match; quote them for your own shell. \
                All paths have the same hosts before them.

                \(TransferHelp.hosts)

                \(TransferHelp.rest)

                EXAMPLES
                  bridge-ssh fleet fetch 'web[1-20]':/var/log/nginx/error.log ./logs
                  bridge-ssh fleet fetch -r '@db':/etc/postgresql './db-config'
                  bridge-ssh fleet fetch 'web[1-20]:/etc/*-release' ./releases
                """)
    }

    @OptionGroup(title: "What is copied, and how") var copying: CopyingOptions
    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup var hosts: TransferHostOptions
    @OptionGroup(title: "Authentication") var sudo: SudoOptions
    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions

    @Argument(
        help: ArgumentHelp(
            "The hosts with the paths there, then the local directory.", valueName: "hosts:path> … <directory"),
        completion: .file())
    var places: [String] = []

    func invocation() throws -> FleetInvocation {
        try copying.check(first: places.first)
        guard let directory = places.last, places.count >= 2 else {
            throw UsageProblem(
                field: "directory",
                problem: "hosts and a directory are needed; write: bridge-ssh fleet fetch 'web[1-20]':/etc/hosts ./hosts")
        }
        guard !directory.isEmpty else { throw UsageProblem(field: "directory", problem: "it is empty; write . for this one") }
        let (expression, paths) = try HostsAndPath.all(Array(places.dropLast()))
        return .transferring(
            .fetch(paths, into: directory, copying.options), expression, selection, hosts.asOfRun(copying), sudo, pace, show)
    }
}
