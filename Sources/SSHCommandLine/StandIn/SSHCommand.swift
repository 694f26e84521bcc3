import ArgumentParser
import SSHRun

/// `bridge-ssh ssh` in the list of subcommands, and its help. ``StandIn`` takes its arguments before they are parsed.
struct SSHCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "ssh",
            abstract: "Run OpenSSH's own ssh, and say what went wrong when it fails.",
            usage: "bridge-ssh ssh [--retries <number>] [--] <arguments of ssh> …",
            discussion: """
                The real ssh does the work: with your arguments, streams, terminal, configuration and agent, so that prompts, ~., \
                forwarding, ControlMaster and everything else are as without us. No byte of the session goes through bridge-ssh. \
                ssh's own words come out as ssh would have written them; after a failure of ssh's, and only then, one line follows \
                (at a terminal a banner) with the failure's name, reason and remedy. The exit status is ssh's.

                So it goes where a program calls ssh:

                  export GIT_SSH_COMMAND='bridge-ssh ssh' GIT_SSH_VARIANT=ssh
                  export RSYNC_RSH='bridge-ssh ssh'
                  export ANSIBLE_SSH_EXECUTABLE=/opt/bridge-ssh/ssh

                Under the name ssh it takes ssh's arguments alone: `scripts/install --as-ssh /opt/bridge-ssh` makes a directory \
                with ssh, scp and sftp, which can also stand first in PATH. The real ssh is the first in PATH that is not this \
                program.

                Calls that only ask ssh something (-G, -V, -Q, -O) and those that log to syslog (-y) become ssh. So do calls that \
                set LogVerbose, and -f with -v, for there we would change what they do. With LogLevel FATAL or ERROR the verdict \
                rests on ssh's words alone, and with -q nothing is said on standard error unless BRIDGE_SSH_VERDICT is set.

                ENVIRONMENT
                  BRIDGE_SSH_VERDICT       banner, line or off: how a failure is told on standard error
                  BRIDGE_SSH_VERDICT_FILE  a file, or fd:3: gets one JSON object for each call, also after a success
                  BRIDGE_SSH_STATUS        codes: exit with 193–199 in place of ssh's own 255
                  BRIDGE_SSH_RETRIES       as --retries
                  BRIDGE_SSH_OPENSSH       the real ssh

                EXAMPLES
                  bridge-ssh ssh web1 uptime
                  bridge-ssh ssh --retries 3 -- -p 2222 deploy@web1 make deploy
                  rsync -e 'bridge-ssh ssh' -a site/ web1:/srv/www/
                  BRIDGE_SSH_VERDICT_FILE=ssh.jsonl git -c core.sshCommand='bridge-ssh ssh' fetch

                EXIT STATUS
                  ssh's own: the remote command's, or 255 if ssh failed
                  193–199, as of `bridge-ssh run`, for a failure of ssh's with BRIDGE_SSH_STATUS=codes
                """)
    }

    @Option(
        help: ArgumentHelp(
            "Try again up to this often where ssh's log proves that no session was asked for, so that neither the command nor its "
                + "input is touched; never after a refused credential or host key (0).",
            valueName: "number"),
        transform: RetryCount.parse)
    var retries: RetryCount?

    @Argument(parsing: .captureForPassthrough, help: "ssh's own options, destination and command.")
    var arguments: [String] = []

    func run() throws {
        throw UsageProblem(
            field: arguments.first { $0.hasPrefix("--") } ?? "ssh",
            problem: "it is neither an option of `bridge-ssh ssh` nor one of ssh's; see `bridge-ssh ssh --help`")
    }
}
