import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The second close of a handle would close another file: the next file to be opened reuses its number.
@Suite("Copying: handles are closed once")
struct HandleTests {
    private func run(_ body: @escaping @Sendable (SFTPClient, SFTPCopyOptions) async throws -> Void) async throws {
        try await SSHDSandbox.run(RecyclingSFTP.options) { box in
            try await box.connected { connection in
                try await connection.withSFTP { sftp in
                    var options = SFTPCopyOptions()
                    options.isRecursive = true
                    options.continuesAfterFailure = true
                    options.concurrency = 8
                    try await body(sftp, options)
                    #expect(try await sftp.attributes(of: "excess").size == 0)
                    #expect(try await sftp.attributes(of: "mixed").size == 0)
                }
            }
        }
    }

    @Test("unreadable files do not affect the others")
    func download() async throws {
        try await ScratchDirectory.with { scratch in
            let target = scratch.path("copy")
            try await run { sftp, options in
                let result = try await sftp.download(["top"], to: target, options: options)
                #expect(result.files == RecyclingSFTP.good.count)
                #expect(result.failures.count == RecyclingSFTP.names.count - RecyclingSFTP.good.count)
                #expect(result.failures.allSatisfy { $0.code == .sftpPermissionDenied })
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: target).sorted() == RecyclingSFTP.good)
            for name in RecyclingSFTP.good {
                #expect(try String(contentsOfFile: target + "/" + name, encoding: .utf8) == RecyclingSFTP.content(name))
            }
        }
    }

    @Test("unwritable files do not affect the others")
    func upload() async throws {
        try await ScratchDirectory.with { scratch in
            let source = scratch.url.appendingPathComponent("source")
            try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
            for name in RecyclingSFTP.names {
                try Data(RecyclingSFTP.content(name).utf8).write(to: source.appendingPathComponent(name))
            }
            try await run { sftp, options in
                let result = try await sftp.upload([source.path], to: "fresh", options: options)
                #expect(result.files == RecyclingSFTP.good.count)
                #expect(result.failures.allSatisfy { $0.code == .sftpWriteFailed })
                #expect(result.failures.count == RecyclingSFTP.names.count - RecyclingSFTP.good.count)
            }
        }
    }
}
