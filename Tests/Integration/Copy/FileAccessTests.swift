import BridgeSSH
import ErrorCore
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// Files at a server as a Swift program uses them, through the public interface.
@Suite("Reading and writing files over SFTP")
struct FileAccessTests {
    private struct OwnError: Error, Equatable {}

    private func withSFTP(_ body: (SFTPClient) async throws -> Void) async throws {
        let box = try await SharedSandbox.plain.box()
        try await box.connected { connection in try await connection.withSFTP { sftp in try await body(sftp) } }
    }

    @Test("a whole file is read and written in one expression", arguments: [0, 1, 300_000, 9_000_000])
    func whole(size: Int) async throws {
        try await withSFTP { sftp in
            let content = Array(CopyTests.bytes(size))
            let path = "access/whole-\(size)/a/file"
            try await sftp.write(content, to: path, permissions: 0o600, createParents: true)
            #expect(try await sftp.read(path) == content)
            try await sftp.write([7], to: path)
            #expect(try await sftp.read(path) == [7])
            #expect(try await sftp.attributes(of: path).permissions == 0o600)
            let error = await #expect(throws: SSHError.self) { try await sftp.read(path, limit: 0) }
            #expect(error?.code == .sftpLimitExceeded && error?.hint.contains("piece by piece") == true)
            #expect(try await !sftp.read("/proc/version").isEmpty)
            let directory = await #expect(throws: SSHError.self) { try await sftp.read("access") }
            #expect(directory?.code == .sftpIsADirectory)
        }
    }

