import SSHTestSupport

extension Fault {
    /// Authentication and accounts.
    static let loggingIn = [
        sandboxed("key-rejected", "ssh.auth.key-rejected", "a key that the account does not know") { box, target in
            target.identity = try box.identityFile(try await TestKey.make(name: "stranger"))
        },
        sandboxed("password-rejected", "ssh.auth.password-rejected", "a wrong password") { _, target in
            target.use(password: "wr0ng-pw")
        },
        sandboxed(
            "passwords-only", "ssh.auth.method-not-offered", "a key where only passwords are taken",
            server: "PubkeyAuthentication no"),
        sandboxed(
            "keys-only", "ssh.auth.method-not-offered", "a password where only keys are taken",
            server: "PasswordAuthentication no"
        ) { _, target in target.use(password: "alice-pw") },
        sandboxed(
            "second-factor", "ssh.auth.more-factors-required", "a key is accepted and a password is wanted too",
            server: "AuthenticationMethods publickey,password"),
        Fault("too-many-keys", "ssh.auth.too-many-attempts", "an agent with more keys than the server tries") { use in
            var keys: [TestKey] = []
            for number in 0..<4 { keys.append(try await TestKey.make(name: "extra\(number)")) }
            try await AgentProcess.run(keys: keys) { agent in
                try await SSHDSandbox.run(SSHDSandbox.Options("MaxAuthTries 2")) { box in
                    var target = try await FaultTarget(box, .alice)
                    target.identity = nil
                    target.agent = agent.socket
                    try await use(target)
                }
            }
        },
        sandboxed(
            "account-expired", "ssh.auth.account-denied", "a right key for an account that has ended", as: .gone,
            options: { $0.usePAM = true }),
        sandboxed(
            "account-denied", "ssh.auth.connection-dropped", "a right key, and the server hangs up without a word",
            options: {
                $0.usePAM = true
                $0.files["/etc/pam.d/sshd"] = SandboxFile("auth required pam_unix.so\naccount required pam_deny.so\n")
            }),
        sandboxed(
            "password-expired", "ssh.auth.password-expired", "a right password that must be changed first", as: .expired,
            options: { $0.usePAM = true }
        ) { _, target in target.use(password: "expired-pw") },
    ]

    /// The key file, before anything goes over the network.
    static let keyFiles = [
        sandboxed("key-missing", "ssh.key.not-found", "the key file does not exist") { box, target in
            target.identity = box.directory.path("missing")
        },
        sandboxed("key-locked", "ssh.key.passphrase-required", "the key file wants a passphrase") { box, target in
            target.identity = try box.identityFile(try await TestKey.make(passphrase: "secret", name: "locked"))
        },
        sandboxed("passphrase-wrong", "ssh.key.passphrase-wrong", "a wrong passphrase") { box, target in
            target.identity = try box.identityFile(try await TestKey.make(passphrase: "secret", name: "locked"))
            target.passphrase = "not-it"
        },
        sandboxed("key-garbage", "ssh.key.format-invalid", "the key file holds something else") { box, target in
            target.identity = try box.directory.write("this is not a key\n", to: "garbage")
        },
        sandboxed("key-open", "ssh.key.permissions-too-open", "the key file is readable by everyone") { box, target in
            target.identity = try box.directory.write(box.clientKey.privateKey, to: "open", mode: 0o644)
        },
    ]
}

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
        command("not-executable", "ssh.command.not-executable", "a file that is not a program", "/etc/passwd"),
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
