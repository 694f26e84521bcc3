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
