import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The replacement of an old file, with posix-rename@openssh.com and without it.
@Suite("Replacing a file at the server")
struct ReplacingTests {
    static let refused = SSHError.Code.sftpUnsupported

    private static let bare = SSHDSandbox.Options("Subsystem sftp internal-sftp -P posix-rename,limits,statvfs,fsync")

    @Test("a rename takes the place of an old file in one step")
    func atomic() async throws {
        let box = try await SharedSandbox.plain.box()
        try await box.connected { connection in
            try await connection.withSFTP { sftp in
                try await sftp.makeDirectory("rename")
                try await sftp.write("new", to: "rename/a")
                try await sftp.write("old", to: "rename/b")
                try await sftp.rename("rename/a", to: "rename/b")
                #expect(try await sftp.text(of: "rename/b") == "new")
                #expect(try await sftp.names(in: "rename") == ["b"])
            }
        }
    }

    @Test("without support on the server a rename is refused, and a copy reports its fallback")
    func bare() async throws {
        try await SSHDSandbox.run(Self.bare) { box in
            try await ScratchDirectory.with { scratch in
                let file = try scratch.write("newer", to: "file")
                try await box.connected { connection in
                    try await connection.withSFTP { sftp in
                        try await sftp.makeDirectory("d")
                        try await sftp.write("new", to: "d/a")
                        try await sftp.rename("d/a", to: "d/file")
                        try await sftp.write("other", to: "d/b")
                        let error = await #expect(throws: SSHError.self) { try await sftp.rename("d/b", to: "d/file") }
                        #expect(error?.code == Self.refused)
                        #expect(try await sftp.text(of: "d/file") == "new")
                        #expect(try await sftp.names(in: "d") == ["b", "file"])

                        let result = try await sftp.upload([file], to: "d")
                        #expect(result.files == 1)
                        #expect(result.notices.count == 1 && result.notices[0].contains("not replaced in one step"))
                        #expect(try await sftp.text(of: "d/file") == "newer")
                        #expect(try await sftp.names(in: "d") == ["b", "file"])
                        // No old file was in the way of this one.
                        #expect(try await sftp.upload([file], to: "d/fresh").notices.isEmpty)
                    }
                }
            }
        }
    }

    /// A server without posix-rename@openssh.com that refuses the third rename. It has a file `file` of three bytes.
    private static let thirdRename = #"""
        files, renames = {b"file": 3}, 0
        for kind, ident, argument, rest in requests():
            if kind in (7, 17):
                if argument in files: send(105, ident + u32(5) + struct.pack(">Q", files[argument]) + u32(0o100644))
                else: status(2)
            elif kind == 3:
                files[argument] = 0
                send(102, ident + string(argument))
            elif kind == 6:
                files[argument] += struct.unpack(">I", rest[8:12])[0]
                status(0)
            elif kind in (4, 9, 10): status(0)
            elif kind == 13: status(0 if files.pop(argument, None) is not None else 2)
            elif kind == 18:
                renames += 1
                if rest[4:] in files: status(4)
                elif renames == 3: status(3)
                else:
                    files[rest[4:]] = files.pop(argument)
                    status(0)
            else: status(8)
        """#

    @Test("an old file that was renamed gets its name back if the new one does not get it")
    func restored() async throws {
        try await SSHDSandbox.run(FakeSFTP.options(Self.thirdRename)) { box in
            try await ScratchDirectory.with { scratch in
                let file = try scratch.write("newer", to: "file")
                try await box.connected { connection in
                    try await connection.withSFTP { sftp in
                        let error = await #expect(throws: SSHError.self) { _ = try await sftp.upload([file], to: "file") }
                        #expect(error?.code == .sftpPermissionDenied, "\(error?.message ?? "")")
                        #expect(try await sftp.attributes(of: "file").size == 3)
                        _ = try await sftp.upload([file], to: "file")
                        #expect(try await sftp.attributes(of: "file").size == 5)
                    }
                }
            }
        }
    }

    @Test("a copy reports that another copy has finished its partial file", arguments: [true, false])
    func finishedByAnother(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        let folderName = isUpload ? "finished-up" : "finished-down"
        let folder = box.url(of: "/home/alice/\(folderName)")
        try await box.connected { try await $0.withSFTP { try await $0.makeDirectory(folderName) } }
        try await ScratchDirectory.with { scratch in
            let content = CopyTests.bytes(3_000_000)
            try content.write(to: scratch.url.appendingPathComponent("up"))
            try content.write(to: folder.appendingPathComponent("down"))
            let (name, place) = isUpload ? ("up", folder) : ("down", scratch.url)
            var options = SFTPCopyOptions()
            options.resumes = true
            options.progress = { progress in
                guard progress.bytes > 0 else { return }
                let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
                for partial in names where partial.hasSuffix(".bridge-partial") {
                    rename(place.appendingPathComponent(partial).path, place.appendingPathComponent(name).path)
                }
            }
            let result = try await box.connected { [options] connection in
                try await connection.withSFTP { sftp in
                    await #expect(throws: SSHError.self) {
                        _ =
                            isUpload
                            ? try await sftp.upload([scratch.path("up")], to: "\(folderName)/up", options: options)
                            : try await sftp.download(["\(folderName)/down"], to: scratch.path("down"), options: options)
                    }
                }
            }
            let error = try #require(result)
            #expect(error.code == (isUpload ? .sftpWriteFailed : .sftpLocalWriteFailed))
            #expect(error.message.contains("its partial copy is gone: another copy"), "\(error.message)")
            #expect(try Data(contentsOf: place.appendingPathComponent(name)).count == content.count)
        }
    }
}

extension SFTPClient {
    fileprivate func write(_ text: String, to path: String) async throws {
        try await withFile(path, .creating) { try await $0.write(Array(text.utf8), at: 0) }
    }

    fileprivate func text(of path: String) async throws -> String {
        try await withFile(path, .reading) { String(decoding: try await $0.read(100, at: 0), as: UTF8.self) }
    }

    fileprivate func names(in path: String) async throws -> [String] {
        var names: [String] = []
        for try await entry in list(path) { names.append(entry.name) }
        return names.sorted()
    }
}
