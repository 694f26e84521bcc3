import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Paths with a drive, at a server that lists its files as Windows' OpenSSH does.
@Suite("Copying: paths with a drive") struct DrivePathTests {
    private static func with(_ body: (SSHDSandbox, ScratchDirectory) async throws -> Void) async throws {
        var options = SSHDSandbox.Options("ForceCommand internal-sftp -d /C:/Users\n")
        options.files["/C:/Users/file.txt"] = SandboxFile("here\n")
        try await SSHDSandbox.run(options) { box in
            // A directory to which the account can write.
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: box.url(of: "/C:/Users").path)
            try await ScratchDirectory.with { try await body(box, $0) }
        }
    }

    private static func copy(_ box: SSHDSandbox, _ scratch: ScratchDirectory, _ words: [String]) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), (try await box.copyArguments()) + words,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]), directory: scratch.url.path)
    }

    @Test("paths with a drive are copied down, up and by wildcard", arguments: ["C:/Users/", "C:\\Users\\"])
    func both(_ path: String) async throws {
        try await Self.with { box, scratch in
            let down = try await Self.copy(box, scratch, ["127.0.0.1:\(path)file.txt", "got"])
            #expect(
                down.exitStatus == 0 && (try? String(contentsOfFile: scratch.path("got"), encoding: .utf8)) == "here\n", "\(down)"
            )
            let up = try await Self.copy(box, scratch, ["got", "127.0.0.1:\(path)new.txt"])
            #expect(up.exitStatus == 0 && box.url(of: "/C:/Users/new.txt").text == "here\n", "\(up)")
            let some = try await Self.copy(box, scratch, ["127.0.0.1:\(path)*.txt", "."])
            #expect(some.exitStatus == 0 && FileManager.default.fileExists(atPath: scratch.path("new.txt")), "\(some)")
        }
    }

    @Test("a missing checksum of a server with drives is reported") func checksum() async throws {
        try await Self.with { box, scratch in
            try scratch.write("text\n", to: "file")
            let result = try await Self.copy(box, scratch, ["--checksum", "file", "127.0.0.1:C:/Users/sum.txt"])
            #expect(result.exitStatus == 1 && result.errorOutput.contains("not verified: Windows' shells"), "\(result)")
        }
    }

    @Test("on other servers such a path is an ordinary name") func elsewhere() async throws {
        try await SharedSandbox.run { box in
            try await ScratchDirectory.with { scratch in
                let result = try await Self.copy(box, scratch, ["127.0.0.1:C:/Users/file.txt", "got"])
                #expect(result.exitStatus == 1 && result.errorOutput.contains("C:/Users/file.txt"), "\(result)")
                #expect(!result.errorOutput.contains("/C:/Users"), "\(result)")
            }
        }
    }
}
