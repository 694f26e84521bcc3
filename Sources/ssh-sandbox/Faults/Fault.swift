import SSHTestSupport

/// Something that goes wrong with SSH for a reason of its own, or a control where nothing does: made for real, on loopback.
struct Fault: Sendable {
    /// What is done with a place while the fault lasts.
    typealias Use = (FaultTarget) async throws -> Void

    /// How scripts ask for it.
    let name: String
    /// One line for people.
    let summary: String
    /// The code of docs/FAILURES.md; nil for a control, which must succeed.
    let code: String?
    /// Makes it, lends it, and takes it away again.
    let make: @Sendable (Use) async throws -> Void

    init(_ name: String, _ code: String?, _ summary: String, make: @escaping @Sendable (Use) async throws -> Void) {
        self.name = name
        self.code = code
        self.summary = summary
        self.make = make
    }

    /// All of them, in the order in which a connection comes to them.
    static let all = controls + reaching + exchanging + trusting + loggingIn + keyFiles + commands

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

    /// A fault of a real sshd, of its accounts, or of what the client brings.
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

    /// A fault of the network between a client and a real sshd: after so many bytes, or once the command runs.
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
                    try await Mark(box.url(of: "/tmp/running")).each(
                        { await proxy.trigger(action) },
                        during: { [target] in
                            try await use(target)
                        })
                }
            }
        }
    }
}
