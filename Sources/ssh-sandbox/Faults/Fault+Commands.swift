import SSHTestSupport

extension Fault {
    /// Channels, sessions and commands.
    static let commands = [
        sandboxed(
            "no-sessions", "ssh.channel.session-limit", "MaxSessions is reached", server: "MaxSessions 0"),
        cut("connection-lost", "ssh.session.connection-lost", "closed while the command runs", .finish),
        cut("connection-reset", "ssh.session.connection-lost", "reset while the command runs", .reset),
        cut("gone-silent", "ssh.session.keepalive-timed-out", "nothing passes while the command runs", .stall, keepalive: 1),
        command("exit-3", "ssh.command.exit-nonzero", "a command that fails", "echo oops >&2; exit 3"),
        command("exit-255", "ssh.command.exit-nonzero", "a command that exits as ssh does", "exit 255"),
        command(
            "words-of-ssh", "ssh.command.exit-nonzero", "a command that says what ssh says",
            "echo 'Host key verification failed.' >&2; exit 1"),
        command("not-found", "ssh.command.not-found", "a command that does not exist", "frobnicate --now"),
        command("not-executable", "ssh.command.not-executable", "a file that is no program", "/etc/passwd"),
        command("killed", "ssh.command.killed-by-signal", "a command that is killed", "kill -9 $$"),
        command("disk-full", "ssh.command.exit-nonzero", "no space on the server", "head -c 4000000 /dev/zero > /small/file"),
        command("file-missing", "ssh.command.exit-nonzero", "a file that is not there", "cat /missing/file"),
        sandboxed("too-slow", "ssh.command.timed-out", "a command that outlasts the time it is given") { _, target in
            target.command = "sleep 60"
            target.commandTimeout = 2
        },
        sandboxed(
            "no-outcome", "ssh.command.outcome-unknown", "the channel closes without a status",
            server: "ChannelTimeout session:*=1s"
        ) { _, target in target.command = "sleep 60" },
        sandboxed("no-shell", "ssh.command.login-shell-denied", "an account whose shell is nologin", as: .noshell),
    ]

    private static func command(_ name: String, _ code: String, _ summary: String, _ command: String) -> Fault {
        sandboxed(name, code, summary) { _, target in target.command = command }
    }
}
