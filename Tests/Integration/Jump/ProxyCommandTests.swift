import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// ProxyCommand: it carries the connection, its messages are reported, and it never outlives the client.
@Suite("ProxyCommand") struct ProxyCommandTests {
    @Test("a program that carries the connection") func works() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("exec " + (try await setting.relay()))
            let file = try await setting.configurationFile(command)
            let theirs = try await ProcessRun.run("/usr/bin/ssh", ["-F", file, "web1", "echo done"])
            #expect(theirs.output == "done\n")
            // ssh does not wait for its own ProxyCommand.
            setting.forget()
            #expect(try await setting.byLibrary(command) == nil)
            let ours = try await setting.byExecutable(command)
            #expect(ours.output == "done\n" && ours.termination == .exited(0), "\(ours.errorOutput)")
            #expect(ours.errorOutput.isEmpty)
        }
    }

    @Test("ssh -W through another server, and 8 MiB both ways") func sshAsProxy() async throws {
        try await ProxySetting.with { setting in
            let box = setting.box
            let command = try await setting.relay().replacing("%h", with: box.host).replacing("%p", with: "\(box.port)")
            var configuration = try await box.configuration()
            configuration.proxyCommand = SSHProxyCommand(command, environment: ["PATH=/usr/bin:/bin"])
            let bytes = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 40_503 >> 9) }
            try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) { connection in
                let result = try await connection.run("cat", standardInput: .bytes(bytes))
                #expect(result.standardOutput == bytes)
            }
        }
    }

    static let failed = SSHError.Code.connectProxyFailed

    private func proxyFailure(
        _ setting: ProxySetting, _ command: String, status: Int?, saying words: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let error = try await setting.byLibrary(command)
        let seen = Comment(
            rawValue: "\(error?.code.rawValue ?? "") \(error?.message ?? "") \(error.map { "\($0.evidence)" } ?? "")")
        #expect(error?.code == Self.failed, seen, sourceLocation: location)
        #expect(error?.evidence.proxy?.exitStatus == status, seen, sourceLocation: location)
        #expect(error?.commandMayHaveRun == .no, seen, sourceLocation: location)
        #expect(error?.message.contains(words) == true, seen, sourceLocation: location)
        let json = try await setting.byExecutable(command, ["--json"])
        #expect(json.termination == .exited(193), "\(json.output)", sourceLocation: location)
        let object = try JSON(parsing: Data(json.standardOutput))
        #expect(try JSONSchema.ofReport().faults(object) == [], sourceLocation: location)
        #expect(object["error"]?["code"] == .string("ssh.connect.proxy-failed"), sourceLocation: location)
        let proxy = object["error"]?["evidence"]?["proxy"]
        if let status { #expect(proxy?["exitStatus"] == .integer(status), sourceLocation: location) }
        let plain = try await setting.byExecutable(command)
        let oneLine = plain.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(oneLine.contains(words), "\(plain.errorOutput)", sourceLocation: location)
    }

    @Test("a missing program") func notFound() async throws {
        try await ProxySetting.with {
            try await proxyFailure($0, "no-such-program-at-all %h %p", status: 127, saying: "not found")
        }
    }

    @Test("a program that says why it fails") func complains() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("echo first >&2; echo 'gateway closed for today' >&2; exit 1")
            try await proxyFailure(setting, command, status: 1, saying: "gateway closed for today")
        }
    }

    @Test("a program that is killed") func killed() async throws {
        try await ProxySetting.with { setting in
            try await proxyFailure(setting, try setting.command("kill -KILL $$"), status: 137, saying: "status 137")
        }
    }

    @Test("a program that closes its output and keeps running") func goesOn() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("exec >&-; exec sleep 600")
            try await proxyFailure(setting, command, status: nil, saying: "closed its output")
        }
    }

    @Test("a missing shell") func noShell() async throws {
        try await ProxySetting.with { setting in
            let error = try await setting.byLibrary("true", shell: "/no/such/shell")
            #expect(error?.code == .connectProxyFailed && error?.message.contains("did not start") == true)
            #expect(error?.message.contains("No such file") == true, "\(error?.message ?? "")")
        }
    }

    @Test("a program that connects to another service") func otherService() async throws {
        try await ProxySetting.with { setting in
            let error = try await setting.byLibrary(
                try setting.command("printf 'HTTP/1.1 400 Bad Request\\r\\n\\r\\n'; exec sleep 600"))
            #expect(error?.code == .bannerNotSSH, "\(error?.message ?? "")")
        }
    }

    @Test("a program that never writes") func silent() async throws {
        try await ProxySetting.with { setting in
            var setting = setting
            setting.connectTimeout = 2
            let command = try setting.command("exec sleep 600")
            let error = try await setting.byLibrary(command)
            #expect(error?.code == .bannerTimedOut && error?.message.contains("proxy command") == true, "\(error?.message ?? "")")
            #expect(try await setting.byExecutable(command).termination == .exited(194))
        }
    }

    @Test("a program that dies while the command runs") func diesMidRun() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("exec " + (try await setting.relay()))
            let result = try await setting.byExecutable(command, ["-v"], run: "echo running; sleep 600") { process in
                try await process.standardOutput.wait(for: "running\n")
                for id in setting.processes() { kill(id, SIGKILL) }
            }
            #expect(result.termination == .exited(198), "\(result.errorOutput)")
            #expect(result.errorOutput.contains("ssh.session.connection-lost"))
        }
    }

    @Test("a program that ignores signals") func stubborn() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command(
                "trap '' HUP TERM\n" + (try await setting.relay()) + "; while :; do sleep 0.1; done")
            #expect(try await setting.byLibrary(command) == nil)
            let ours = try await setting.byExecutable(command)
            #expect(ours.output == "done\n" && ours.termination == .exited(0), "\(ours.errorOutput)")
        }
    }

    @Test("the program's messages are shown with -v only") func words() async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("echo 'hello from the proxy' >&2\nexec " + (try await setting.relay()))
            let quiet = try await setting.byExecutable(command)
            #expect(quiet.errorOutput.isEmpty)
            let verbose = try await setting.byExecutable(command, ["-v"])
            #expect(verbose.errorOutput.contains("proxy command: hello from the proxy"))
        }
    }

    @Test("one interrupt and two", arguments: [1, 2]) func interrupted(times: Int) async throws {
        try await ProxySetting.with { setting in
            let command = try setting.command("exec " + (try await setting.relay()))
            let result = try await setting.byExecutable(command, run: "trap '' INT HUP TERM; echo running; sleep 600") {
                process in
                try await process.standardOutput.wait(for: "running\n")
                for _ in 0..<times { process.send(signal: SIGINT) }
            }
            #expect(result.termination == .exited(130), "\(result.termination) \(result.errorOutput)")
            // After an immediate exit the run has not waited for the program, and has only asked it to end.
            for _ in 0..<500 where setting.processes().contains(where: { kill($0, 0) == 0 }) {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test("ProxyUseFdpass is refused") func fdpass() async throws {
        try await ProxySetting.with { setting in
            let result = try await setting.byExecutable("nc %h %p", more: "  ProxyUseFdpass yes")
            #expect(result.termination == .exited(199) && result.errorOutput.contains("ProxyUseFdpass"))
        }
    }

    @Test("the first jump host's own proxy command", arguments: [true, false]) func ofAJumpHost(works: Bool) async throws {
        try await ProxySetting.with { setting in
            let box = setting.box
            var chain = try await Chain.plain(2)
            chain.hops[0] = try await box.hop()
            var configuration = chain.configuration
            let script = works ? "exec " + (try await setting.relay()) : "echo no way >&2; exit 3"
            let command = try setting.command(script).replacing("%h", with: box.host).replacing("%p", with: "\(box.port)")
            configuration.jumpHosts[0].configuration.proxyCommand = SSHProxyCommand(command, environment: ["PATH=/usr/bin:/bin"])
            do {
                let result = try await SSHClient.withConnection(to: chain.endpoint, configuration: configuration) {
                    try await $0.run("hostname")
                }
                #expect(works && result.standardOutputText == "hop3\n")
            } catch let error as SSHError {
                #expect(!works && error.code == .connectProxyFailed, "\(error.message)")
                #expect(error.evidence.hop?.number == 1 && error.evidence.proxy?.standardError == "no way\n")
            }
        }
    }
}
