import BridgeSSH
import Crypto
import Foundation
import SSHTestSupport
import Testing

@Suite("Copying over SFTP")
struct CopyTests {
    /// The same bytes for the same seed.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var generator = SeededGenerator(seed: seed)
        // A block of 64 KiB is random; each repetition begins with its number, so that no two are the same.
        let block = (0..<8192).map { _ in generator.next() }
        var words = [UInt64]()
        words.reserveCapacity(count / 8 + block.count)
        while words.count * 8 < count {
            words.append(UInt64(words.count))
            words += block
        }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }

    /// Both directions, and the result: only the expected names.
    @Test("files of every size arrive whole", arguments: [0, 1, 32767, 32768, 32769, 261_120, 261_121, 1_000_000, 50_000_000])
    func sizes(size: Int) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let content = Self.bytes(size)
            try content.write(to: scratch.url.appendingPathComponent("there"))
            let folder = "size-\(size)"
            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    try await sftp.makeDirectory(folder)
                    let up = try await sftp.upload([scratch.url.path + "/there"], to: folder)
                    #expect(up.bytes == size && up.files == 1 && up.notices.isEmpty)
                    let down = try await sftp.download([folder + "/there"], to: scratch.url.path + "/back")
                    #expect(down.bytes == size && down.files == 1)
                    var names: [String] = []
                    for try await entry in sftp.list(folder) { names.append(entry.name) }
                    #expect(names == ["there"])
                }
            }
            let back = try Data(contentsOf: scratch.url.appendingPathComponent("back"))
            #expect(SHA256.hash(data: back) == SHA256.hash(data: content))
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() == ["back", "there"])
        }
    }

    @Test("a tree of odd names, links and empty directories arrives with modes and times")
    func tree() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let top = scratch.url.appendingPathComponent("tree").path
            let files = FileManager.default
            for folder in ["", "/empty", "/with space", "/ü/日本"] {
                try files.createDirectory(atPath: top + folder, withIntermediateDirectories: true)
            }
            for number in 0..<500 {
                let folder = ["", "/with space", "/ü/日本"][number % 3]
                let path = top + folder + "/f\(number) 'q' \"d\" \u{1B}[31m"
                try Self.bytes(number * 7, seed: UInt64(number)).write(to: URL(fileURLWithPath: path))
                try files.setAttributes(
                    [
                        .posixPermissions: number % 2 == 0 ? 0o640 : 0o755,
                        .modificationDate: Date(timeIntervalSince1970: 1_000_000_000 + Double(number)),
                    ],
                    ofItemAtPath: path)
            }
            try files.createSymbolicLink(atPath: top + "/link", withDestinationPath: "with space")
            try files.createSymbolicLink(atPath: top + "/loop", withDestinationPath: ".")
            try files.setAttributes([.modificationDate: Date(timeIntervalSince1970: 900_000_000)], ofItemAtPath: top + "/empty")

            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    var options = SFTPCopyOptions()
                    options.isRecursive = true
                    options.preservesAttributes = true
                    let up = try await sftp.upload([top], to: "tree-copy", options: options)
                    #expect(up.files == 500 && up.directories == 5 && up.symbolicLinks == 2)
                    let down = try await sftp.download(["tree-copy"], to: top + "-back", options: options)
                    #expect(down.files == 500 && down.directories == 5 && down.symbolicLinks == 2)
                }
            }
            #expect(try Self.listing(top) == Self.listing(top + "-back"))
        }
    }

    /// Every entry with its kind, mode, time and content.
    private static func listing(_ top: String) throws -> [String] {
        let files = FileManager.default
        return try (files.enumerator(atPath: top)?.compactMap { $0 as? String } ?? []).sorted().map { name in
            let path = top + "/" + name
            let values = try files.attributesOfItem(atPath: path)
            let kind = values[.type] as? FileAttributeType
            if kind == .typeSymbolicLink { return "\(name) -> \(try files.destinationOfSymbolicLink(atPath: path))" }
            let content =
                kind == .typeRegular ? SHA256.hash(data: try Data(contentsOf: URL(fileURLWithPath: path))).description : ""
            let date = (values[.modificationDate] as? Date)?.timeIntervalSince1970.rounded() ?? 0
            // Directories in which files were made have their times from the clock, cut to the second on the way.
            let time = kind == .typeDirectory && !name.hasSuffix("empty") ? "" : "\(date)"
            return "\(name) \(values[.posixPermissions] ?? "") \(time) \(content)"
        }
    }

    struct Failing: Sendable {
        let name: String
        let code: SSHError.Code
        let body: @Sendable (SFTPClient, String) async throws -> Void

        init(_ name: String, _ code: SSHError.Code, _ body: @escaping @Sendable (SFTPClient, String) async throws -> Void) {
            (self.name, self.code, self.body) = (name, code, body)
        }
    }

    static let failures: [Failing] = [
        Failing("a remote file that is not there", .sftpNoSuchFile) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.download(["missing"], to: local)
        },
        Failing("a remote file of root's", .sftpPermissionDenied) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.download(["/etc/shadow"], to: local)
        },
        Failing("a remote directory without recursion", .sftpIsADirectory) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.download(["/etc"], to: local)
        },
        Failing("a local file that is not there", .sftpLocalNoSuchFile) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.upload([local + "/missing"], to: "x")
        },
        Failing("a local directory without recursion", .sftpIsADirectory) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.upload([local], to: "x")
        },
        Failing("a remote directory of root's", .sftpPermissionDenied) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.upload([local + "/one"], to: "/etc/x")
        },
        Failing("a remote directory that is not there", .sftpNoSuchFile) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.upload([local + "/one"], to: "no/x")
        },
        Failing("two files to no directory", .sftpNoSuchFile) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.upload([local + "/one", local + "/one"], to: "nowhere")
        },
        Failing("a full file system there", .sftpDiskFull) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.upload([local + "/two"], to: "/small/x")
        },
        Failing("a name too long there", .sftpBadMessage) { (sftp: SFTPClient, local: String) in
            try await sftp.makeDirectory(String(repeating: "n", count: 300))
        },
        Failing("a local directory that is not there", .sftpLocalNoSuchFile) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.download(["/etc/passwd"], to: local + "/no/x")
        },
        Failing("a remote name that is taken", .sftpAlreadyExists) { (sftp: SFTPClient, local: String) in
            try await sftp.makeDirectory("/tmp")
        },
        Failing("a local directory in which no files can be created", .sftpLocalPermissionDenied) {
            (sftp: SFTPClient, local: String) in
            _ = try await sftp.download(["/etc/passwd"], to: "/sys/x")
        },
        Failing("a local device that never ends", .sftpLocalReadFailed) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.upload(["/dev/zero"], to: "x")
        },
        Failing("a full local device", .sftpLocalDiskFull) { (sftp: SFTPClient, local: String) in
            _ = try await sftp.download(["/etc/passwd"], to: "/dev/full")
        },
    ]

    @Test("each failure has its name", arguments: failures.indices)
    func failure(index: Int) async throws {
        let failing = Self.failures[index]
        let (name, code, body) = (failing.name, failing.code, failing.body)
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try Self.bytes(1000).write(to: scratch.url.appendingPathComponent("one"))
            try Self.bytes(2_000_000).write(to: scratch.url.appendingPathComponent("two"))
            let error = try await box.copyFailure { try await body($0, scratch.url.path) }
            #expect(error.code == code, "\(name): \(error.message)")
            #expect(error.exitStatus == .fileFailure)
            #expect(error.stage == .sftp)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() == ["one", "two"])
        }
    }

    /// Copies a file with --resume, and verifies the copy.
    private static func resume(_ sftp: SFTPClient, _ here: String, _ there: String, _ isUpload: Bool) async throws
        -> SFTPCopyResult
    {
        var options = SFTPCopyOptions()
        options.resumes = true
        options.window = 1 << 20
        options.verifiesChecksums = true
        return isUpload
            ? try await sftp.upload([here], to: there, options: options)
            : try await sftp.download([there], to: here, options: options)
    }

    @Test("an interrupted copy continues where it stopped", arguments: [true, false])
    func resume(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let content = Self.bytes(20_000_000)
            let (here, there) = (scratch.url.appendingPathComponent("file"), "resume-\(isUpload)")
            if isUpload {
                try content.write(to: here)
            } else {
                try content.write(to: box.url(of: "/home/alice/\(there)"))
            }
            let fault = FaultProxy.Fault(.reset, after: 12_000_000, from: isUpload ? .client : .server)
            try await FaultProxy.run(to: box.port, fault: fault) { proxy in
                let error = try await box.copyFailure(through: proxy.port) {
                    _ = try await Self.resume($0, here.path, there, isUpload)
                }
                #expect(error.code == .sessionConnectionLost, "\(error.message)")
            }
            let result = try await box.connected {
                try await $0.withSFTP { try await Self.resume($0, here.path, there, isUpload) }
            }
            #expect(result.resumedBytes > 8_000_000)
            #expect(result.bytes + result.resumedBytes == 20_000_000)
            #expect(result.verifiedFiles == 1)
            let copied = try Data(contentsOf: isUpload ? box.url(of: "/home/alice/\(there)") : here)
            #expect(SHA256.hash(data: copied) == SHA256.hash(data: content))
        }
    }

    @Test("an unfinished copy that is longer than its source is begun anew", arguments: [true, false])
    func longer(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let (here, there) = (scratch.url.appendingPathComponent("file"), "longer-\(isUpload)/file")
            let folder = try box.folder("longer-\(isUpload)")
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
            let content = Self.bytes(2_000_000)
            try content.write(to: isUpload ? here : folder.appendingPathComponent("file"))
            let fault = FaultProxy.Fault(.reset, after: 1_000_000, from: isUpload ? .client : .server)
            try await FaultProxy.run(to: box.port, fault: fault) { proxy in
                _ = try await box.copyFailure(through: proxy.port) { _ = try await Self.resume($0, here.path, there, isUpload) }
            }
            let place = isUpload ? folder : scratch.url
            let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
            let partial = try #require(names.first { $0.hasSuffix(".bridge-partial") }, "\(names)")
            let file = try FileHandle(forWritingTo: place.appendingPathComponent(partial))
            try file.seekToEnd()
            // Nothing may have arrived before the loss.
            try file.write(contentsOf: content + [0])
            try file.close()
            let result = try await box.connected {
                try await $0.withSFTP { try await Self.resume($0, here.path, there, isUpload) }
            }
            #expect(result.resumedBytes == 0 && result.verifiedFiles == 1)
            #expect(try Data(contentsOf: isUpload ? folder.appendingPathComponent("file") : here) == content)
        }
    }

    @Test("without --resume a failed copy leaves nothing, and the old file stays", arguments: [true, false])
    func failureLeavesNothing(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let folder = "left-\(isUpload)"
            try await box.connected { try await $0.withSFTP { try await $0.makeDirectory(folder) } }
            let remote = box.url(of: "/home/alice/\(folder)")
            let local = scratch.url
            let (source, target) = isUpload ? (local, remote) : (remote, local)
            try Self.bytes(20_000_000).write(to: source.appendingPathComponent("new"))
            try Data("old".utf8).write(to: target.appendingPathComponent("file"))
            let error = try await box.copyFailure { sftp in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let (begun, tell) = AsyncStream<Void>.makeStream()
                    group.addTask {
                        var options = SFTPCopyOptions()
                        options.progress = { if $0.bytes > 0 { tell.yield() } }
                        if isUpload {
                            _ = try await sftp.upload([local.path + "/new"], to: folder + "/file", options: options)
                        } else {
                            _ = try await sftp.download([folder + "/new"], to: local.path + "/file", options: options)
                        }
                    }
                    for await _ in begun { break }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
            #expect(error.code == .localCancelled)
            let names = try FileManager.default.contentsOfDirectory(atPath: target.path)
            #expect(names == ["file"])
            #expect(try Data(contentsOf: target.appendingPathComponent("file")) == Data("old".utf8))
        }
    }

    @Test("on an account without commands, unverified files are reported")
    func accounts() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let result = try await box.connected(.sftponly) { connection in
                try await connection.withSFTP { sftp in
                    var options = SFTPCopyOptions()
                    options.verifiesChecksums = true
                    return try await sftp.download(["/etc/passwd"], to: scratch.url.path, options: options)
                }
            }
            #expect(result.files == 1 && result.verifiedFiles == 0 && result.notices.count == 1)
        }
    }

    @Test("a server without the subsystem")
    func noSubsystem() async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options("Subsystem other internal-sftp")) { box in
            let error = try await box.copyFailure { _ in }
            #expect(error.code == .channelSubsystemMissing)
        }
    }
}
