import SSHTestSupport

extension Fault {
    /// Before a server has identified itself.
    static let reaching = [
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
