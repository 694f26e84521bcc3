internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

/// `bridge-ssh fleet copy`: copies local files to every host.
struct FleetCopyCommand: TransferSubcommand {
    static let name = "fleet copy"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "copy", abstract: "Copy local files and directories to every host.",
            usage: "bridge-ssh fleet copy [<options>] <source> … <hosts>:<path>",
            discussion: """
                Every host gets all sources. A file gets its name only when it is complete, as with `bridge-ssh copy`. The \
                sources are checked and opened before the first host is touched. A directory is copied into the path, under its \
                own name, and so are several sources: the path must be an existing directory, or --mkpath makes it. So all hosts \
                get the same names.

                \(TransferHelp.hosts) With nothing behind the colon the files go to the home directory.

                \(TransferHelp.rest)

                EXAMPLES
                  bridge-ssh fleet copy app.conf 'web[1-20]':/etc/app/
                  bridge-ssh fleet copy -rp ./site '@web':/srv/www
                  bridge-ssh fleet copy -P 2222 --batches 1,10%,100% release.tar 'db[1-9]':
                """)
    }

    @OptionGroup(title: "What is copied, and how") var copying: CopyingOptions
    @OptionGroup(title: "Which hosts") var selection: HostSelectionOptions
    @OptionGroup(title: "Host and user") var port: CopyPortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Authentication") var sudo: SudoOptions
    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions
    @OptionGroup(title: "Output and journal") var reports: ReportOptions

    @Argument(
        help: ArgumentHelp("The local sources, then the hosts with the path there.", valueName: "source> … <hosts:path"),
        completion: .file())
    var places: [String] = []

    func invocation() throws -> FleetInvocation {
        try copying.check(first: places.first)
        guard let last = places.last, places.count >= 2 else {
            throw UsageProblem(
                field: "hosts", problem: "a source and the hosts are needed; write: bridge-ssh fleet copy FILE 'web[1-20]':/srv/")
        }
        let place = try HostsAndPath(last)
        return try invocation(.copy(Array(places.dropLast()), to: place.path, copying.options), place.hosts)
    }
}

/// The help that `copy` and `fetch` share.
enum TransferHelp {
    static let hosts = """
        The path begins after the last colon outside brackets and before the first slash, so that hosts may have \
        ports and groups their colons: user@web[1-3]:2222:/srv, @run:last:failed:/srv.
        """
    static let rest = """
        A host is ok if everything was copied, failed if a file was not, and error if it was not reached; the other hosts continue. \
        `bridge-ssh fleet resume` copies to or from the hosts that are not ok or failed, and leaves out the files that a host already has. \
        --limit-rate holds for all hosts together. --retries starts again with a host whose connection was lost, after the files that it has completely.
        """
}

/// A subcommand that copies files.
protocol TransferSubcommand: ResumableSubcommand, TransferOptionGroups {
    var selection: HostSelectionOptions { get }
    var sudo: SudoOptions { get }
    var pace: PaceOptions { get }
    var show: ShowOptions { get }
    var reports: ReportOptions { get }
}

extension TransferSubcommand {
    /// The run that copies.
    func invocation(_ transfer: FleetTransfer, _ expression: String) -> FleetInvocation {
        FleetInvocation(
            expression: expression, selection: selection, job: .transfer(transfer), subject: transfer.subject, hosts: hosts,
            command: nil, sudo: sudo, pace: pace, show: show, reports: reports)
    }
}

/// `bridge-ssh fleet fetch`: copies files from every host, into a directory for each.
struct FleetFetchCommand: TransferSubcommand {
    static let name = "fleet fetch"
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "fetch", abstract: "Copy files and directories from every host, into DIRECTORY/HOST.",
            usage: "bridge-ssh fleet fetch [<options>] <hosts>:<path> … <directory>",
            discussion: """
                Files from a host are in a directory with its name, and no host can write outside of it. The directories are made \
                where they are missing. In a path *, ? and […] match names on the hosts; quote them for your own shell. \
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
    @OptionGroup(title: "Host and user") var port: CopyPortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Authentication") var sudo: SudoOptions
    @OptionGroup(title: "Pace and safety") var pace: PaceOptions
    @OptionGroup(title: "Output and journal") var show: ShowOptions
    @OptionGroup(title: "Output and journal") var reports: ReportOptions

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
        return invocation(.fetch(paths, into: directory, copying.options), expression)
    }
}
