import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Helpers that die, hang, lose their connection, or cannot be trusted; none of them may prevent a run.
@Suite("Trouble with a helper")
struct PersistTroubleTests {
    @Test("a killed helper")
    func killed() async throws {
        try await PersistFixture.run { fixture in
            for _ in 0..<3 {
                #expect(try await fixture.run("echo here").output == "here\n")
                kill(try await fixture.helper(), SIGKILL)
            }
            #expect(try await fixture.run("echo here").output == "here\n")
            #expect(fixture.box.connectionCount == 4)
        }
    }

    @Test("a helper killed while a command runs: the run says that it may have run")
    func killedMeanwhile() async throws {
        try await PersistFixture.run { fixture in
            let result = try await fixture.run("echo started; sleep 600", ["--json"]) { process in
                while try await fixture.helpers().first?["running"] != .integer(1) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                kill(try await fixture.helper(), SIGKILL)
            }
            #expect(result.exitStatus == 198, "\(result.output)")
            #expect(result.output.contains("ssh.session.connection-lost"))
            #expect(result.output.contains(#""commandMayHaveRun":"unknown""#))
        }
    }

    @Test("a hanging helper: the run itself connects, and stop ends the helper")
    func hung() async throws {
        try await PersistFixture.run { fixture in
            #expect(try await fixture.run("true").exitStatus == 0)
            let process = try await fixture.helper()
            kill(process, SIGSTOP)
            #expect(try await fixture.run("echo here").output == "here\n")
            #expect(fixture.box.connectionCount == 2)
            let listed = try #require(try await fixture.helpers().first)
            let destination = "alice@127.0.0.1:\(fixture.box.port)"
            #expect(listed["answers"] == .bool(false) && listed["pid"] == .integer(Int(process)), "\(listed)")
            #expect(listed["destination"] == .string(destination) && listed["named"] == .string("127.0.0.1"), "\(listed)")
            _ = try await fixture.persist("stop", "127.0.0.1")
            #expect(fixture.files.isEmpty)
            kill(process, SIGCONT)
        }
    }

    @Test("a helper that does not end: stop says so, with a remedy", arguments: [FakeHelper.Manner.hangs, .deaf])
    func doesNotGo(manner: FakeHelper.Manner) async throws {
        try await PersistFixture.run(on: try await SharedSandbox.plain.box()) { fixture in
            try await FakeHelper.run(manner, in: fixture) { _ in
                let result = try await fixture.persist("stop", "--all")
                #expect(result.exitStatus == 194, "\(result.errorOutput)")
                #expect(result.errorOutput.contains("has not ended within 5 seconds"), "\(result.errorOutput)")
                #expect(result.errorOutput.contains("`kill -KILL \(getpid())`"), "\(result.errorOutput)")
            }
        }
    }

    @Test("an empty list is reported") func noneToList() async throws {
        try await PersistFixture.run(on: try await SharedSandbox.plain.box()) { fixture in
            let text = try await fixture.persist("list")
            #expect(text.exitStatus == 0 && text.output.isEmpty)
            #expect(text.errorOutput == "bridge-ssh: no connection is kept\n")
            let json = try await fixture.persist("list", "--json")
            #expect(json.output == #"{"schema":"bridge-ssh-persist/1","helpers":[]}"# + "\n" && json.errorOutput.isEmpty)
        }
    }

