public import ArgumentParser
public import SSHTestSupport

struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start sshd, print how to reach it, and stop it when standard input ends or a signal comes.",
        discussion: """
            Prints shell assignments, one per line: SANDBOX_HOST, SANDBOX_PORT, SANDBOX_USER, SANDBOX_IDENTITY (a private key that \
            every user accepts), SANDBOX_KNOWN_HOSTS (the server's host keys) and SANDBOX_ROOT (its file system); with --delay \
            also SANDBOX_DELAYED_PORT and SANDBOX_DELAYED_KNOWN_HOSTS. With --json, one object with the same values. Passwords \
            are NAME-pw; `ssh-sandbox users` lists the users.

            Needs root, bubblewrap and openssh-server. It leaves nothing behind, even after kill -9.
            """)

    @Option(help: "The port; 0 finds a free one.")
    var port = 0

    @Option(help: "The address to listen on: 127.0.0.1 or ::1.")
    var listen = "127.0.0.1"

    @Option(help: ArgumentHelp("A line of sshd_config that wins over the default. Repeatable.", valueName: "line"))
    var extra: [String] = []

    @Option(help: ArgumentHelp("A host key: ed25519, ecdsa, ecdsa384, ecdsa521, rsa. Repeatable.", valueName: "kind"))
    var hostKey: [TestKeyKind] = [.ed25519, .ecdsa, .rsa]

    @Option(help: ArgumentHelp("An environment variable or pattern to accept. Repeatable.", valueName: "pattern"))
    var acceptEnv: [String] = []

    @Option(help: ArgumentHelp("When to renew keys, as in sshd_config.", valueName: "limit"))
    var rekeyLimit: String?

    @Option(help: ArgumentHelp("Add a second port, with this delay of each direction.", valueName: "milliseconds"))
    var delay: Int?

    @Flag(help: "Use PAM, so that keyboard-interactive authentication works.")
    var pam = false

    @Flag(help: "Print JSON instead of shell assignments.")
    var json = false

    @Flag(help: "Run until a signal comes, and ignore standard input.")
    var untilSignalled = false

    func run() async throws {
        var options = SSHDSandbox.Options(extra.joined(separator: "\n"))
        options.port = port
        options.listenAddress = listen
        options.hostKeys = hostKey
        options.acceptedEnvironment = acceptEnv
        options.rekeyLimit = rekeyLimit
        options.usePAM = pam
        // Watch for signals before sshd is started, so that a signal during the start ends the sandbox in order.
        let stopRequest = StopRequest(watchingInput: !untilSignalled)
        try await SSHDSandbox.run(options) { box in
            guard let delay else { return try await serve(Report(box), until: stopRequest) }
            try await FaultProxy.run(to: box.port, host: box.host, delay: .milliseconds(delay)) { proxy in
                try await serve(Report(box, delayedPort: proxy.port), until: stopRequest)
            }
        }
    }

    private func serve(_ report: Report, until stopRequest: StopRequest) async throws {
        print(json ? try report.json : report.assignments)
        Report.flush()
        await stopRequest.wait()
    }

    func validate() throws {
        if let delay, delay < 1 { throw ValidationError("--delay must be 1 or more.") }
        if delay != nil, listen.contains(":") { throw ValidationError("--delay listens on 127.0.0.1, as the server must.") }
    }
}

extension TestKeyKind: ExpressibleByArgument {}

struct Users: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the users of the sandbox: name, password, shell.")

    func run() {
        for user in SandboxUser.all { print("\(user.name)\t\(user.password ?? "-")\t\(user.shell)") }
    }
}