    @Test("content streams in order both ways, and the caller's own error is thrown unchanged")
    func streams() async throws {
        try await withSFTP { sftp in
            let content = Array(CopyTests.bytes(5_000_001))
            let pieces = AsyncStream<[UInt8]> { stream in
                for start in stride(from: 0, to: content.count, by: 77_777) {
                    stream.yield(Array(content[start..<min(content.count, start + 77_777)]))
                }
                stream.finish()
            }
            try await sftp.withFile("/tmp/streamed", .replacing) { file in
                let count = try await file.write(contentsOf: pieces, window: 1)
                #expect(count == 5_000_001)
            }
            try await sftp.withFile("/tmp/streamed", .reading) { file in
                for window in [1, 200_000, SFTPFile.defaultWindow] {
                    var read: [UInt8] = []
                    for try await bytes in file.chunks(from: 3, window: window) { read += bytes }
                    #expect(read == Array(content[3...]))
                }
                // Reading may stop early.
                for try await bytes in file.chunks() {
                    #expect(!bytes.isEmpty)
                    break
                }
                for try await _ in file.chunks(from: .max) { Issue.record("there is nothing after the end") }
            }
            let failing = AsyncThrowingStream<[UInt8], any Error> { stream in
                stream.yield([1, 2, 3])
                stream.finish(throwing: OwnError())
            }
            await #expect(throws: OwnError()) {
                try await sftp.withFile("/tmp/failing", .replacing) { try await $0.write(contentsOf: failing) }
            }
        }
    }

    /// The server gives the number of a closed file to the next one.
    @Test("a closed file is not confused with a new one that has its handle")
    func stale() async throws {
        try await withSFTP { sftp in
            try await sftp.write(Array("first".utf8), to: "/tmp/stale-1")
            try await sftp.write(Array("second".utf8), to: "/tmp/stale-2")
            let kept = try await sftp.withFile("/tmp/stale-1", .writing) { $0 }
            let failed = Mutex<SFTPFile?>(nil)
            await #expect(throws: OwnError()) {
                try await sftp.withFile("/tmp/stale-1", .writing) { file in
                    failed.withLock { $0 = file }
                    throw OwnError()
                }
            }
            let another = try #require(failed.withLock { $0 })
            try await sftp.withFile("/tmp/stale-2", .writing) { file in
                for stale in [kept, another] {
                    let uses: [@Sendable () async throws -> Void] = [
                        { _ = try await stale.read(10, at: 0) }, { try await stale.write([120], at: 0) },
                        { _ = try await stale.attributes() }, { try await stale.set(SFTPAttributes()) },
                        { try await stale.synchronize() }, { for try await _ in stale.chunks() {} },
                        {
                            let content = AsyncStream<[UInt8]> { stream in
                                stream.yield([120])
                                stream.finish()
                            }
                            try await stale.write(contentsOf: content)
                        },
                    ]
                    for use in uses {
                        let error = await #expect(throws: SSHError.self) { try await use() }
                        #expect(error?.code == .localClosed, "\(error?.message ?? "")")
                    }
                }
                let content = try await file.read(10, at: 0)
                #expect(content == Array("second".utf8))
            }
            #expect(try await sftp.read("/tmp/stale-1") == Array("first".utf8))
        }
    }

    @Test("a file opened in the wrong mode is reported as the caller's mistake")
    func modes() async throws {
        try await withSFTP { sftp in
            try await sftp.write([1, 2, 3], to: "/tmp/modes")
            let written = await #expect(throws: SSHError.self) {
                try await sftp.withFile("/tmp/modes", .reading) { try await $0.write([1], at: 0) }
            }
            #expect(written?.code == .localUsage && written?.message.contains("/tmp/modes is open as .reading") == true)
            #expect(written?.hint.contains("bridge-ssh") == false)
            let read = await #expect(throws: SSHError.self) {
                try await sftp.withFile("/tmp/modes", .replacing) { try await $0.read(1, at: 0) }
            }
            #expect(read?.code == .localUsage)
            let chunks = await #expect(throws: SSHError.self) {
                try await sftp.withFile("/tmp/modes", .replacing) { for try await _ in $0.chunks() {} }
            }
            #expect(chunks?.code == .localUsage)
            let streamed = await #expect(throws: SSHError.self) {
                try await sftp.withFile("/tmp/modes", .reading) { try await $0.write(contentsOf: AsyncStream { $0.finish() }) }
            }
            #expect(streamed?.code == .localUsage)
        }
    }

    @Test("an existing target is reported, although the server only reports a failure")
    func exists() async throws {
        try await withSFTP { sftp in
            try await sftp.makeDirectory("exists", createParents: true)
            try await sftp.makeDirectory("exists", createParents: true)
            try await sftp.write([1], to: "exists/file")
            for attempt in [
                { try await sftp.makeDirectory("exists") }, { try await sftp.makeSymbolicLink("exists/file", to: "x") },
                { try await sftp.withFile("exists/file", .creating) { _ in } },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: SSHError.self) { try await attempt() }
                #expect(error?.code == .sftpAlreadyExists, "\(String(describing: error))")
                do { try await attempt() } catch SSHError.sftpAlreadyExists {} catch { Issue.record("\(error)") }
            }
            let renamed = await #expect(throws: SSHError.self) { try await sftp.rename("exists/file", to: "exists") }
            #expect(renamed?.code == .sftpIsADirectory)
            let parent = await #expect(throws: SSHError.self) {
                try await sftp.makeDirectory("exists/file/below", createParents: true)
            }
            #expect(parent?.category == .file)
        }
    }

    @Test("no number that a caller passes crashes the process")
    func numbers() async throws {
        try await ScratchDirectory.with { scratch in
            let path = try scratch.write("content", to: "file")
            try await withSFTP { sftp in
                try await sftp.write([1, 2, 3], to: "/tmp/numbers")
                try await sftp.withFile("/tmp/numbers", .writing) { file in
                    for offset in [0, 3, UInt64.max - 5, .max, 1 << 63] as [UInt64] {
                        for count in [Int.min, -1, 0, 2, .max] {
                            let bytes = try? await file.read(count, at: offset)
                            #expect(offset > 0 || count <= 0 || bytes?.first == 1)
                        }
                        guard offset > 3 else { continue }
                        let error = await #expect(throws: SSHError.self) { try await file.write([1], at: offset) }
                        #expect(error?.code == .localUsage)
                    }
                }
                for number in [Int.min, -1, 0, 1, .max] {
                    var options = SFTPCopyOptions()
                    (options.concurrency, options.window, options.largestWindow) = (number, number, number)
                    options.maximumEntries = number
                    options.bytesPerSecond = number
                    do {
                        let result = try await sftp.upload([path], to: "/tmp/numbers", options: options)
                        #expect(number == 1 && result.files == 1)
                        options.resumes = true
                        let back = try await sftp.download(["/tmp/numbers"], to: scratch.path("back"), options: options)
                        #expect(back.files == 1)
                    } catch SSHError.localUsage {
                        #expect(number != 1)
                    }
                    _ = try? await sftp.read("/tmp/numbers", limit: number)
                    try await sftp.withFile("/tmp/numbers", .reading) { file in
                        for try await bytes in file.chunks(window: number) { #expect(!bytes.isEmpty) }
                    }
                }
            }
        }
    }

    @Test("the error of a connection lost while idle does not mention a command")
    func idle() async throws {
        let box = try await SharedSandbox.plain.box()
        try await FaultProxy.run(to: box.port) { proxy in
            let error = await #expect(throws: SSHError.self) {
                try await box.connected(through: proxy.port) { connection in
                    try await connection.withSFTP { sftp in
                        _ = try await sftp.attributes(of: ".")
                        await proxy.trigger(.reset)
                        _ = try await sftp.attributes(of: ".")
                    }
                }
            }
            #expect(error?.code == .sessionConnectionLost, "\(String(describing: error))")
            #expect(error?.message.contains("command") == false && error?.hint.contains("command") == false)
        }
    }
}
