import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@Suite("Copying from a server that lies")
struct HostileServerTests {
    static let verdicts: [(HostileSFTP, SSHError.Code)] = [
        (.text, .sftpProtocolError), (.old, .sftpVersionUnsupported), (.wrongID, .sftpProtocolError),
        (.dies, .sftpConnectionLost), (.generous, .sftpProtocolError), (.parent, .sftpUnsafeName),
        (.absolute, .sftpUnsafeName), (.nul, .sftpUnsafeName), (.endless, .sftpLimitExceeded),
        (.unconnected, .sftpNoConnection), (.forger, .sftpChecksumMismatch), (.bottomless, .sftpLimitExceeded),
        (.short, .sftpReadFailed), (.disguise, .sftpLocalWriteFailed), (.long, .sftpLimitExceeded), (.handle, .sftpProtocolError),
        (.verbose, .sftpReadFailed), (.gushing, .sftpProtocolError), (.zero, .sftpVersionUnsupported),
        (.billions, .sftpVersionUnsupported), (.branching, .sftpLimitExceeded),
    ]

    @Test("each false answer is named, and nothing is written elsewhere", arguments: verdicts)
    func lie(_ server: HostileSFTP, _ code: SSHError.Code) async throws {
        try await ScratchDirectory.with { scratch in
            let target = scratch.url.appendingPathComponent("target")
            let error = try await SSHDSandbox.run(server.options) { box in
                try await box.copyFailure { sftp in
                    var options = SFTPCopyOptions()
                    options.isRecursive = true
                    options.maximumEntries = 1000
                    options.verifiesChecksums = server == .forger
                    let source = [.dies, .generous, .unconnected, .forger, .gushing].contains(server) ? "f" : "top"
                    if server == .disguise {
                        // The link is already there, as if an earlier copy had been tricked into making it.
                        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                        let outside = scratch.url.appendingPathComponent("outside")
                        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
                        try FileManager.default.createSymbolicLink(
                            at: target.appendingPathComponent("top/a"), withDestinationURL: outside, making: true)
                    }
                    _ = try await sftp.download([source], to: target.path, options: options)
                }
            }
            #expect(error.code == code, "\(error.message)")
            #expect(!error.message.contains("\u{1B}") && error.message.utf8.count < 1000)
            if server == .forger {
                #expect(error.message.contains(" here, \(String(repeating: "0", count: 64)) there"), "\(error.message)")
            }
            if code == .sftpLimitExceeded { #expect(error.message.contains("Cannot list top")) }
            let left = FileManager.default.enumerator(atPath: scratch.url.path)?.compactMap { $0 as? String } ?? []
            #expect(!left.contains { $0.hasSuffix("evil") || $0.hasSuffix(".bridge-partial") || $0 == "outside/x" }, "\(left)")
        }
    }

    static let boundless: [(HostileSFTP, String)] = [
        (.million, "Cannot list top on 127.0.0.1: more than 250000 entries in one directory."),
        (.dots, "Cannot list top on 127.0.0.1: more than 250000 entries in one directory."),
        (.foreign, "Cannot list top on 127.0.0.1: more than 250000 entries in one directory."),
        (.long, "Cannot list top on 127.0.0.1: a name of 200000 bytes; the limit is 1024."),
    ]

    /// Tested with the executable, because memory is counted per process. A debug build takes about 40 MiB for itself.
    @Test(
        "a listing takes a bounded amount of memory, and its directory is named",
        arguments: boundless.filter { $0.0 != .dots && $0.0 != .foreign || TestExtent.ofThisRun == .all })
    func bounds(_ server: HostileSFTP, _ words: String) async throws {
        let script = """
            import resource, subprocess, sys
            status = subprocess.run(sys.argv[1:]).returncode
            print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, "MiB", file=sys.stderr)
            sys.exit(status)
            """
        try await ScratchDirectory.with { scratch in
            let result = try await SSHDSandbox.run(server.options) { box in
                try await ProcessRun.run(
                    "/usr/bin/python3",
                    ["-c", script, try BuiltExecutable.path("bridge-ssh")] + (try await box.copyArguments())
                        + ["-r", "127.0.0.1:top", scratch.path("copy")],
                    environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "LANG": "C.UTF-8"]))
            }
            #expect(result.exitStatus == 1)
            let shown = result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(shown.contains(words), "\(shown.prefix(2000))")
            let peak = try #require(shown.split(separator: " ").dropLast().last.flatMap { Int($0) })
            #expect(peak < 64, "\(peak) MiB")
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("copy")) == [])
        }
    }

    @Test("an endless listing without a match is abandoned, and its directory is named")
    func pattern() async throws {
        let error = try await SSHDSandbox.run(HostileSFTP.dots.options) { box in
            try await box.copyFailure { sftp in _ = try await sftp.paths(matching: "/top/*.gz") }
        }
        #expect(error.code == .sftpLimitExceeded)
        #expect(error.message.contains("Cannot list /top"), "\(error.message)")
        #expect(error.message.contains("more than 1000000 entries"), "\(error.message)")
    }

    @Test(
        "a name listed twice is copied twice, and long file attributes are skipped",
        arguments: [HostileSFTP.twice, .extended])
    func harmless(_ server: HostileSFTP) async throws {
        try await ScratchDirectory.with { scratch in
            let result = try await SSHDSandbox.run(server.options) { box in
                try await box.connected { connection in
                    try await connection.withSFTP { sftp in
                        var options = SFTPCopyOptions()
                        options.isRecursive = true
                        return try await sftp.download(
                            [server == .twice ? "top" : "f"], to: scratch.path("copy"), options: options)
                    }
                }
            }
            #expect(result.files == (server == .twice ? 2 : 1) && result.directories == (server == .twice ? 3 : 0))
            let path = scratch.path("copy") + (server == .twice ? "/f" : "")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "xxxxx")
        }
    }

    @Test("a server that sends little at a time is asked again")
    func shortReads() async throws {
        try await ScratchDirectory.with { scratch in
            let result = try await SSHDSandbox.run(HostileSFTP.sparing.options) { box in
                try await box.connected { connection in
                    try await connection.withSFTP { try await $0.download(["f"], to: scratch.path("f")) }
                }
            }
            #expect(result.files == 1 && result.bytes == 5)
            #expect(try String(contentsOfFile: scratch.path("f"), encoding: .utf8) == "abcde")
        }
    }

    @Test("links that lead out of the tree are left out, and a directory in a link's place is a directory")
    func links() async throws {
        try await ScratchDirectory.with { scratch in
            let result = try await SSHDSandbox.run(HostileSFTP.disguise.options) { box in
                try await box.connected { connection in
                    try await connection.withSFTP { sftp in
                        var options = SFTPCopyOptions()
                        options.isRecursive = true
                        return try await sftp.download(["top"], to: scratch.url.path + "/copy", options: options)
                    }
                }
            }
            #expect(result.symbolicLinks == 0)
            #expect(result.notices.count == 1)
            #expect(try String(contentsOfFile: scratch.url.path + "/copy/a/x", encoding: .utf8) == "xxxxx")
        }
    }
}

extension FileManager {
    fileprivate func createSymbolicLink(at link: URL, withDestinationURL target: URL, making parents: Bool) throws {
        if parents { try createDirectory(at: link.deletingLastPathComponent(), withIntermediateDirectories: true) }
        try createSymbolicLink(at: link, withDestinationURL: target)
    }
}

extension SSHDSandbox {
    /// The error of a copy that must fail.
    func copyFailure(
        _ user: SandboxUser = .alice, through port: Int? = nil, _ body: @escaping (SFTPClient) async throws -> Void
    ) async throws -> SSHError {
        do {
            try await connected(user, through: port) { try await $0.withSFTP { try await body($0) } }
        } catch let error as SSHError {
            return error
        }
        throw DidNotFail()
    }
}
