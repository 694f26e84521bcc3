import Foundation
import SSHTestSupport
import Testing

/// The report and the exit status of an incomplete copy.
@Suite("The copy command's report of failures")
struct CopyReportTests {
    private func json(_ result: ProcessResult) throws -> JSON {
        let json = try JSON(parsing: Data(result.standardOutput))
        #expect(try JSONSchema.ofCopy().faults(json) == [])
        return json
    }

    @Test("every failure names its file, and successes are counted")
    func failures() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try scratch.write("ok", to: "ok")
            let result = try await box.copy(["no1", "no2", "no3", "ok", "127.0.0.1:/tmp/"], home: scratch)
            #expect(result.exitStatus == 1)
            for name in ["no1", "no2", "no3"] {
                #expect(result.words.components(separatedBy: " \(name) here").count == 2, "\(result.errorOutput)")
            }
            #expect(result.words.components(separatedBy: "ssh.sftp.local-no-such-file").count == 2, "one banner for all")
            #expect(result.words.contains("bridge-ssh: 1 file, 2 B in ") && result.words.hasSuffix("; 3 failed"))
        }
    }

    @Test("each unreadable file of a tree is named")
    func unreadable() async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("unreadable")
        for name in ["f1", "f2", "f3"] {
            try Data("x".utf8).write(to: folder.appendingPathComponent(name))
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.appendingPathComponent(name).path)
        }
        try await ScratchDirectory.with { scratch in
            let result = try await box.copy(["-r", "127.0.0.1:unreadable", "copy"], home: scratch)
            #expect(result.exitStatus == 1)
            for name in ["f1", "f2", "f3"] {
                #expect(result.words.contains("Cannot read unreadable/\(name) on"), "\(result.words)")
            }
            let log = scratch.path("errors")
            _ = try await box.copy(["-qr", "--error-log", log, "127.0.0.1:unreadable", "copy2"], home: scratch)
            #expect(try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count == 3)
        }
    }

    @Test("omitted entries give status 1 and are counted")
    func leftOut() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try FileManager.default.createDirectory(atPath: scratch.path("d"), withIntermediateDirectories: false)
            try scratch.write("ok", to: "d/ok")
            #expect(mkfifo(scratch.path("d/pipe"), 0o600) == 0)
            let result = try await box.copy(["-r", "d", "127.0.0.1:left-out"], home: scratch)
            #expect(result.exitStatus == 1)
            #expect(result.words.contains("d/pipe is left out") && result.words.hasSuffix("; 1 left out"), "\(result.words)")
            let report = try json(try await box.copy(["--json", "-r", "d", "127.0.0.1:left-out"], home: scratch))
            #expect(report["outcome"]?.text == "incomplete" && report["leftOut"]?.double == 1 && report["error"] == .null)
        }
    }

    @Test("a checksum that cannot be compared gives status 1, with the true reason", arguments: [true, false])
    func unverified(runsCommands: Bool) async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options(runsCommands ? "" : "ForceCommand internal-sftp")) { box in
            try await ScratchDirectory.with { scratch in
                // Its owner may write but not read it, on both sides; on this side root may read it nevertheless.
                try scratch.write("ok", to: "file", mode: runsCommands ? 0o200 : 0o600)
                let result = try await box.copy(["--checksum", "file", "127.0.0.1:/tmp/unverified"], home: scratch)
                #expect(result.exitStatus == 1)
                let reason =
                    runsCommands ? "a command on the server may not read it." : "the server runs no commands for this user."
                #expect(result.words.contains("/tmp/unverified is not verified: \(reason)"), "\(result.words)")
                #expect(result.words.hasSuffix("; 1 not verified"))
                let report = try json(
                    try await box.copy(["--json", "--checksum", "file", "127.0.0.1:/tmp/unverified2"], home: scratch))
                #expect(report["outcome"]?.text == "incomplete" && report["unverifiedFiles"]?.double == 1)
            }
        }
    }
}
