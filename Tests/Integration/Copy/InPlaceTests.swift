import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A file that cannot or should not be replaced is written in place.
@Suite("Writing files in place")
struct InPlaceTests {
    /// A directory that belongs to root, with a file that alice may write to.
    private func locked(_ box: SSHDSandbox, _ name: String, directory: Int = 0o755, file: Int = 0o666) throws -> URL {
        let folder = try box.folder(name)
        let url = folder.appendingPathComponent("f")
        try Data("the old content".utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: url.path)
        try FileManager.default.setAttributes([.posixPermissions: directory], ofItemAtPath: folder.path)
        return url
    }

    @Test(
        "an unwritable directory, or one where only the owner may replace a file, is not a failure",
        arguments: [("locked", 0o755), ("sticky", 0o1777)])
    func fallback(name: String, mode: Int) async throws {
        let box = try await SharedSandbox.plain.box()
        let url = try locked(box, name, directory: mode)
        let before = try FileFacts(url)
        try await ScratchDirectory.with { scratch in
            try scratch.write("new", to: "new")
            let result = try await box.copy(["--checksum", "new", "127.0.0.1:\(name)/f"], home: scratch)
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            #expect(result.words.contains("\(name)/f was written in place"))
            #expect(try String(contentsOf: url, encoding: .utf8) == "new")
            #expect(try FileFacts(url).inode == before.inode)
            let names = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            #expect(names == ["f"])
        }
    }

    @Test("if the file is not writable either, the message names the target")
    func refused() async throws {
        let box = try await SharedSandbox.plain.box()
        let url = try locked(box, "refused", file: 0o644)
        try await ScratchDirectory.with { scratch in
            try scratch.write("new", to: "new")
            let result = try await box.copy(["new", "127.0.0.1:refused/f"], home: scratch)
            #expect(result.exitStatus == 1)
            #expect(result.words.contains("Cannot write refused/f on 127.0.0.1"), "\(result.words)")
            #expect(!result.errorOutput.contains("bridge-partial"))
            #expect(try String(contentsOf: url, encoding: .utf8) == "the old content")
            try CopyTests.bytes(2_000_000).write(to: scratch.url.appendingPathComponent("big"))
            let full = try await box.copy(["big", "127.0.0.1:/small/target"], home: scratch)
            #expect(full.words.contains("Cannot write /small/target on") && full.words.contains("ssh.sftp.disk-full"))
        }
    }

    @Test("--inplace keeps hard links and truncates a longer file, both ways", arguments: [true, false])
    func hardLinks(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("in-place-\(isUpload)")
        let name = "127.0.0.1:in-place-\(isUpload)/"
        try await ScratchDirectory.with { scratch in
            let (source, target) = isUpload ? (scratch.url, folder) : (folder, scratch.url)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            for (new, old) in [(3, 10), (900_000, 1_000_000), (900_000, 10)] {
                let file = target.appendingPathComponent("old")
                try CopyTests.bytes(old, seed: 7).write(to: file)
                try? FileManager.default.removeItem(at: target.appendingPathComponent("link"))
                try FileManager.default.linkItem(at: file, to: target.appendingPathComponent("link"))
                try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
                try CopyTests.bytes(new).write(to: source.appendingPathComponent("new"))
                let places = isUpload ? ["new", name + "old"] : [name + "new", "old"]
                let result = try await box.copy(["--inplace"] + places, home: scratch)
                #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
                #expect(try Data(contentsOf: target.appendingPathComponent("link")) == CopyTests.bytes(new))
                #expect(try FileFacts(file).links == 2)
            }
        }
    }

    @Test("within a tree no link in place of a file is written through")
    func links() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let outside = try box.folder("in-place-outside")
            try Data("precious".utf8).write(to: outside.appendingPathComponent("f"))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o666], ofItemAtPath: outside.appendingPathComponent("f").path)
            try FileManager.default.createDirectory(atPath: scratch.path("tree"), withIntermediateDirectories: false)
            try scratch.write("new", to: "tree/f")
            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    try await sftp.makeDirectory("in-place-tree")
                    try await sftp.makeSymbolicLink("in-place-tree/f", to: "../in-place-outside/f")
                    var options = SFTPCopyOptions()
                    (options.isRecursive, options.writesInPlace) = (true, true)
                    #expect(try await sftp.upload([scratch.path("tree")], to: "in-place-tree/", options: options).files == 1)
                    _ = try await sftp.upload([scratch.path("tree/f")], to: "in-place-tree/g", options: options)
                    try FileManager.default.createDirectory(atPath: scratch.path("down/tree"), withIntermediateDirectories: true)
                    try FileManager.default.createSymbolicLink(
                        atPath: scratch.path("down/tree/f"), withDestinationPath: outside.path + "/f")
                    _ = try? await sftp.download(["in-place-tree/tree"], to: scratch.path("down"), options: options)
                }
            }
            #expect(try String(contentsOf: outside.appendingPathComponent("f"), encoding: .utf8) == "precious")
        }
    }
}
