import BridgeSSH
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// After an entry that cannot be copied, the others are copied, and the failure is reported.
@Suite("Copying continues after an entry that fails")
struct ContinueAfterFailureTests {
    private final class CopyResult: Sendable {
        let result = Mutex<SFTPCopyResult?>(nil)
    }

    private static var options: SFTPCopyOptions {
        var options = SFTPCopyOptions()
        options.isRecursive = true
        options.continuesAfterFailure = true
        return options
    }

    private func make(_ top: String) throws {
        let files = FileManager.default
        for folder in ["taken/deep", "free"] {
            try files.createDirectory(atPath: top + "/" + folder, withIntermediateDirectories: true)
        }
        for file in ["taken/a", "taken/deep/b", "free/c", "d"] {
            try Data(file.utf8).write(to: URL(fileURLWithPath: top + "/" + file))
        }
    }

    @Test("a file in a directory's place affects only that directory's entries", arguments: [true, false])
    func conflict(isUpload: Bool) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let top = "going-on-\(isUpload)"
            let here = scratch.path(top)
            let there = box.url(of: "/home/alice/" + top).path
            try make(isUpload ? here : there)
            let target = isUpload ? there : here
            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    if isUpload { try await sftp.makeDirectory(top) }
                    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
                    try Data("file".utf8).write(to: URL(fileURLWithPath: target + "/taken"))
                    let result =
                        isUpload
                        ? try await sftp.upload([here], to: "", options: Self.options)
                        : try await sftp.download([top], to: scratch.url.path, options: Self.options)
                    #expect(result.failures.map(\.code) == [isUpload ? .sftpAlreadyExists : .sftpLocalWriteFailed])
                    #expect(result.files == 2 && result.directories == 2)
                }
            }
            #expect(try String(contentsOfFile: target + "/taken", encoding: .utf8) == "file")
            #expect(try String(contentsOfFile: target + "/free/c", encoding: .utf8) == "free/c")
            #expect(try String(contentsOfFile: target + "/d", encoding: .utf8) == "d")
        }
    }

    @Test("the tree limit applies to uploads too, and is checked before anything is created")
    func limit() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            try make(scratch.path("limited"))
            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    var options = Self.options
                    options.maximumEntries = 5
                    let result = try await sftp.upload([scratch.path("limited")], to: "", options: options)
                    #expect(result.failures.map(\.code) == [.sftpLimitExceeded])
                    await #expect(throws: SSHError.self) { try await sftp.attributes(of: "limited") }
                    options.maximumEntries = 7
                    #expect(try await sftp.upload([scratch.path("limited")], to: "", options: options).files == 4)
                }
            }
        }
    }

    @Test("failures are reported even if the copy is cancelled")
    func interrupted() async throws {
        let box = try await SharedSandbox.plain.box()
        let reported = CopyResult()
        try await ScratchDirectory.with { scratch in
            try CopyTests.bytes(20_000_000).write(to: scratch.url.appendingPathComponent("large"))
            let error = try await box.copyFailure { sftp in
                let (begun, tell) = AsyncStream<Void>.makeStream()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var options = Self.options
                        options.progress = { if $0.bytes > 0 { tell.yield() } }
                        options.interrupted = { result in reported.result.withLock { $0 = result } }
                        _ = try await sftp.upload(
                            [scratch.path("missing"), scratch.path("large")], to: "/tmp", options: options)
                    }
                    for await _ in begun { break }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
            #expect(error.code == .localCancelled)
        }
        #expect(reported.result.withLock { $0?.failures.map(\.code) } == [.sftpLocalNoSuchFile])
    }

    @Test("every file is verified, however many are copied at once")
    func manyChecksums() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let top = scratch.path("checked")
            try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
            for number in 0..<30 { try Data("\(number)".utf8).write(to: URL(fileURLWithPath: top + "/\(number)")) }
            let result = try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    var options = Self.options
                    options.verifiesChecksums = true
                    return try await sftp.upload([top], to: "", options: options)
                }
            }
            #expect(result.verifiedFiles == 30 && result.notices.isEmpty && result.failures.isEmpty)
        }
    }
}
