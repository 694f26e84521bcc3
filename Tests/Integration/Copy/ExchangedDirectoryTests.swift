import BridgeSSH
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// Another local user who may write to a directory of the copy exchanges an entry for a symbolic link, between two steps of it.
@Suite("Copying while entries are exchanged for links")
struct ExchangedDirectoryTests {
    private let files = FileManager.default

    private func options(_ progress: @escaping @Sendable (SFTPProgress) -> Void) -> SFTPCopyOptions {
        var options = SFTPCopyOptions()
        options.isRecursive = true
        options.continuesAfterFailure = true
        options.preservesAttributes = true
        options.concurrency = 1
        options.progress = progress
        return options
    }

    /// `name/d/e/f1` and `f2`, and `outside` next to the target.
    private func prepare(_ sftp: SFTPClient, _ name: String) async throws {
        for directory in ["", "/d", "/d/e"] { try await sftp.makeDirectory(name + directory) }
        for file in ["f1", "f2"] {
            try await sftp.withFile(name + "/d/e/" + file, .creating) { try await $0.write([1], at: 0) }
        }
    }

    /// Renames the directory, and puts a link to `outside` in its place.
    private static func exchange(_ path: String, outside: String) {
        #expect(rename(path, path + ".away") == 0)
        #expect(symlink(outside, path) == 0)
    }

    @Test("files go into the directory that was opened, and a link in its place is not followed")
    func files() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let (target, outside) = (scratch.path("target"), scratch.path("outside"))
            try files.createDirectory(atPath: outside, withIntermediateDirectories: false)
            let isDone = Mutex(false)
            let options = options { progress in
                guard progress.path.hasSuffix("/f1") || progress.path.hasSuffix("/f2") else { return }
                let isFirst = isDone.withLock { done in
                    defer { done = true }
                    return !done
                }
                if isFirst { Self.exchange(target + "/d/e", outside: outside) }
            }
            let result = try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    try await prepare(sftp, "exchanged-files")
                    return try await sftp.download(["exchanged-files"], to: target, options: options)
                }
            }
            #expect(isDone.withLock { $0 })
            #expect(try files.contentsOfDirectory(atPath: outside) == [])
            #expect(try files.contentsOfDirectory(atPath: target + "/d/e.away").sorted() == ["f1", "f2"])
            #expect(result.files == 2)
            // The mode and times of `e` are not set anywhere else either, and the failure says so.
            #expect(result.failures.map(\.code) == [.sftpLocalWriteFailed])
            #expect(result.failures.first?.message.contains("target/d/e here: it was replaced by something else") == true)
        }
    }

    @Test("a directory whose parent was exchanged is not created elsewhere", arguments: [true, false])
    func directories(isLink: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let (target, outside) = (scratch.path("target"), scratch.path("outside"))
            try files.createDirectory(atPath: outside, withIntermediateDirectories: false)
            let steps = Mutex(0)
            // The first step is the end of the top's listing, the second that of d's.
            let options = options { _ in
                guard
                    steps.withLock({
                        $0 += 1; return $0
                    }) == 2
                else { return }
                if isLink { return Self.exchange(target + "/d", outside: outside) }
                #expect(rename(target + "/d", target + "/d.away") == 0)
                #expect(mkdir(target + "/d", 0o777) == 0)
            }
            let name = "exchanged-directories-\(isLink)"
            let result = try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    try await prepare(sftp, name)
                    return try await sftp.download([name], to: target, options: options)
                }
            }
            #expect(try files.contentsOfDirectory(atPath: outside) == [])
            #expect(try files.contentsOfDirectory(atPath: target + "/d") == [])
            #expect(result.files == 0)
            #expect(!result.failures.isEmpty && result.failures.allSatisfy { $0.code == .sftpLocalWriteFailed })
        }
    }

    @Test(
        "only found entries are read: a link in place of a directory or a file is not followed", arguments: ["d/e", "d/e/f1"])
    func uploads(exchanged: String) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let (source, outside) = (scratch.path("source"), scratch.path("outside"))
            try files.createDirectory(atPath: source + "/d/e", withIntermediateDirectories: true)
            try files.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try scratch.write("own", to: "source/d/e/f1")
            try scratch.write("secret", to: "outside/f1")
            let steps = Mutex(0)
            // The first step is the end of the walk.
            let options = options { _ in
                guard
                    steps.withLock({
                        $0 += 1; return $0
                    }) == 1
                else { return }
                Self.exchange(source + "/" + exchanged, outside: exchanged == "d/e" ? outside : outside + "/f1")
            }
            let name = "exchanged-" + exchanged.replacing("/", with: "-")
            let (result, entries) = try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    let result = try await sftp.upload([source], to: name, options: options)
                    var entries: [String] = []
                    for try await entry in sftp.list(name + "/d/e") { entries.append(entry.name) }
                    return (result, entries)
                }
            }
            #expect(steps.withLock { $0 } > 0)
            #expect(result.files == 0 && entries == [])
            #expect(result.failures.map(\.code) == [.sftpLocalReadFailed])
        }
    }

    @Test("links named by the user are followed: to a file, to a directory, and within the path")
    func named() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try files.createDirectory(atPath: scratch.path("real/sub"), withIntermediateDirectories: true)
            try scratch.write("old", to: "real/file")
            for (link, goal) in [("link", "real"), ("file-link", "real/file"), ("dangling", "nowhere")] {
                try files.createSymbolicLink(atPath: scratch.path(link), withDestinationPath: goal)
            }
            var options = options { _ in }
            options.continuesAfterFailure = false
            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    try await prepare(sftp, "named")
                    for place in ["file-link", "link/one", "link/sub/two", "dangling"] {
                        #expect(try await sftp.download(["named/d/e/f1"], to: scratch.path(place), options: options).files == 1)
                    }
                    #expect(try await sftp.download(["named"], to: scratch.path("link/tree"), options: options).files == 2)
                    #expect(try await sftp.download(["named"], to: scratch.path("link"), options: options).files == 2)
                    let up = try await sftp.upload(
                        [scratch.path("link"), scratch.path("file-link")], to: "named", options: options)
                    #expect(up.files == 8)
                }
            }
            for path in ["real/file", "real/one", "real/sub/two", "real/tree/d/e/f1", "real/named/d/e/f2", "dangling"] {
                #expect(files.contents(atPath: scratch.path(path)) == Data([1]), "\(path)")
            }
            #expect(try files.destinationOfSymbolicLink(atPath: scratch.path("file-link")) == "real/file")
            // A link that leads nowhere is replaced, not followed.
            #expect(!files.fileExists(atPath: scratch.path("nowhere")))
            #expect(throws: (any Error).self) { try files.destinationOfSymbolicLink(atPath: scratch.path("dangling")) }
        }
    }
}
