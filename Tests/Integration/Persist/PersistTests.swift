import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Runs that share a connection that a helper keeps.
@Suite("Kept connections")
struct PersistTests {
    @Test("later runs need no new connection")
    func reuse() async throws {
        try await PersistFixture.run { fixture in
            for number in 0..<4 {
                let result = try await fixture.run("echo \(number)")
                #expect(result.termination == .exited(0) && result.output == "\(number)\n", "\(result.errorOutput)")
            }
            #expect(fixture.box.connectionCount == 1, "\(fixture.box.log.text)")
            let helpers = try await fixture.helpers()
            #expect(helpers.count == 1 && helpers.first?["runs"] == .integer(4) && helpers.first?["running"] == .integer(0))
            let table = try await fixture.persist("list")
            #expect(table.output.contains("alice@127.0.0.1:\(fixture.box.port)"), "\(table.output)")
        }
    }

    @Test("fifty concurrent runs use one helper, and so do ten that start without one")
    func many() async throws {
        try await PersistFixture.run(SSHDSandbox.Options("MaxSessions 60")) { fixture in
            for count in [10, 50] {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<count {
                        group.addTask {
                            let result = try await fixture.run(
                                "cat; echo \(number); exit \(number)", input: .bytes(Array("in ".utf8)))
                            #expect(
                                result.termination == .exited(Int32(number)) && result.output == "in \(number)\n",
                                "\(result.termination) \(result.output) \(result.errorOutput)")
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(fixture.box.connectionCount == 1, "\(fixture.box.log.text)")
            #expect(try await fixture.helpers().first?["runs"] == .integer(60))
        }
    }

    @Test("commands beyond the server's session limit get a separate connection")
    func sessionLimit() async throws {
        try await PersistFixture.run(SSHDSandbox.Options("MaxSessions 1")) { fixture in
            let first = try await fixture.run("echo started; read line", input: .pipe) { process in
                try await process.standardOutput.wait(for: "started")
                let second = try await fixture.run("echo second")
                #expect(second.termination == .exited(0) && second.output == "second\n", "\(second.errorOutput)")
            }
            #expect(first.exitStatus == 1)
            #expect(fixture.box.connectionCount == 2)
        }
    }

    @Test("different settings use different connections")
    func otherSettings() async throws {
        try await PersistFixture.run { fixture in
            _ = try await fixture.run("true")
            _ = try await fixture.run("true", ["-o", "Ciphers=aes256-ctr"])
            _ = try await fixture.run("true", ["--connect-timeout", "60", "--host-key-policy", "accept-new"])
            #expect(fixture.box.connectionCount == 2)
            #expect(try await fixture.helpers().count == 2)
        }
    }

    @Test("an unused helper ends after its time")
    func idle() async throws {
        try await PersistFixture.run { fixture in
            #expect(try await fixture.run("true", keep: "1s").exitStatus == 0)
            try await fixture.isEmpty()
            try await fixture.box.connectionsEnded()
            #expect(try await fixture.run("true", keep: "1s").exitStatus == 0)
            #expect(fixture.box.connectionCount == 2)
        }
    }

    @Test("a helper releases a run's streams and directory")
    func letsGo() async throws {
        try await PersistFixture.run { fixture in
            for _ in 0..<2 { #expect(try await fixture.run("cat", input: .bytes([65])).output == "A") }
            let process = try await fixture.helper()
            let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
            }
            #expect(links.count { $0.hasPrefix("pipe:") } == 0, "\(links)")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size        0 ") })
        }
    }

    @Test("stop keeps new runs from a helper, and lets its running command continue")
    func stop() async throws {
        try await PersistFixture.run { fixture in
            let first = try await fixture.run("echo started; read line; echo $line", input: .pipe) { process in
                try await process.standardOutput.wait(for: "started")
                #expect(try await fixture.persist("stop", "nowhere").exitStatus == 0)
                #expect(try await fixture.helpers().count == 1)
                #expect(try await fixture.persist("stop", "127.0.0.1").exitStatus == 0)
                #expect(try await fixture.helpers().isEmpty)
                #expect(try await fixture.run("true").exitStatus == 0)
                try await process.write("still here\n")
            }
            #expect(first.termination == .exited(0) && first.output.hasSuffix("still here\n"), "\(first.output)")
            #expect(fixture.box.connectionCount == 2)
        }
    }

    @Test("the password is asked for at the terminal of the run that connects, once")
    func password() async throws {
        let password = try #require(SandboxUser.alice.password)
        try await PersistFixture.run { fixture in
            let options = [
                "--agent", "none", "--config", "none", "-p", "\(fixture.box.port)", "-l", "alice", "-o",
                "PreferredAuthentications=password", "--known-hosts", fixture.runtime.path("known"),
            ]
            let first = try await fixture.type("echo first", options: options) { process in
                try await process.standardOutput.wait(for: "fingerprint: ")
                try await process.write("yes\r")
                try await process.standardOutput.wait(for: "Password of alice")
                try await process.write(password + "\r")
            }
            #expect(first.exitStatus == 0 && first.output.contains("first\r\n"), "\(first.output)")
            #expect(!first.output.contains(password))
            let second = try await fixture.type("echo second", options: options)
            #expect(second.exitStatus == 0 && second.output == "second\r\n", "\(second.output)")
            #expect(fixture.box.connectionCount == 1)
        }
    }
}
