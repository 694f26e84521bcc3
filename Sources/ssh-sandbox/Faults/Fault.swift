import Foundation
import SSHTestSupport

/// A real failure of SSH with a known cause, made on loopback; or a control, which succeeds.
struct Fault: Sendable {
    /// Uses the target while the fault lasts.
    typealias Use = (FaultTarget) async throws -> Void

    /// The name for scripts.
    let name: String
    /// A description in one line.
    let summary: String
    /// The expected code of docs/FAILURES.md; nil for a control, which must succeed.
    let code: String?
    /// Makes the fault, calls the closure, and removes the fault.
    let make: @Sendable (Use) async throws -> Void

    init(_ name: String, _ code: String?, _ summary: String, make: @escaping @Sendable (Use) async throws -> Void) {
        self.name = name
        self.code = code
        self.summary = summary
        self.make = make
    }

    /// All faults, in the order of a connection's stages.
    static let all = controls + connecting + keyExchange + trusting + loggingIn + keyFiles + commands

    static let controls = [
        sandboxed("ok-key", nil, "a key that is accepted"),
        Fault("ok-rsa-key", nil, "an RSA key that is accepted") { use in
            let key = try await TestKey.make(.rsa)
            var options = SSHDSandbox.Options()
            options.authorize(key, for: .alice)
            try await SSHDSandbox.run(options) { box in
                var target = try await FaultTarget(box, .alice)
                target.identity = try box.identityFile(key)
                try await use(target)
            }
        },
        sandboxed("ok-password", nil, "a password that is accepted") { _, target in target.use(password: "alice-pw") },
        sandboxed("ok-noise", nil, "a command that complains and succeeds") { _, target in
            target.command = "echo 'Permission denied (publickey).' >&2"
        },
    ]
}

extension Fault {
    /// A fault of a server that follows a script.
    static func scripted(_ name: String, _ code: String, _ summary: String, _ script: FaultScript) -> Fault {
        Fault(name, code, summary) { use in
            try await FaultServer.run(script) { server in
                try await ScratchDirectory.with { directory in
                    var target = FaultTarget(port: server.port, knownHosts: try directory.write("", to: "known_hosts"))
                    target.identity = try await TestKey.make().write(to: directory, as: "id")
                    try await use(target)
                }
            }
        }
    }

    /// A fault of a real sshd, of its accounts, or of the client's credentials.
    static func sandboxed(
        _ name: String, _ code: String?, _ summary: String, as user: SandboxUser = .alice, server configuration: String = "",
        options change: @escaping @Sendable (inout SSHDSandbox.Options) -> Void,
        arrange: @escaping @Sendable (SSHDSandbox, inout FaultTarget) async throws -> Void = { _, _ in }
    ) -> Fault {
        Fault(name, code, summary) { use in
            var options = SSHDSandbox.Options(configuration)
            change(&options)
            try await SSHDSandbox.run(options) { box in
                var target = try await FaultTarget(box, user)
                try await arrange(box, &target)
                try await use(target)
            }
        }
    }

    static func sandboxed(
        _ name: String, _ code: String?, _ summary: String, as user: SandboxUser = .alice, server configuration: String = "",
        arrange: @escaping @Sendable (SSHDSandbox, inout FaultTarget) async throws -> Void = { _, _ in }
    ) -> Fault {
        sandboxed(name, code, summary, as: user, server: configuration, options: { _ in }, arrange: arrange)
    }

    /// A fault of the network between a client and a real sshd: after `count` bytes, or once the command runs.
    static func cut(
        _ name: String, _ code: String, _ summary: String, _ action: FaultProxy.Action, afterServerBytes count: Int? = nil,
        keepalive: Int? = nil
    ) -> Fault {
        Fault(name, code, summary) { use in
            try await SSHDSandbox.run { box in
                let fault = count.map { FaultProxy.Fault(action, afterServerBytes: $0) }
                try await FaultProxy.run(to: box.port, fault: fault) { proxy in
                    var target = try await FaultTarget(box, .alice)
                    target.port = proxy.port
                    target.knownHosts = try await box.knownHosts(port: proxy.port)
                    target.keepalive = keepalive
                    guard count == nil else { return try await use(target) }
                    target.command = "touch /tmp/running; sleep 60"
                    try await MarkerFile(box.url(of: "/tmp/running")).each(
                        { await proxy.trigger(action) },
                        during: { [target] in
                            try await use(target)
                        })
                }
            }
        }
    }
}

