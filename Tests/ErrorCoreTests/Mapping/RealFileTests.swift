import ErrorCore
import Foundation
import Testing

/// Foundation's real file errors.
@Suite struct RealFileTests {
    private func error(_ body: () throws -> Void) -> AppError? {
        do {
            try body()
            return nil
        } catch {
            return AppError(error)
        }
    }

    @Test("missing files and directories") func missingFilesAndDirectories() {
        let missing = "/nowhere/at/all.txt"
        #expect(error { _ = try Data(contentsOf: URL(fileURLWithPath: missing)) } == .fileNotFound(path: missing))
        #expect(error { _ = try String(contentsOfFile: missing, encoding: .utf8) } == .fileNotFound(path: missing))
        #expect(error { try Data([1]).write(to: URL(fileURLWithPath: missing)) } == .fileNotFound(path: missing))
        #expect(error { try FileManager.default.removeItem(atPath: missing) } == .fileNotFound(path: missing))
        #expect(error { _ = try FileHandle(forReadingFrom: URL(fileURLWithPath: missing)) }?.kind == .fileNotFound)
        #expect(
            error { _ = try Data(contentsOf: URL(fileURLWithPath: "/usr")) }
                == .fileReadError(path: "/usr", reason: "it is a directory"))
    }

    @Test("not text") func notText() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data([0xFF, 0xFE, 0xFD]).write(to: file)
        #expect(error { _ = try String(contentsOf: file, encoding: .utf8) }?.kind == .fileReadError)
    }

    @Test("a full device") func aFullDevice() {
        #expect(
            error { try Data(count: 10_000).write(to: URL(fileURLWithPath: "/dev/full")) }
                == .insufficientDiskSpace(required: 0, available: 0))
    }

    #if os(Linux)
        /// On a file system of its own, mounted for one thread only.
        @Test("a full and a read only file system") func aFullAndAReadOnlyFileSystem() async throws {
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let file = directory.appendingPathComponent("file")
            let results: [AppError?] = await withCheckedContinuation { continuation in
                // unshare(2) moves only the calling thread; it ends here, and the mount with it.
                Thread.detachNewThread {
                    guard Self.unshareMounts() == 0, mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
                        mount("tmpfs", directory.path, "tmpfs", 0, "size=16k") == 0
                    else { return continuation.resume(returning: [AppError(systemError: errno, path: "mount needs root")]) }
                    let full = error { try Data(count: 1 << 20).write(to: file) }
                    mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil)
                    let readOnly = error { try Data(count: 1).write(to: directory.appendingPathComponent("other")) }
                    continuation.resume(returning: [full, readOnly])
                }
            }
            try #require(results.count == 2, "\(results)")
            #expect(results[0] == .insufficientDiskSpace(required: 0, available: 0))
            #expect(results[1]?.kind == .fileWriteError)
            #expect(results[1]?.userMessage.contains("read-only") == true)
        }

        /// unshare(2) with CLONE_NEWNS; glibc declares it only under _GNU_SOURCE, which Swift's importer does not set.
        private static func unshareMounts() -> Int32 {
            typealias Unshare = @convention(c) (Int32) -> Int32
            guard let symbol = dlsym(nil, "unshare") else { return -1 }
            return unsafeBitCast(symbol, to: Unshare.self)(0x20000)
        }
    #endif
}
