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
            target.identity = try box.directory.write("this is no key\n", to: "garbage")
        },
        sandboxed("key-open", "ssh.key.permissions-too-open", "the key file is readable by everyone") { box, target in
            target.identity = try box.directory.write(box.clientKey.privateKey, to: "open", mode: 0o644)
        },
    ]
}
