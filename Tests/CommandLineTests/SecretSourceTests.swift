import BridgeSSH
import Foundation
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite struct SecretSourceTests {
    private func read(_ content: String, mode: Int = 0o600) throws -> [UInt8] {
        let path = NSTemporaryDirectory() + "secret-\(UUID().uuidString)"
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let source = try #require(try SecretSource(path, option: "--password-file", mayAsk: false))
        return try source.read(path).withBytes { Array($0) }
    }

    @Test(
        "one line end is removed",
        arguments: [("pw\n", "pw"), ("pw", "pw"), ("pw\r\n", "pw"), ("pw\n\n", "pw\n"), (" p w ", " p w "), ("pw\r", "pw\r")])
    func oneLineEndIsDropped(_ content: String, _ secret: String) throws {
        #expect(try read(content) == Array(secret.utf8))
    }

    @Test("a file of others is refused", arguments: [0o640, 0o604, 0o620, 0o601])
    func aFileOfOthersIsRefused(_ mode: Int) {
        #expect {
            try read("pw\n", mode: mode)
        } throws: { error in
            guard case .usage(_, let problem)? = (error as? UsageProblem)?.event else { return false }
            return problem.contains("chmod 600") && !problem.contains("pw")
        }
    }

    @Test("files without a secret", arguments: ["", "\n", "\r\n", String(repeating: "x", count: 70_000)])
    func noSecret(_ content: String) {
        #expect(throws: UsageProblem.self) { try read(content) }
    }

    /// The opening of a named pipe would wait for a writer.
    @Test("a named pipe and a device", .timeLimit(.minutes(1))) func aNamedPipeAndADevice() throws {
        let pipe = NSTemporaryDirectory() + "secret-\(UUID().uuidString)"
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        for path in [pipe, "/dev/zero"] {
            let source = try #require(try SecretSource(path, option: "--password-file", mayAsk: false))
            #expect {
                try source.read(path)
            } throws: { error in
                guard case .usage(_, let problem)? = (error as? UsageProblem)?.event else { return false }
                return problem.hasPrefix("\(path) is not a regular file;")
            }
        }
    }

    @Test("a missing file and a directory") func aMissingFileAndADirectory() throws {
        let source = try #require(try SecretSource("/nowhere", option: "--password-file", mayAsk: false))
        #expect(throws: UsageProblem.self) { try source.read("/nowhere") }
        #expect(throws: UsageProblem.self) { try source.read("/tmp") }
    }
}
