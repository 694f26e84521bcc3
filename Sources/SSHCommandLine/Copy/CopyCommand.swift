import ArgumentParser
package import BridgeSSH
import SSHRun

/// `bridge-ssh copy`: files to a host or from it.
struct CopyCommand: ParsableCommand, LongRunningCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "copy",
            abstract: "Copy files to a host, from it, or between two, over SFTP.",
            usage: "bridge-ssh copy [<options>] <source> … <destination>",
            discussion: CopyHelp.discussion)
    }

    @OptionGroup(title: "What is copied, and how") var copying: CopyingOptions
    @OptionGroup(title: "Host and user") var port: CopyPortOptions
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "Host and user") var prompts: PromptOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var keys: KeyAccessOptions
    @OptionGroup(title: "Authentication") var sudo: SudoOptions
    @OptionGroup(title: "Keeping the connection") var persist: PersistOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "Trying again") var waiting: WaitOptions
    @OptionGroup(title: "Output and exit status") var output: CopyOutputOptions
    @OptionGroup(title: "Records") var records: RecordOptions
    @OptionGroup(title: "Records") var failures: FailureRecordOptions

    @Argument(
        help: ArgumentHelp("The sources, then the destination; at least one side is remote.", valueName: "place"),
        completion: .file())
    var places: [String] = []
}

/// Output and exit status.
struct CopyOutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output.")
    var json = false

    @Option(help: ArgumentHelp("Exit statuses of failures: 1 and 193–199, or 255 as ssh.", valueName: "bridge|ssh"))
    var exitCodes: SSHExitStatus.Convention?

    @Flag(name: .shortAndLong, help: "Report each stage with its time, and notices; twice: the evidence of a failure too.")
    var verbose: Int

    @Flag(name: .shortAndLong, help: "Suppress bridge-ssh's own messages and the progress.")
    var quiet = false

    var output: OutputOptions {
        var options = OutputOptions.unset
        (options.json, options.exitCodes, options.verbose, options.quiet) = (json, exitCodes, verbose, quiet)
        return options
    }
}

/// The long part of `bridge-ssh copy --help`.
enum CopyHelp {
    static let discussion = """
        A remote place is written as [user@]host:path, user@[2001:db8::7]:path, sftp://[user@]host[:port]/path or scp://…; a \
        remote path that does not begin with / starts in the home directory. Write a local name with a colon as ./a:b. Both \
        sides may be remote: then the files go through this host. In a remote source *, ? and […] match names on that host; \
        quote them for your own shell.

        Each file is written under a temporary name beside its target (.NAME.….bridge-partial). When it is complete it replaces \
        the target in one step; a notice says if a server cannot do that in one step. If the directory does not allow you to \
        replace a file that you may write to, the file is written in place, with a notice. /dev/stdout, a pipe and a device are \
        written to and never replaced. A copy that fails or is cancelled removes its partial file, except with --resume: then \
        the next copy with --resume of the same, unchanged source continues it.

        With --recursive symbolic links below a source are copied as links and never followed; links that lead out of a \
        directory copied from a server are left out. --checksum compares SHA-256 sums, on a server with sha256sum, shasum or openssl. A notice with \
        the reason names each file that is left out or could not be verified.

        After the failure of one file the others are still copied; the last line counts the failures. These limits hold for a \
        server's directories: 250,000 entries in one, 1,024 bytes in a name, 4,096 bytes in a path, 256 levels, 1,000,000 \
        entries in all, and 12 MiB of names in memory. Beyond them the copy is refused, and the error names the directory.

        EXAMPLES
          bridge-ssh copy report.pdf deploy@web1:
          bridge-ssh copy -rp deploy@web1:/srv/app/config ./backup
          bridge-ssh copy web1:'log/*.txt' web2:/srv/logs/
          bridge-ssh copy --persist 10m app.conf web1:/etc/app/
          bridge-ssh copy --resume --checksum disk.img sftp://backup@store:2222//var/images/

        EXIT STATUS
          0      everything was copied
          1      a file could not be copied (missing, not permitted, no space, …), was left out, or could not be verified
          193    the host could not be reached
          194    something timed out
          195    the other side does not speak SSH or SFTP, or shares no algorithm with this side
          196    the host key is unknown, changed or revoked
          197    authentication failed, or the agent failed
          198    the session was refused or lost, or the server has no SFTP
          199    wrong usage, or a key file that cannot be used
          130    interrupted (SIGINT); 129 by SIGHUP, 143 by SIGTERM
        """
}

/// The sources, the target and the options of a copy.
package struct CopyingOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Copy directories with everything in them.")
    var recursive = false

    @Flag(name: [.customShort("p"), .long], help: "Give the copies the modes and times of their sources.")
    var preserve = false

    @Flag(help: "Continue a partial copy that was made with --resume, and keep one if this copy fails.")
    var resume = false

    @Flag(help: "Compare the SHA-256 of both sides before a copy replaces its target; needs a host that runs commands.")
    var checksum = false

    @Flag(help: "Overwrite files in place, which keeps hard links, instead of replacing each in one step.")
    var inplace = false

    @Flag(help: "Write holes in place of zeros.")
    var sparse = false

    @Flag(help: "Create the destination's directory, and its parents, if they are missing.")
    var mkpath = false

    @Option(
        help: ArgumentHelp("Transfer at most this many bytes a second; K, M or G for powers of 1024.", valueName: "bytes"),
        transform: ByteCount.parse)
    var limitRate: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Reconnect at most this many times after a lost connection, and continue as with --resume (0).", valueName: "number"),
        transform: RetryCount.parse)
    var retries: RetryCount?

    package init() {}

    package var options: SFTPCopyOptions {
        var options = SFTPCopyOptions()
        options.isRecursive = recursive
        options.preservesAttributes = preserve
        options.resumes = resume || (retries?.value ?? 0) > 0 && !inplace
        options.writesInPlace = inplace
        options.isSparse = sparse
        options.createsParents = mkpath
        options.bytesPerSecond = limitRate?.value
        options.expandsWildcards = true
        options.verifiesChecksums = checksum
        options.continuesAfterFailure = true
        return options
    }
}

extension CopyingOptions {
    /// - Parameter first: the first place.
    /// - Throws: `UsageProblem` for options that contradict each other, or that have another meaning for ssh.
    package func check(first: String?) throws {
        // -p is the port for ssh, but not for scp and copy.
        if preserve, let first, UInt16(first) != nil, access(first, F_OK) != 0 {
            throw UsageProblem(
                field: "-p \(first)",
                problem: "-p preserves modes and times, and there is no file \(first); give the port with `-P \(first)`")
        }
        if resume, inplace {
            throw UsageProblem(
                field: "--resume", problem: "it continues a partial copy, and --inplace makes none; leave one of them out")
        }
    }
}

extension SSHConnectionConfiguration {
    /// Turns keepalives on, unless ssh's configuration disables them (ServerAliveInterval 0). A copy waits only for the
    /// server's answers, and without keepalives it would wait forever for a server that is gone.
    mutating func keepAliveForCopy(_ access: AccessPlan) {
        guard !access.forbidsKeepalive else { return }
        keepalive = keepalive ?? SSHKeepaliveOptions(interval: .seconds(15), countMax: 3)
    }
}
