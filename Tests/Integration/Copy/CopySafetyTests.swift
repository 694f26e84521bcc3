import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Actions that a copy must never take, with any files on either side.
@Suite("Safety of copies")
struct CopySafetyTests {
    private let files = FileManager.default

    private func copy<Value>(
        _ box: SSHDSandbox, as user: SandboxUser = .alice,
        _ body: (SFTPClient, SFTPCopyOptions) async throws -> Value
    ) async throws -> Value {
        try await box.connected(user) { connection in
            try await connection.withSFTP { sftp in
                var options = SFTPCopyOptions()
                options.isRecursive = true
                options.continuesAfterFailure = true
                return try await body(sftp, options)
            }
        }
    }

    private func mode(_ path: String) throws -> Int {
        (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test("a name is never run as a command, however the login shell treats quotes")
    func names() async throws {
        let user = SandboxUser(name: "fay", id: 2050, password: "fay-pw", shell: "/usr/bin/fish")
        var options = SSHDSandbox.Options()
        options.users.append(user)
        try await SSHDSandbox.run(options) { box in
            try await ScratchDirectory.with { scratch in
                let name = #"x\'; touch PWNED; echo \'"#
                let file = try scratch.write("content", to: name)
                try await copy(box, as: user) { sftp, options in
                    var options = options
                    options.verifiesChecksums = true
                    let up = try await sftp.upload([file], to: "", options: options)
                    let down = try await sftp.download([name], to: scratch.path("back"), options: options)
                    #expect(up.verifiedFiles == 1 && down.verifiedFiles == 1)
                    let error = await #expect(throws: SSHError.self) { try await sftp.attributes(of: "PWNED") }
                    #expect(error?.code == .sftpNoSuchFile)
                }
            }
        }
    }

    @Test("a link in place of the copy's top is not followed unless the user named it")
    func topLink() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            for name in ["victim", "dst", "named"] {
                try files.createDirectory(atPath: scratch.path(name), withIntermediateDirectories: true)
            }
            try files.createSymbolicLink(atPath: scratch.path("dst/care-top"), withDestinationPath: "../victim")
            try files.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "named")
            try await copy(box) { sftp, options in
                try await sftp.makeDirectory("care-top")
                try await sftp.withFile("care-top/f", .creating) { try await $0.write([1], at: 0) }
                let result = try await sftp.download(["care-top"], to: scratch.path("dst"), options: options)
                #expect(result.failures.map(\.code) == [.sftpLocalWriteFailed] && result.files == 0)
                #expect(try await sftp.download(["care-top"], to: scratch.path("link"), options: options).files == 1)
            }
            #expect(try files.contentsOfDirectory(atPath: scratch.path("victim")) == [])
            #expect(files.fileExists(atPath: scratch.path("named/care-top/f")))
        }
    }

    @Test("a server's file does not become one here that runs as its owner, though modes are preserved")
    func setID() async throws {
        func mode(_ path: String) -> mode_t {
            var status = stat()
            return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
        }
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let (there, here) = (box.url(of: "/home/alice/care-id").path, scratch.path("here"))
            try await copy(box) { sftp, options in
                var options = options
                options.preservesAttributes = true
                try await sftp.withFile("care-id", .creating, permissions: 0o755) { try await $0.write([1], at: 0) }
                #expect(chmod(there, 0o7755) == 0)
                _ = try await sftp.download(["care-id"], to: here, options: options)
                #expect(mode(here) == 0o755)
                #expect(chmod(here, 0o4755) == 0)
                _ = try await sftp.upload([here], to: "care-own-id", options: options)
                #expect(mode(box.url(of: "/home/alice/care-own-id").path) == 0o4755)
            }
        }
    }

    @Test("a replaced file stays closed to the users that could not read it", arguments: [false, true])
    func modes(isTree: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let top = "care-modes-\(isTree)"
            let there = box.url(of: "/home/alice/" + top).path
            try files.createDirectory(atPath: scratch.path(top), withIntermediateDirectories: true)
            let file = try scratch.write("new", to: top + "/secret", mode: 0o644)
            try await copy(box) { sftp, options in
                try await sftp.makeDirectory(top)
                try await sftp.withFile(top + "/secret", .creating, permissions: 0o600) { try await $0.write([1], at: 0) }
                _ = try await sftp.upload(
                    [isTree ? scratch.path(top) : file], to: isTree ? "" : top + "/secret", options: options)
                #expect(try mode(there + "/secret") == 0o600)
                #expect(try String(contentsOfFile: there + "/secret", encoding: .utf8) == "new")
                try await sftp.withFile(top + "/other", .creating, permissions: 0o644) { try await $0.write([1], at: 0) }
                try scratch.write("old", to: top + "/other", mode: 0o600)
                _ = try await sftp.download(
                    [isTree ? top : top + "/other"], to: isTree ? scratch.url.path : scratch.path(top + "/other"),
                    options: options)
                #expect(try mode(scratch.path(top + "/other")) == 0o600)
                #expect(try Data(contentsOf: scratch.url.appendingPathComponent(top + "/other")) == Data([1]))
            }
        }
    }

    @Test("files without a reliable size arrive whole, both ways", .timeLimit(.minutes(2)), arguments: [false, true])
    func pseudoFiles(resumes: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try await copy(box) { sftp, options in
                for (number, path) in ["/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"].enumerated()
                where files.fileExists(atPath: path) {
                    let content = try #require(files.contents(atPath: path))
                    #expect(!content.isEmpty)
                    var options = options
                    options.resumes = resumes
                    let up = try await sftp.upload([path], to: "care-pseudo-\(number)", options: options)
                    #expect(up.failures.isEmpty && up.bytes == content.count, "\(path): \(up.failures)")
                    #expect(try Data(contentsOf: box.url(of: "/home/alice/care-pseudo-\(number)")) == content)
                }
                let back = scratch.path("back")
                var options = options
                options.resumes = resumes
                let down = try await sftp.download(["/proc/version"], to: back, options: options)
                #expect(down.failures.isEmpty && files.contents(atPath: back) == files.contents(atPath: "/proc/version"))
            }
        }
    }

    @Test("two concurrent copies of files of equal size and time leave one of them whole") func twoSources() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            var contents: [Data] = []
            var sources: [String] = []
            for letter in ["a", "b"] {
                sources.append(try scratch.write(String(repeating: letter, count: 6_000_000), to: letter))
                try files.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: sources.last ?? "")
                contents.append(try Data(contentsOf: URL(fileURLWithPath: sources.last ?? "")))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for source in sources {
                    group.addTask {
                        try await copy(box) { sftp, options in
                            var options = options
                            options.resumes = true
                            _ = try await sftp.upload([source], to: "two-sources", options: options)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(contents.contains(try Data(contentsOf: box.url(of: "/home/alice/two-sources"))))
        }
    }

    @Test("a partial copy is resumed only if it is a regular file of the same user")
    func strangePartials() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let source = try scratch.write("content", to: "source")
            try await copy(box) { sftp, options in
                var options = options
                options.resumes = true
                options.continuesAfterFailure = false
                _ = try await sftp.upload([source], to: "care-partial", options: options)
                // The name of a partial copy can be predicted.
                let attributes = try await sftp.attributes(of: "care-partial")
                func partial(_ name: String, from source: String, _ time: UInt32) -> String {
                    PartialName.resumable(for: name, from: source, size: 7, modification: time, window: options.window)
                }
                let own = scratch.path("victim")
                try Data("mine".utf8).write(to: URL(fileURLWithPath: own))
                let here = scratch.path(partial("back", from: "care-partial", try #require(attributes.times?.modification)))
                try files.linkItem(atPath: own, toPath: here)
                let download = await #expect(throws: SSHError.self) {
                    try await sftp.download(["care-partial"], to: scratch.path("back"), options: options)
                }
                #expect(download?.code == .sftpLocalWriteFailed && download?.message.contains(here) == true)
                #expect(try String(contentsOfFile: own, encoding: .utf8) == "mine")

                let date = try #require(try files.attributesOfItem(atPath: source)[.modificationDate] as? Date)
                let status = try files.attributesOfItem(atPath: source)
                let inode = try #require(status[.systemFileNumber] as? Int)
                let device = try #require(status[.systemNumber] as? Int)
                let there = partial("care-up", from: "\(device):\(inode)", UInt32(date.timeIntervalSince1970))
                try await sftp.makeSymbolicLink(there, to: "care-partial")
                let upload = await #expect(throws: SSHError.self) {
                    try await sftp.upload([source], to: "care-up", options: options)
                }
                #expect(upload?.code == .sftpWriteFailed && upload?.message.contains(there) == true)
            }
        }
    }
}
