import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// Trying again, on real servers, through the executable.
@Suite("Retrying a run")
struct RetryTests {
    /// A command that creates a file and prints a line; it does not end by itself, unless it is the second one.
    static let markAndStay = "echo x >> /tmp/marks; echo started; test $(wc -l < /tmp/marks) -ge 2 || sleep 600"

    @Test("a server that refuses the first connection and accepts the second")
    func secondTime() async throws {
        try await SharedSandbox.run { box in
            try await FaultProxy.run(to: box.port, fault: .init(.finish, afterServerBytes: 0), onFirst: 1) { proxy in
                let run = try await box.commandLine(["--retries", "2", "--json"], "echo hi", through: proxy.port)
                let result = try await run.result()
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
                #expect(
                    result.output.contains(#""stdout":"hi\n""#) && result.output.contains(#""attempts":2"#), "\(result.output)")
                #expect(proxy.statistics.connections == 2)
            }
        }
    }

    @Test("without --retries there is one attempt")
    func onceByDefault() async throws {
        try await FaultServer.run(.finishesAtOnce) { server in
            let result = try await CommandLineRun(options: ["--json"], port: server.port).result()
            #expect(result.exitStatus == 193)
            #expect(result.output.contains(#""attempts":1"#))
            #expect(server.connectionCount == 1)
        }
    }

    @Test("all attempts fail: the last failure is reported once, with their number")
    func allFail() async throws {
        try await FaultServer.run(.finishesAtOnce) { server in
            let result = try await CommandLineRun(options: ["--retries", "2", "-v"], port: server.port).result()
            #expect(result.exitStatus == 193)
            #expect(server.connectionCount == 3)
            let text = result.errorOutput
            #expect(text.split(separator: "\n").count { $0.contains("trying again in ") } == 2, "\(text)")
            #expect(text.contains("attempt 1 of 3: ssh.banner.closed; trying again in "))
            #expect(text.contains("3 times"))
        }
    }

    @Test("a busy server accepts a retry once another connection has ended")
    func busy() async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options("MaxStartups 1:100:1\nLoginGraceTime 600")) { box in
            // A client that connects and does not log in until the other has been refused.
            let arrived = AsyncStream.makeStream(of: Void.self)
            let mayLeave = AsyncStream.makeStream(of: Void.self)
            async let other = ProcessRun.run(
                "bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(box.port); read -r line <&3; echo $line; read"], input: .pipe
            ) { process in
                defer { arrived.continuation.finish() }
                try await process.standardOutput.wait(for: "SSH-2.0")
                arrived.continuation.finish()
                for await _ in mayLeave.stream {}
            }
            for await _ in arrived.stream {}
            let run = try await box.commandLine(["--retries", "20", "-v"], "echo in")
            let result = try await run.result { process in
                defer { mayLeave.continuation.finish() }
                try await process.standardError.wait(for: "ssh.banner.server-busy; trying again")
            }
            mayLeave.continuation.finish()
            #expect(try await other.exitStatus != nil)
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            #expect(result.output == "in\n")
        }
    }

    @Test(
        "--wait waits for a server with closed logins, with PAM and without, and the command runs once",
        arguments: [true, false])
    func booting(pam: Bool) async throws {
        var options = SSHDSandbox.Options()
        if pam {
            options.configuration += "\nUsePAM yes"
            options.files["/etc/pam.d/sshd"] = SandboxFile(Services.nologin)
        }
        try await SSHDSandbox.run(options) { box in
            let file = "/etc/nologin"
            let text = "System is booting up. Unprivileged users are not permitted to log in yet.\n"
            try box.put(text, at: file)
            let mark = "echo x >> /tmp/marks; cat /tmp/marks"
            let closed = try await box.commandLine(["--json"], mark).result()
            #expect(closed.exitStatus == 193 && closed.output.contains("ssh.auth.logins-closed"), "\(closed.output)")
            let copied = try await ScratchDirectory.with { home in
                try await ProcessRun.run(
                    try BuiltExecutable.path("bridge-ssh"),
                    try await box.copyArguments() + ["--json", "127.0.0.1:x", home.path("x")],
                    environment: .exactly(["HOME": home.url.path]))
            }
            #expect(copied.exitStatus == 193 && copied.output.contains("ssh.auth.logins-closed"), "\(copied.output)")
            let waiting = try await box.commandLine(["--wait", "5m", "-v"], mark).result { process in
                try await process.standardError.wait(for: "attempt 2: ssh.auth.logins-closed; trying again")
                try FileManager.default.removeItem(at: box.url(of: file))
            }
            #expect(waiting.exitStatus == 0 && waiting.output == "x\n", "\(waiting.errorOutput)")
        }
    }

    @Test("a command that prints that logins are closed has run, and is not run again")
    func speaksAsNologin() async throws {
        try await SSHDSandbox.run { box in
            let command = "echo x >> /tmp/marks; echo 'down for maintenance' >&2; exit 254"
            let result = try await box.commandLine(["--wait", "5m", "--json"], command).result()
            #expect(result.exitStatus == 254 && result.output.contains("ssh.command.exit-nonzero"), "\(result.output)")
            #expect(box.temporaryDirectory.appendingPathComponent("marks").text == "x\n")
        }
    }

    @Test("the wait ends at its limit with the last failure, and at once if waiting does not help")
    func waitEnds() async throws {
        try await FaultServer.run(.finishesAtOnce) { server in
            let result = try await CommandLineRun(options: ["--wait", "1s", "-v"], port: server.port).result()
            #expect(result.exitStatus == 193 && server.connectionCount == 1, "\(result.errorOutput)")
            #expect(result.errorOutput.contains("the wait limit of 1 second has passed"), "\(result.errorOutput)")
        }
        try await SharedSandbox.run { box in
            let result = try await box.commandLine(["--wait", "5m", "--json"], user: .loosehome).result()
            #expect(result.exitStatus == 197 && result.output.contains(#""attempts":1"#), "\(result.output)")
        }
    }

    @Test("a rejected key is offered once")
    func rejectedKey() async throws {
        try await SSHDSandbox.run { box in
            let run = try await box.commandLine(["--retries", "5", "--idempotent"], user: .loosehome)
            let result = try await run.result()
            #expect(result.exitStatus == 197)
            #expect(result.errorOutput.contains("ssh.auth.key-rejected"))
            #expect(box.connectionCount == 1, "\(box.log.text)")
        }
    }

    @Test("a command that may have run is not run again", arguments: [false, true])
    func lostConnection(isIdempotent: Bool) async throws {
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                let options = ["--retries", "3", "-v"] + (isIdempotent ? ["--idempotent"] : [])
                let run = try await box.commandLine(options, Self.markAndStay, through: proxy.port)
                let result = try await run.result { process in
                    try await process.standardOutput.wait(for: "started")
                    await proxy.trigger(.reset)
                }
                #expect(box.marks() == (isIdempotent ? 2 : 1))
                #expect(result.exitStatus == (isIdempotent ? 0 : 198), "\(result.errorOutput)")
                #expect(result.errorOutput.contains("--idempotent would allow it") == !isIdempotent, "\(result.errorOutput)")
            }
        }
    }

    @Test("input that was read is not sent a second time, except from a file", arguments: [false, true])
    func input(isFile: Bool) async throws {
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                let file = try box.directory.write("once\n", to: "input")
                let options = ["--retries", "3", "--idempotent", "-v"] + (isFile ? ["--stdin", file] : [])
                let run = try await box.commandLine(
                    options, "read line; echo got $line; " + Self.markAndStay, through: proxy.port,
                    input: .bytes(Array("once\n".utf8)))
                let result = try await run.result { process in
                    try await process.standardOutput.wait(for: "started")
                    await proxy.trigger(.reset)
                }
                #expect(box.marks() == (isFile ? 2 : 1))
                #expect(result.exitStatus == (isFile ? 0 : 198), "\(result.errorOutput)")
                #expect(result.output == (isFile ? "got once\nstarted\ngot once\nstarted\n" : "got once\nstarted\n"))
                #expect(result.errorOutput.contains("input has been read and is not kept") == !isFile, "\(result.errorOutput)")
            }
        }
    }

    @Test("a penalty is waited out, and ^C ends the wait")
    func interruptedWait() async throws {
        try await FaultServer.run(.says("Not allowed at this time\r\n", then: .finishes)) { server in
            let result = try await CommandLineRun(options: ["--retries", "3", "-v"], port: server.port).result { process in
                try await process.standardError.wait(for: "ssh.banner.source-penalised; trying again in 15.0 s")
                process.send(signal: 2)
            }
            #expect(result.exitStatus == 130)
            #expect(result.errorOutput.contains("ssh.local.cancelled"))
            // There is one connection if the signal arrives in the first wait; on a busy machine it may arrive in a
            // later one.
            #expect(server.connectionCount < 4)
        }
    }
}
