import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Failures on this side: usage, signals, pipes.
@Suite("Matrix: local failures") struct LocalMatrix {
    static let wrong: [[String]] = [
        ["run"], ["run", "host"], ["run", "--no-such-option", "host", "true"], ["run", "-p", "0", "host", "true"],
        ["run", "-p", "70000", "host", "true"], ["run", "--timeout", "x", "host", "true"], ["run", "host:x", "true"],
        ["run", "-o", "RemoteCommand=x", "host", "true"], ["run", "--password-file", "/nowhere/password", "host", "true"],
        ["run", "--host-key-policy", "maybe", "host", "true"], ["run", "--env", "=x", "host", "true"],
        ["run", "--stdin", "/nowhere/input", "127.0.0.1:1", "true"], ["run", "--password-file", "-", "--batch", "host", "true"],
    ]

    static let misuse = SSHError.Code.localUsage
    static let cancelled = SSHError.Code.localCancelled

    @Test("wrong usage is 199, as text and as JSON", arguments: wrong)
    func usage(arguments: [String]) async throws {
        let environment = ProcessEnvironment.exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
        let program = try BuiltExecutable.path("bridge-ssh")
        let plain = try await ProcessRun.run(program, arguments, environment: environment)
        #expect(plain.termination == .exited(199), "\(plain.output)\(plain.errorOutput)")
        #expect(plain.output.isEmpty)
        #expect(!plain.errorOutput.isEmpty)
        let json = try await ProcessRun.run(program, ["run", "--json"] + arguments.dropFirst(), environment: environment)
        #expect(json.termination == .exited(199), "\(json.output)\(json.errorOutput)")
        let object = try JSON(parsing: Data(json.standardOutput))
        #expect(try JSONSchema.ofReport().faults(object) == [], "\(json.output)")
        #expect(object["error"]?["code"] == .string(Self.misuse.rawValue))
        #expect(object["error"]?["case"] == .string("validationError"))
    }

    @Test("a password file that others can read is refused") func openPasswordFile() async throws {
        try await ScratchDirectory.with { scratch in
            let path = try scratch.write("seen-by-all-pw\n", to: "password", mode: 0o644)
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"), ["run", "--json", "--password-file", path, "127.0.0.1:1", "true"],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]))
            #expect(result.termination == .exited(199))
            #expect(result.output.contains("ssh.local.usage"))
            #expect(!result.output.contains("seen-by-all-pw"))
        }
    }

