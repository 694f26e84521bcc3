import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Standard output, pipes and devices are written to; they are never replaced by a file.
@Suite("Copying to pipes and descriptors")
struct StreamTargetTests {
    private func prepare(_ box: SSHDSandbox, _ name: String) throws -> Data {
        let content = CopyTests.bytes(3_000_000, seed: 5)
        try content.write(to: box.url(of: "/home/alice/\(name)"))
        return content
    }

    /// Runs a shell command in which `$COPY` is the beginning of a copy.
    private func shell(_ command: String, _ box: SSHDSandbox, _ scratch: ScratchDirectory) async throws -> ProcessResult {
        let words = [try BuiltExecutable.path("bridge-ssh")] + (try await box.copyArguments())
        return try await ProcessRun.run(
            "/bin/sh", ["-c", command],
            environment: .exactly([
                "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "COPY": words.joined(separator: " "),
            ]), directory: scratch.url.path)
    }

    @Test("/dev/stdout is written at its position, whether it is a file, an appended file or a pipe")
    func standardOutput() async throws {
        let box = try await SharedSandbox.plain.box()
        let content = try prepare(box, "streamed")
        let whole = Data("before\n".utf8) + content + Data("after\n".utf8)
        try await ScratchDirectory.with { scratch in
            for target in ["> out", ">> out2", "| cat > out3"] {
                let name = String(target.split(separator: " ").last ?? "")
                let command = "{ echo before; $COPY 127.0.0.1:streamed /dev/stdout; echo after; } \(target)"
                let result = try await shell(command, box, scratch)
                #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
                #expect(try Data(contentsOf: scratch.url.appendingPathComponent(name)) == whole, "\(target)")
            }
            let refused = try await shell("$COPY --json 127.0.0.1:streamed /dev/stdout", box, scratch)
            #expect(refused.exitStatus == 199)
        }
    }

    @Test("a named pipe gets the content, and stays a pipe; its reader may come later")
    func pipe() async throws {
        let box = try await SharedSandbox.plain.box()
        let content = try prepare(box, "piped")
        try await ScratchDirectory.with { scratch in
            #expect(mkfifo(scratch.path("pipe"), 0o600) == 0)
            let command = "$COPY 127.0.0.1:piped pipe & sleep 0.2; cat pipe > out; wait $!"
            let result = try await shell(command, box, scratch)
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            #expect(try Data(contentsOf: scratch.url.appendingPathComponent("out")) == content)
            let kind = try FileManager.default.attributesOfItem(atPath: scratch.path("pipe"))[.type] as? FileAttributeType
            #expect(kind != .typeRegular)
        }
    }

    @Test("a pipe at the server gets the content, and stays a pipe")
    func remotePipe() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let content = CopyTests.bytes(500_000, seed: 3)
            try content.write(to: scratch.url.appendingPathComponent("file"))
            try await box.connected { connection in
                _ = try await connection.run("mkfifo there-pipe", check: true)
                async let read = connection.run("cat there-pipe | sha256sum; test -p there-pipe && echo pipe")
                let result = try await box.copy(["file", "127.0.0.1:there-pipe"], home: scratch)
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
                let output = try await read.standardOutputText
                let sum = try await ProcessRun.check("/usr/bin/sha256sum", [scratch.path("file")]).output.prefix(64)
                #expect(output.hasPrefix(sum) && output.hasSuffix("pipe\n"), "\(output)")
            }
        }
    }
}
