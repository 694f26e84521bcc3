import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Interrupted copies and their messages.
@Suite("Copies that are cut short")
struct CutShortTests {
    @Test("a file that cannot be closed counts as not copied, and does not get its name", arguments: [10, 300_000])
    func close(size: Int) async throws {
        try await SSHDSandbox.run(ClosingSFTP.options) { box in
            try await ScratchDirectory.with { scratch in
                try CopyTests.bytes(size).write(to: scratch.url.appendingPathComponent("file"))
                try await box.connected { connection in
                    try await connection.withSFTP { sftp in
                        let file = scratch.path("file")
                        let error = await #expect(throws: SSHError.self) { try await sftp.upload([file], to: "there") }
                        #expect(error?.code == .sftpWriteFailed, "\(error?.message ?? "")")
                        let message = error?.message ?? ""
                        #expect(message.contains("close") && message.contains("Quota exceeded"), "\(message)")
                        let removed = try await sftp.attributes(of: "removed").size
                        let renamed = try await sftp.attributes(of: "renamed").size
                        #expect(removed == 1 && renamed == 0)
                    }
                }
            }
        }
    }

    private func words(_ result: ProcessResult) -> String {
        result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func copy(_ arguments: [String], home: ScratchDirectory) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path, "LANG": "C.UTF-8"]))
    }

    @Test("a server that goes silent during a copy is given up, and the state of the copy is reported", arguments: [true, false])
    func silence(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = box.url(of: "/home/alice/silence-\(isUpload)")
        try await box.connected { try await $0.withSFTP { try await $0.makeDirectory("silence-\(isUpload)") } }
        try await ScratchDirectory.with { scratch in
            let here = scratch.url.appendingPathComponent("files")
            try FileManager.default.createDirectory(at: here, withIntermediateDirectories: true)
            try CopyTests.bytes(20_000_000).write(to: (isUpload ? here : folder).appendingPathComponent("source"))
            let remote = "127.0.0.1:silence-\(isUpload)/"
            let places = isUpload ? [here.path + "/source", remote + "copy"] : [remote + "source", here.path + "/copy"]
            let stall = FaultProxy.Fault(.stall, after: 4_000_000, from: isUpload ? .client : .server)
            try await FaultProxy.run(to: box.port, fault: stall) { proxy in
                let arguments = try await box.copyArguments(through: proxy.port) + ["--keepalive", "1"]
                let result = try await copy(arguments + places, home: scratch)
                #expect(result.exitStatus == 194, "\(result.errorOutput)")
                let words = words(result)
                #expect(
                    words.contains("ssh.session.keepalive-timed-out") && words.contains("No file is known to have arrived"),
                    "\(words)")
                #expect(!words.contains("command"), "\(words)")
                // A partial file left at the server cannot be removed any more; the local one is gone.
                #expect(words.contains(".bridge-partial may be left of an unfinished file.") == isUpload, "\(words)")
                #expect(words.contains("no unfinished file is known to be left") == !isUpload, "\(words)")
                let copied = try await copy(arguments + ["--json"] + places, home: scratch)
                let json = try JSON(parsing: Data(copied.standardOutput))
                #expect(try JSONSchema.ofCopy().faults(json) == [])
                guard case .array(let left)? = json["partialFiles"] else { throw DidNotFail() }
                #expect(left.count == (isUpload ? 1 : 0), "\(copied.output)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: (isUpload ? folder : here).path)
            #expect(names.allSatisfy { isUpload && $0.hasSuffix(".bridge-partial") }, "\(names)")
        }
    }

    @Test("a connection lost during a copy: the file kept for --resume is named") func lost() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try CopyTests.bytes(20_000_000).write(to: box.url(of: "/home/alice/lost"))
            try await FaultProxy.run(to: box.port, fault: FaultProxy.Fault(.reset, after: 9_000_000, from: .server)) { proxy in
                let arguments = try await box.copyArguments(through: proxy.port)
                let result = try await copy(arguments + ["--resume", "127.0.0.1:lost", scratch.path("copy")], home: scratch)
                #expect(result.exitStatus == 198)
                let words = words(result)
                #expect(words.contains("before the end of the copy. No file is known to have arrived"), "\(words)")
                #expect(words.contains("the unfinished file is kept as \(scratch.path(".copy."))"), "\(words)")
                #expect(words.contains("Run the same copy with `--resume` to continue it."), "\(words)")
            }
        }
    }

    @Test("a full disk on the server: the old file stays, and nothing else is left") func full() async throws {
        try await SSHDSandbox.run { box in
            try await ScratchDirectory.with { scratch in
                try CopyTests.bytes(2_000_000).write(to: scratch.url.appendingPathComponent("large"))
                let small = try scratch.write("small", to: "small")
                let arguments = try await box.copyArguments()
                #expect(try await copy(arguments + [small, "127.0.0.1:/small/file"], home: scratch).exitStatus == 0)
                let result = try await copy(arguments + [scratch.path("large"), "127.0.0.1:/small/file"], home: scratch)
                #expect(result.exitStatus == 1 && result.errorOutput.contains("ssh.sftp.disk-full"), "\(result.errorOutput)")
                let left = try await box.connected { try await $0.run("ls -A /small; cat /small/*") }
                #expect(left.standardOutputText == "file\nsmall")
            }
        }
    }

    @Test("--resume of a file shorter than its stated size gives the real bytes, and none of an older copy")
    func claims() async throws {
        try await SSHDSandbox.run(HostileSFTP.claiming.options) { box in
            try await ScratchDirectory.with { scratch in
                var options = SFTPCopyOptions()
                options.resumes = true
                let partial = PartialName.resumable(
                    for: "copy", from: "f", size: 4096, modification: 0, window: options.window)
                try scratch.write(String(repeating: "z", count: 100), to: partial)
                let result = try await box.connected { connection in
                    try await connection.withSFTP { [options] in
                        try await $0.download(["f"], to: scratch.path("copy"), options: options)
                    }
                }
                #expect(result.files == 1 && result.partialFiles.isEmpty)
                #expect(try String(contentsOfFile: scratch.path("copy"), encoding: .utf8) == "abcde")
                #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["copy"])
            }
        }
    }
}