    /// Makes the run with this configuration, with `--json` and as text.
    ///
    /// - Returns: the text.
    @discardableResult
    private func check(_ expected: Expected, configuration: String) async throws -> String {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write(configuration, to: "config")
            let environment = ProcessEnvironment.exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path])
            let program = try BuiltExecutable.path("bridge-ssh")
            let json = try await ProcessRun.run(program, ["run", "--json", "-F", file, "web1", "true"], environment: environment)
            try json.checkJSON(expected)
            let plain = try await ProcessRun.run(program, ["run", "-F", file, "web1", "true"], environment: environment)
            plain.checkBanner(expected)
            return plain.errorOutput
        }
    }

    static let refusal = Expected.failure(.localRefusedByConfig)

    @Test("a configuration that refuses the host") func refusedByConfiguration() async throws {
        let seen = try await check(Self.refusal, configuration: "Host web1\n  RefuseConnection \"it is gone, use web2\"\n")
        #expect(seen.contains("it is gone, use web2") && seen.contains("/config:2"))
    }

    static let badConfiguration = Expected.failure(.localConfigInvalid)

    @Test("an invalid configuration file") func configuration() async throws {
        try await check(Self.badConfiguration, configuration: "Host *\nPort none\n")
    }

    static let signals: [(Int32, Int32, String)] = [(SIGINT, 130, "INT"), (SIGTERM, 143, "TERM"), (SIGHUP, 129, "HUP")]

    @Test("a signal while a command runs", arguments: signals)
    func whileRunning(signal: Int32, status: Int32, name: String) async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            let testRun = try await box.testRun(.alice, "echo running; sleep 300")
            let result = try await testRun.byExecutable(["--json", "-v"]) { process in
                try await process.standardError.wait(for: "running the command")
                process.send(signal: signal)
            }
            // libssh2 1.11 can send the command a signal, which ends it if it has already started.
            try checkCancelled(result, status, mayHaveRun: InstalledLibrary.is111 ? ["unknown", "yes"] : ["unknown"])
            let plain = try await testRun.byExecutable { process in
                try await process.standardOutput.wait(for: "running\n")
                process.send(signal: signal)
            }
            #expect(plain.termination == .exited(status))
            #expect(plain.output == "running\n")
            #expect(plain.errorOutput.contains(InstalledLibrary.is111 ? "sent a signal" : "may still"), "\(plain.errorOutput)")
        }
    }

    @Test("a signal while it connects, waits for the greeting, exchanges keys or logs in", arguments: signals)
    func whileConnecting(signal: Int32, status: Int32, name: String) async throws {
        try await Gate.shared.pass {
            for script in [FaultScript.silent, .identifies(then: .waits)] {
                try await FaultServer.run(script) { server in
                    let result = try await server.testRun().byExecutable(["--json"]) { process in
                        try await server.received.wait(for: "SSH-2.0-")
                        process.send(signal: signal)
                    }
                    try checkCancelled(result, status, mayHaveRun: ["no"])
                }
            }
            try await FakeAgent.run(identities: [TestKey.make()], signing: .nothing) { agent in
                let box = try await SharedSandbox.plain.box()
                var testRun = try await box.testRun()
                testRun.use(agent: agent.socket)
                let result = try await testRun.byExecutable(["--json", "-v"]) { process in
                    try await process.standardError.wait(for: "authenticating as")
                    process.send(signal: signal)
                }
                try checkCancelled(result, status, mayHaveRun: ["no"])
            }
            try await FullListener.run { listener in
                var testRun = TestRun(host: "127.0.0.1", port: listener.port, user: "alice")
                testRun.knownHosts = ["/dev/null"]
                testRun.password = "never-sent-pw"
                let result = try await testRun.byExecutable(["--json", "-v"]) { process in
                    try await process.standardError.wait(for: "connecting to port")
                    process.send(signal: signal)
                }
                try checkCancelled(result, status, mayHaveRun: ["no"])
            }
        }
    }

    @Test("SIGTERM that timeout(1) sends twice ends a run with its report") func timeoutCommand() async throws {
        let box = try await SharedSandbox.plain.box()
        let testRun = try await box.testRun(.alice, "echo running; sleep 300")
        for _ in 0..<5 {
            let result = try await testRun.byExecutable(["--json", "-v"]) { process in
                try await process.standardError.wait(for: "running the command")
                process.send(signal: SIGTERM)
                while process.hasPending(SIGTERM) { await Task.yield() }
                process.send(signal: SIGTERM)
            }
            try checkCancelled(result, 143, mayHaveRun: InstalledLibrary.is111 ? ["unknown", "yes"] : ["unknown"])
        }
    }

    @Test("a second signal exits at once, whatever the server does") func secondSignal() async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await FaultProxy.run(to: box.port) { proxy in
                let testRun = try await box.testRun(.alice, "echo running; sleep 300", through: proxy.port)
                let result = try await testRun.byExecutable { process in
                    try await process.standardOutput.wait(for: "running\n")
                    await proxy.trigger(.stall)
                    process.send(signal: SIGINT)
                    process.send(signal: SIGINT)
                }
                #expect(result.termination == .exited(130))
            }
        }
    }

    private func checkCancelled(
        _ result: ProcessResult, _ status: Int32, mayHaveRun: Set<String>, location: SourceLocation = #_sourceLocation
    ) throws {
        let seen = Comment(rawValue: "\(result.termination) \(result.output) \(result.errorOutput)")
        #expect(result.termination == .exited(status), seen, sourceLocation: location)
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofReport().faults(object) == [], seen, sourceLocation: location)
        #expect(object["error"]?["code"] == .string(Self.cancelled.rawValue), seen, sourceLocation: location)
        #expect(object["error"]?["case"] == .string("cancelled"), seen, sourceLocation: location)
        #expect(mayHaveRun.contains { object["error"]?["commandMayHaveRun"] == .string($0) }, seen, sourceLocation: location)
    }

    @Test("a reader that goes away ends the run quietly") func brokenPipe() async throws {
        let box = try await SharedSandbox.plain.box()
        let program = try BuiltExecutable.path("bridge-ssh")
        let line = """
            "$0" run --batch -p \(box.port) -l alice -F none --agent none -i '\(box.clientKeyFile)' \
            --known-hosts '\(try await box.knownHosts())' 127.0.0.1 -- yes | head -n 1
            echo "status ${PIPESTATUS[0]}" >&2
            """
        let result = try await ProcessRun.run("bash", ["-c", line, program])
        #expect(result.output == "y\n")
        #expect(result.errorOutput == "status 141\n")
    }
}

extension RunningProcess {
    /// Whether the process has not yet taken a signal that was sent to it: sending it again would have no effect.
    fileprivate func hasPending(_ signal: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let pending = status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") }?.dropFirst("ShdPnd:".count)
        let mask = pending.flatMap { UInt64($0.trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
        return mask >> (signal - 1) & 1 == 1
    }
}