    @Test("a lost connection: the next run makes another")
    func connectionLost() async throws {
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                try await PersistFixture.run(on: box, through: proxy.port) { fixture in
                    for _ in 0..<3 {
                        let result = try await fixture.run("echo here")
                        #expect(result.output == "here\n")
                        await proxy.trigger(.reset)
                    }
                    #expect(box.connectionCount == 3)
                }
            }
        }
    }

    @Test("a killed run ends its command, and not the helper")
    func runKilled() async throws {
        try await PersistFixture.run { fixture in
            let result = try await fixture.run("echo started; sleep 600") { process in
                try await process.standardOutput.wait(for: "started")
                process.send(signal: SIGKILL)
            }
            #expect(result.termination == .signalled(SIGKILL))
            while try await fixture.helpers().first?["running"] != .integer(0) { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await fixture.run("echo here").output == "here\n")
            #expect(fixture.box.connectionCount == 1)
        }
    }

    @Test("signals end a run cleanly", arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func signals(_ number: Int32, _ status: Int32) async throws {
        try await PersistFixture.run { fixture in
            let result = try await fixture.run("echo started; sleep 600", ["--json"]) { process in
                while try await fixture.helpers().first?["running"] != .integer(1) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                process.send(signal: number)
            }
            #expect(result.exitStatus == status, "\(result.output)")
            #expect(result.output.contains("ssh.local.cancelled"))
            #expect(try await fixture.run("echo here").output == "here\n")
            #expect(fixture.box.connectionCount == 1)
        }
    }

    @Test("a helper of another build is not used, and ends")
    func otherBuild() async throws {
        try await PersistFixture.run { fixture in
            try await fixture.keepsBuildsApart { executable in
                let result = try await fixture.run("echo here", executable: executable)
                #expect(result.output == "here\n", "\(result.errorOutput)")
            }
        }
    }

    @Test(
        "an upgrade during a run: the helper is the running program, not the new file of its name",
        arguments: [
            "rm", "cp /bin/false",
        ])
    func upgraded(_ change: String) async throws {
        try await PersistFixture.run { fixture in
            let other = fixture.runtime.path("other")
            try ExecutableFile.copy(fixture.executable, to: other)
            // Configurations are read before the helper is started. The old file is removed first, as an upgrade does.
            let command = change == "rm" ? "rm \(other)" : "rm \(other); \(change) \(other)"
            let config = fixture.runtime.path("config")
            try Data("Match exec \"\(command)\"\n".utf8).write(to: URL(fileURLWithPath: config))
            let result = try await fixture.run("echo here", ["--config", config], executable: other)
            #expect(result.output == "here\n", "\(result.errorOutput)")
            let process = try await fixture.helper()
            let name = try String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
            #expect(name == "bridge-ssh\n")
            #expect(fixture.box.connectionCount == 1)
        }
    }

    @Test("a directory that others can enter is not used, and does not prevent a run", arguments: [0o755, 0o701, 0o770])
    func openDirectory(mode: Int) async throws {
        try await PersistFixture.run(on: try await SharedSandbox.plain.box()) { fixture in
            try FileManager.default.createDirectory(
                at: fixture.directory, withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
            let result = try await fixture.run("echo here", ["-v"], keep: "1s")
            #expect(result.output == "here\n" && fixture.files.isEmpty, "\(result.errorOutput)")
            #expect(result.errorOutput.contains("\(fixture.directory.path) is not used: other users can access it"))
        }
    }

    @Test("a link in the directory's place is not used")
    func link() async throws {
        try await PersistFixture.run(on: try await SharedSandbox.plain.box()) { fixture in
            try FileManager.default.createSymbolicLink(atPath: fixture.directory.path, withDestinationPath: "/tmp")
            let result = try await fixture.run("echo here", ["-v"], keep: "1s")
            #expect(result.output == "here\n" && result.errorOutput.contains("is not used: it is not a directory"))
            _ = try await fixture.persist("stop", "--all")
            try FileManager.default.removeItem(at: fixture.directory)
        }
    }

    /// The end of a process that asks for the helper's status.
    private static let knock = """
        import socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(60)
        try:
            s.connect(sys.argv[1])
            s.sendall(bytes.fromhex(sys.argv[2]))
            print("answered" if s.recv(100) else "hung up")
        except OSError as error:
            print(type(error).__name__)
        """

    @Test("another user can neither enter the directory nor use the helper if it were open")
    func otherUser() async throws {
        // Only root can become another user.
        guard getuid() == 0 else { return }
        try await PersistFixture.run { fixture in
            #expect(try await fixture.run("true").exitStatus == 0)
            let socket = try #require(fixture.files.first { $0.hasSuffix(".sock") })
            let path = fixture.directory.appendingPathComponent(socket).path
            let hello = FieldCoder.bytes(of: Hello(purpose: .look))
            let frame = [0, 0, 0, UInt8(hello.count), Frame.Kind.hello.rawValue] + hello
            let digits = frame.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            func knock(as user: Int) async throws -> String {
                let identity = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]
                return try await ProcessRun.run(
                    "setpriv", identity + ["/usr/bin/python3", "-c", Self.knock, path, digits]
                ).output
            }
            #expect(try await knock(as: 0) == "answered\n")
            #expect(try await knock(as: 65534) == "PermissionError\n")
            for (name, mode) in [(fixture.runtime.url.path, 0o755), (fixture.directory.path, 0o755), (path, 0o777)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: name)
            }
            #expect(["hung up\n", "ConnectionResetError\n", "BrokenPipeError\n"].contains(try await knock(as: 65534)))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: fixture.directory.path)
            #expect(try await fixture.run("echo here").output == "here\n")
            #expect(fixture.box.connectionCount == 1)
        }
    }
}
