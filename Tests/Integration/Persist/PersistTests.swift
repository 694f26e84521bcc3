import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Runs that share a connection that a helper keeps.
@Suite("Keeping the connection")
struct PersistTests {
    @Test("later runs need no connection of their own")
    func reuse() async throws {
        try await Keeping.run { keeping in
            for number in 0..<4 {
                let result = try await keeping.run("echo \(number)")
                #expect(result.termination == .exited(0) && result.output == "\(number)\n", "\(result.errorOutput)")
            }
            #expect(keeping.box.connectionCount == 1, "\(keeping.box.log.text)")
            let helpers = try await keeping.helpers()
            #expect(helpers.count == 1 && helpers.first?["runs"] == .integer(4) && helpers.first?["running"] == .integer(0))
            let table = try await keeping.persist("list")
            #expect(table.output.contains("alice@127.0.0.1:\(keeping.box.port)"), "\(table.output)")
        }
    }

    @Test("fifty at once go through one helper, and so do ten that find none")
    func many() async throws {
        try await Keeping.run(SSHDSandbox.Options("MaxSessions 60")) { keeping in
            for count in [10, 50] {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<count {
                        group.addTask {
                            let result = try await keeping.run(
                                "cat; echo \(number); exit \(number)", input: .bytes(Array("in ".utf8)))
                            #expect(
                                result.termination == .exited(Int32(number)) && result.output == "in \(number)\n",
                                "\(result.termination) \(result.output) \(result.errorOutput)")
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(keeping.box.connectionCount == 1, "\(keeping.box.log.text)")
            #expect(try await keeping.helpers().first?["runs"] == .integer(60))
        }
    }

    @Test("more commands than the server lets through one connection get their own")
    func sessionLimit() async throws {
        try await Keeping.run(SSHDSandbox.Options("MaxSessions 1")) { keeping in
            let first = try await keeping.run("echo started; read line", input: .pipe) { process in
                try await process.standardOutput.wait(for: "started")
                let second = try await keeping.run("echo second")
                #expect(second.termination == .exited(0) && second.output == "second\n", "\(second.errorOutput)")
            }
            #expect(first.exitStatus == 1)
            #expect(keeping.box.connectionCount == 2)
        }
    }

    @Test("other settings, another connection")
    func otherSettings() async throws {
        try await Keeping.run { keeping in
            _ = try await keeping.run("true")
            _ = try await keeping.run("true", ["-o", "Ciphers=aes256-ctr"])
            _ = try await keeping.run("true", ["--connect-timeout", "60", "--host-key-policy", "accept-new"])
            #expect(keeping.box.connectionCount == 2)
            #expect(try await keeping.helpers().count == 2)
        }
    }

    @Test("a helper ends when nobody has needed it for its time")
    func idle() async throws {
        try await Keeping.run { keeping in
            #expect(try await keeping.run("true", keep: "1s").exitStatus == 0)
            try await keeping.isEmpty()
            try await keeping.box.connectionsEnded()
            #expect(try await keeping.run("true", keep: "1s").exitStatus == 0)
            #expect(keeping.box.connectionCount == 2)
        }
    }

    @Test("a helper lets go of a run's streams, and of its directory")
    func letsGo() async throws {
        try await Keeping.run { keeping in
            for _ in 0..<2 { #expect(try await keeping.run("cat", input: .bytes([65])).output == "A") }
            let process = try await keeping.helper()
            let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
            }
            #expect(links.count { $0.hasPrefix("pipe:") } == 0, "\(links)")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size        0 ") })
        }
    }

    @Test("stop ends a helper for new runs, and lets the command that runs go on")
    func stop() async throws {
        try await Keeping.run { keeping in
            let first = try await keeping.run("echo started; read line; echo $line", input: .pipe) { process in
                try await process.standardOutput.wait(for: "started")
                #expect(try await keeping.persist("stop", "nowhere").exitStatus == 0)
                #expect(try await keeping.helpers().count == 1)
                #expect(try await keeping.persist("stop", "127.0.0.1").exitStatus == 0)
                #expect(try await keeping.helpers().isEmpty)
                #expect(try await keeping.run("true").exitStatus == 0)
                try await process.write("still here\n")
            }
            #expect(first.termination == .exited(0) && first.output.hasSuffix("still here\n"), "\(first.output)")
            #expect(keeping.box.connectionCount == 2)
        }
    }

    @Test("the password is asked for at the terminal of the run that connects, once")
    func password() async throws {
        let password = try #require(SandboxUser.alice.password)
        try await Keeping.run { keeping in
            let options = [
                "--agent", "none", "--config", "none", "-p", "\(keeping.box.port)", "-l", "alice", "-o",
                "PreferredAuthentications=password", "--known-hosts", keeping.runtime.path("known"),
            ]
            let first = try await keeping.type("echo first", options: options) { process in
                try await process.standardOutput.wait(for: "fingerprint: ")
                try await process.write("yes\r")
                try await process.standardOutput.wait(for: "Password of alice")
                try await process.write(password + "\r")
            }
            #expect(first.exitStatus == 0 && first.output.contains("first\r\n"), "\(first.output)")
            #expect(!first.output.contains(password))
            let second = try await keeping.type("echo second", options: options)
            #expect(second.exitStatus == 0 && second.output == "second\r\n", "\(second.output)")
            #expect(keeping.box.connectionCount == 1)
        }
    }
}