extension Fault {
    /// Before a server has identified itself.
    static let connecting = [
        Fault("host-not-found", "ssh.resolve.host-not-found", "a name that does not exist") { use in
            try await ScratchDirectory.with { directory in
                var target = FaultTarget(port: 22, knownHosts: try directory.write("", to: "known_hosts"))
                target.host = "no-such-host.invalid"
                target.identity = try await TestKey.make().write(to: directory, as: "id")
                try await use(target)
            }
        },
        Fault("refused", "ssh.connect.refused", "nothing listens") { use in
            try await ScratchDirectory.with { directory in
                // tcpmux: unused for decades.
                var target = FaultTarget(port: 1, knownHosts: try directory.write("", to: "known_hosts"))
                target.identity = try await TestKey.make().write(to: directory, as: "id")
                try await use(target)
            }
        },
        Fault("no-answer", "ssh.connect.timed-out", "a connect without an answer") { use in
            try await FullListener.run { listener in
                try await ScratchDirectory.with { directory in
                    var target = FaultTarget(port: listener.port, knownHosts: try directory.write("", to: "known_hosts"))
                    target.identity = try await TestKey.make().write(to: directory, as: "id")
                    try await use(target)
                }
            }
        },
        scripted("silent", "ssh.banner.timed-out", "accepts and says nothing", .silent),
        scripted("closed-at-once", "ssh.banner.closed", "closes before it identifies itself", .finishesAtOnce),
        scripted("reset-at-once", "ssh.banner.closed", "resets before it identifies itself", .resetsAtOnce),
        scripted(
            "http", "ssh.banner.not-ssh", "a web server",
            .says("HTTP/1.1 400 Bad Request\r\nServer: nginx\r\nContent-Length: 0\r\n\r\n", then: .readsThenFinishes)),
        scripted("busy", "ssh.banner.server-busy", "MaxStartups is reached", .says("Exceeded MaxStartups\r\n", then: .finishes)),
        scripted("ssh-1", "ssh.banner.unsupported-version", "a server of the SSH-1 time", .ssh1),
    ]
}

extension Fault {
    /// Key exchange.
    static let keyExchange = [
        disjoint("no-common-kex", "ssh.kex.no-common-kex", "no common key exchange method") { $0.keyExchange = $1 },
        disjoint("no-common-host-key", "ssh.kex.no-common-host-key-algorithm", "no common host key algorithm") {
            $0.hostKey = $1
        },
        disjoint("no-common-cipher", "ssh.kex.no-common-cipher", "no common cipher") { $0.cipher = $1 },
        disjoint("no-common-mac", "ssh.kex.no-common-mac", "no common MAC") { $0.mac = $1 },
        scripted(
            "disconnects", "ssh.kex.disconnected", "disconnects with a reason before key exchange",
            .disconnects(reason: 12, text: "Too many connections")),
        cut("closed-in-kex", "ssh.kex.closed", "closed during key exchange", .finish, afterServerBytes: 600),
        cut("stalled-in-kex", "ssh.kex.timed-out", "no answer during key exchange", .stall, afterServerBytes: 600),
    ]

    /// A server with one list that has nothing in common with any client.
    private static func disjoint(
        _ name: String, _ code: String, _ summary: String, _ set: (inout KeyExchangeLists, [String]) -> Void
    ) -> Fault {
        var lists = KeyExchangeLists()
        // These ciphers need a MAC, so that the MAC is negotiated.
        lists.cipher = ["aes128-ctr", "aes256-ctr"]
        set(&lists, ["of-tomorrow@example.com"])
        return scripted(name, code, summary, .keyExchangeInit(lists, then: .waits))
    }
}

extension Fault {
    /// Host keys.
    static let trusting = [
        sandboxed("host-key-unknown", "ssh.host-key.unknown", "no line for the host") { box, target in
            target.knownHosts = try box.directory.write("", to: "empty")
        },
        sandboxed("host-key-changed", "ssh.host-key.changed", "known under other keys of the same types") { box, target in
            var keys: [String] = []
            for kind in box.options.hostKeys { keys.append(try await TestKey.make(kind, name: "earlier").publicKey) }
            target.knownHosts = try await box.knownHosts(keys: keys)
        },
        sandboxed("host-key-revoked", "ssh.host-key.revoked", "its keys are marked as revoked") { box, target in
            target.knownHosts = try await box.knownHosts(marker: "@revoked")
        },
    ]
}

/// A file that a command in the sandbox makes when it starts.
struct MarkerFile: Sendable {
    let file: URL

    init(_ file: URL) { self.file = file }

    /// While `body` runs, removes the file and calls `reaction` each time it appears.
    func each(_ reaction: @escaping @Sendable () async -> Void, during body: () async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup { group in
            group.addTask { await watch(reaction) }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func watch(_ reaction: @Sendable () async -> Void) async {
        while !Task.isCancelled {
            if (try? FileManager.default.removeItem(at: file)) != nil { await reaction() }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}

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
            "passwords-only", "ssh.auth.method-not-offered", "a key if only passwords are accepted",
            server: "PubkeyAuthentication no"),
        sandboxed(
            "keys-only", "ssh.auth.method-not-offered", "a password if only keys are accepted",
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
        sandboxed("key-locked", "ssh.key.passphrase-required", "the key file needs a passphrase") { box, target in
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
            "words-of-ssh", "ssh.command.exit-nonzero", "a command that prints a message of ssh",
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
