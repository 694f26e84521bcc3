import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@Suite("The copy command")
struct CopyCommandTests {
    private func copy(_ box: SSHDSandbox, _ arguments: [String], in directory: String) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), try await box.copyArguments() + arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": directory, "LANG": "C.UTF-8"]))
    }

    private func json(_ result: ProcessResult) throws -> JSON {
        let json = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofCopy().faults(json) == [])
        return json
    }

    @Test("files are copied there and back, with checksums, silently")
    func thereAndBack() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("content\n", to: "a file")
            let up = try await copy(box, ["--checksum", "-p", file, "127.0.0.1:/tmp/there"], in: scratch.url.path)
            #expect(up.exitStatus == 0 && up.output.isEmpty && up.errorOutput.isEmpty, "\(up.errorOutput)")
            let down = try await copy(box, ["127.0.0.1:/tmp/there", scratch.path("back")], in: scratch.url.path)
            #expect(down.exitStatus == 0 && down.errorOutput.isEmpty, "\(down.errorOutput)")
            #expect(try String(contentsOfFile: scratch.path("back"), encoding: .utf8) == "content\n")
        }
    }

    @Test("with few descriptors fewer files are copied at a time, and all arrive", arguments: [20, 32])
    func fewDescriptors(limit: Int) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            for number in 0..<90 {
                let folder = "tree/d\(number % 9)/e"
                try FileManager.default.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
                try scratch.write("content \(number)\n", to: "\(folder)/f\(number)")
            }
            func limited(_ arguments: [String]) async throws -> ProcessResult {
                try await ProcessRun.run(
                    "sh",
                    ["-c", "ulimit -n \(limit); exec \"$@\"", "sh", try BuiltExecutable.path("bridge-ssh")]
                        + (try await box.copyArguments()) + ["-r"] + arguments,
                    environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]))
            }
            let up = try await limited([scratch.path("tree"), "127.0.0.1:/tmp/few\(limit)"])
            #expect(up.exitStatus == 0 && up.errorOutput.isEmpty, "\(up.errorOutput)")
            let down = try await limited(["127.0.0.1:/tmp/few\(limit)", scratch.path("back")])
            #expect(down.exitStatus == 0 && down.errorOutput.isEmpty, "\(down.errorOutput)")
            try await ProcessRun.check("diff", ["-r", scratch.path("tree"), scratch.path("back")])
        }
    }

    @Test("a file that fails gives status 1, and the others are copied; JSON reports both")
    func partialFailure() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let result = try await copy(
                box, ["--json", "127.0.0.1:/etc/shadow", "127.0.0.1:/etc/passwd", scratch.url.path], in: scratch.url.path)
            #expect(result.exitStatus == 1)
            let json = try json(result)
            #expect(json["outcome"]?.text == "failed")
            #expect(json["files"]?.double == 1)
            #expect(json["error"]?["code"]?.text == "ssh.sftp.permission-denied")
            #expect(FileManager.default.fileExists(atPath: scratch.path("passwd")))
        }
    }

    @Test(
        "wrong usage ends with 199 and says what to write instead",
        arguments: [
            (["a"], "bridge-ssh copy file … [user@]host:path"), (["a", "b"], "no side is remote"),
            (["h:a", "b", "."], "some sources are on this host"), (["h:a", "i:b", "."], "one at a time"),
            (["h:~bob/x", "."], "absolute path"), (["--nope", "a", "h:"], "--nope"),
        ])
    func usage(places: [String], words: String) async throws {
        let arguments = ["copy"] + places
        let environment = ProcessEnvironment.exactly(["HOME": "/nonexistent", "LC_ALL": "C.UTF-8"])
        let result = try await ProcessRun.run(try BuiltExecutable.path("bridge-ssh"), arguments, environment: environment)
        #expect(result.exitStatus == 199)
        let shown = result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(shown.contains(words) && shown.contains("See `bridge-ssh copy --help`"), "\(shown)")
        let usage = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), ["copy", "--json"] + places, environment: environment)
        #expect(usage.exitStatus == 199 && usage.errorOutput.isEmpty)
        #expect(try json(usage)["error"]?["code"]?.text == "ssh.local.usage")
    }

    @Test("--checksum does not wait for a second session that the server does not allow")
    func checksumWithoutSession() async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options("MaxSessions 1")) { box in
            try await ScratchDirectory.with { scratch in
                let result = try await copy(box, ["--checksum", "/etc/hostname", "127.0.0.1:/tmp/x"], in: scratch.url.path)
                #expect(result.exitStatus == 1)
                #expect(result.words.contains("MaxSessions in sshd_config") && result.words.contains("1 not verified"))
            }
        }
    }

    @Test("a file in the place of a directory gets no remedy that would fail", arguments: [true, false])
    func intoFile(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("content\n", to: "file")
            let there = "127.0.0.1:/tmp/into-\(scratch.url.lastPathComponent)"
            #expect(try await copy(box, [file, there], in: scratch.url.path).exitStatus == 0)
            let (source, target) = isUpload ? (file, there) : (there, file)
            for arguments in [[source, target + "/"], [source, source, target]] {
                let result = try await copy(box, arguments, in: scratch.url.path)
                #expect(result.exitStatus == 1)
                #expect(result.words.contains("it is not a directory. → Several sources"), "\(result.words)")
            }
        }
    }

    @Test("a pipe is not a file to copy: the hint names the possible kinds")
    func pipe() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let path = scratch.path("pipe")
            try #require(mkfifo(path, 0o600) == 0)
            let result = try await copy(box, [path, "127.0.0.1:/tmp/"], in: scratch.url.path)
            #expect(
                result.exitStatus == 1 && result.words.contains("Only files, directories and symbolic links"), "\(result.words)")
        }
    }

    @Test(
        "a pipe and a device at the server are refused: one would be waited for, the other never ends", arguments: [true, false])
    func remotePipe(isRelayed: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let pipe = "/tmp/source-\(isRelayed)"
            try await box.connected { connection in _ = try await connection.run("mkfifo \(pipe)", check: true) }
            let target = isRelayed ? "127.0.0.1:/tmp/from-device" : scratch.path("copied")
            for source in ["/dev/zero", pipe] {
                let result = try await copy(box, ["127.0.0.1:" + source, target], in: scratch.url.path)
                #expect(
                    result.exitStatus == 1 && result.words.contains("it is not a regular file. → Only files, directories"),
                    "\(result.words)")
            }
        }
    }

    @Test("a directory without -r gets a hint to use it")
    func lacksRecursion() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let result = try await copy(box, [scratch.url.path, "127.0.0.1:"], in: scratch.url.path)
            #expect(result.exitStatus == 1)
            #expect(result.errorOutput.contains("ssh.sftp.is-a-directory"))
            #expect(result.errorOutput.contains("`--recursive` (-r)"), "\(result.errorOutput)")
        }
    }
}

extension SSHDSandbox {
    /// The first arguments of a `bridge-ssh copy` that logs in with the client key through `port`.
    func copyArguments(through port: Int? = nil) async throws -> [String] {
        [
            "copy", "--batch", "--agent", "none", "-P", "\(port ?? self.port)", "-l", "alice", "-i", clientKeyFile,
            "--known-hosts",
            try await knownHosts(port: port),
        ]
    }
}
