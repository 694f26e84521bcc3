import Foundation
import SSHTestSupport
import Testing

@Suite("The copy command")
struct CopyCommandTests {
    private func copy(_ box: SSHDSandbox, _ arguments: [String], in directory: String) async throws -> ProcessResult {
        let fixed = [
            "copy", "--batch", "--agent", "none", "-P", "\(box.port)", "-l", "alice", "-i", box.clientKeyFile, "--known-hosts",
            try await box.knownHosts(),
        ]
        return try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), fixed + arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": directory, "LANG": "C.UTF-8"]))
    }

    @Test("there and back, with checksums, in silence")
    func thereAndBack() async throws {
        let box = try await Ground.plain.box()
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("content\n", to: "a file")
            let up = try await copy(box, ["--checksum", "-p", file, "127.0.0.1:/tmp/there"], in: scratch.url.path)
            #expect(up.exitStatus == 0 && up.output.isEmpty && !up.errorOutput.contains("bridge-ssh"), "\(up.errorOutput)")
            let down = try await copy(box, ["127.0.0.1:/tmp/there", scratch.path("back")], in: scratch.url.path)
            #expect(down.exitStatus == 0, "\(down.errorOutput)")
            #expect(try String(contentsOfFile: scratch.path("back"), encoding: .utf8) == "content\n")
        }
    }

    @Test("a file that fails ends with 1 and lets the others be copied; JSON tells both")
    func partialFailure() async throws {
        let box = try await Ground.plain.box()
        try await ScratchDirectory.with { scratch in
            let result = try await copy(
                box, ["--json", "127.0.0.1:/etc/shadow", "127.0.0.1:/etc/passwd", scratch.url.path], in: scratch.url.path)
            #expect(result.exitStatus == 1)
            let json = try #require(try JSONSerialization.jsonObject(with: Data(result.standardOutput)) as? [String: Any])
            #expect(json["schema"] as? String == "bridge-ssh-copy/1")
            #expect(json["outcome"] as? String == "failed")
            #expect(json["files"] as? Int == 1)
            #expect((json["error"] as? [String: Any])?["code"] as? String == "ssh.sftp.permission-denied")
            #expect(FileManager.default.fileExists(atPath: scratch.path("passwd")))
        }
    }

    @Test(
        "wrong usage ends with 199", arguments: [["a"], ["a", "b"], ["h:a", "h:b"], ["h:a", "i:b", "."], ["h:~bob/x", "."]])
    func usage(places: [String]) async throws {
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), ["copy"] + places, environment: .exactly(["HOME": "/nonexistent"]))
        #expect(result.exitStatus == 199)
    }
}
