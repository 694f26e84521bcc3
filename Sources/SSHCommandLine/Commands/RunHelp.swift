/// The long part of `bridge-ssh run --help`.
enum RunHelp {
    static let discussion = """
        The command's standard output and standard error come out here byte for byte, and its exit status becomes ours. Put \
        options before the host: what follows the host goes to the remote shell as it is, joined by single spaces; one \
        leading -- is dropped. Without a command there is nothing to do: this is no interactive shell, though --tty gives a \
        command a terminal.

        Who you are: the identities given with -i, or else the default ones in ~/.ssh; the keys of the agent; a password. \
        Host keys are compared with known_hosts before anything secret is sent. ssh's configuration is \
        followed, and -v names the settings that have no effect here; options given here come before it.

        With -J (or ProxyJump) the host is reached through others, all in this process. Each hop has its own part of ssh's \
        configuration, its own host key check and its own credentials: -i, -o and --password-file are the destination's. A \
        failure says at which hop it was seen.

        With --retries a run that failed is tried again, after growing waits and never before a wait that the server asked \
        for, where that can help: never with a credential that was refused, and never where the command may have run, unless \
        --idempotent says that it may run twice. Input that was read is not kept, so a command that has read some of it is \
        not run again; --stdin FILE is read anew.

        With --tty, ssh's escape characters count at the beginning of a line: ~. ends the run, also where the server does not \
        answer any more, ~^Z stops bridge-ssh, ~? lists them, and ~~ types one ~. EscapeChar of ssh_config(5) sets another \
        character, or none. A silent server is asked every 15 seconds whether it is there, unless ServerAliveInterval says \
        otherwise.

        With --persist the connection stays in the background, and later runs with --persist to the same destination use it; \
        bridge-ssh persist list shows such connections, bridge-ssh persist stop ends them.

        EXAMPLES
          bridge-ssh run web1 uptime
          bridge-ssh run deploy@web1:2222 -- 'cd /srv && ls'
          bridge-ssh run -i ~/.ssh/deploy --timeout 600 web1 make release
          tar c . | bridge-ssh run backup@[2001:db8::7]:2222 'tar x -C /backup'
          bridge-ssh run -J gate,admin@inner:2222 db1 uptime
          bridge-ssh run --json --batch web1 -- systemctl is-active nginx
          bridge-ssh run --retries 3 --log-file run.log web1 uptime

        EXIT STATUS
          0–255  the remote command's own, untouched
          128+n  the remote command was killed by signal n
          1      in place of both, with --exit-status strict, where the command failed
          193    the host could not be reached
          194    something timed out
          195    the other side does not speak SSH, or nothing that both understand
          196    the host key is unknown, changed or revoked
          197    the server refused who you are, or the agent failed
          198    the session was refused or lost, or the command's outcome is unknown
          199    wrong usage, a key file that cannot be used, or output that cannot be written
          130    interrupted (SIGINT); 129 by SIGHUP, 131 by SIGQUIT, 143 by SIGTERM
          141    the reader of standard output closed it (128 + SIGPIPE)
          255    an unclassified failure (a bug; please report it); with --exit-codes ssh every failure but the command's own

        --json tells a remote 193 from our own: its "error" has the code; --exit-status strict never passes a remote 193 on. bridge-ssh explain 193 lists the failures.
        """
}
