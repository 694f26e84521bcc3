import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@Suite struct KnownHostsFilesTests {
    private let directory: TemporaryDirectory
    private let key = TestKeys.ed25519(1)

    init() throws { directory = try TemporaryDirectory() }

    @Test("the standard files are ssh's, under the home that is given") func theStandardFilesAreSshS() {
        let files = SSHKnownHostsFiles.standard(home: "/home/u")
        #expect(files.user == ["/home/u/.ssh/known_hosts", "/home/u/.ssh/known_hosts2"])
        #expect(files.system == ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"])
        #expect(!files.areExplicit)
    }

    @Test("missing standard files are empty", arguments: SSHHostKeyPolicy.allCases)
    func missingStandardFilesAreEmpty(policy: SSHHostKeyPolicy) throws {
        let known = try SSHKnownHostsFiles.standard(home: directory.path("missing")).load(policy: policy)
        #expect(known.unreadable.isEmpty)
    }

    @Test(
        "of explicit files only the first may be missing, and only if it may be created", arguments: SSHHostKeyPolicy.allCases)
    func ofExplicitFilesOnlyTheFirst(policy: SSHHostKeyPolicy) throws {
        let there = try directory.write("there", "web1 \(key.line)\n")
        let missing = directory.path("missing")
        let first = SSHKnownHostsFiles(user: [missing, there])
        if policy == .strict {
            let problem = try #require(throws: SSHKnownHostsProblem.self) { try first.load(policy: policy) }
            #expect(problem.code == .unreadable && problem.path == missing && problem.errno == ENOENT)
        } else {
            #expect(try first.load(policy: policy).entries.count == 1)
        }
        #expect(throws: SSHKnownHostsProblem.self) { try SSHKnownHostsFiles(user: [there, missing]).load(policy: policy) }
        #expect(throws: SSHKnownHostsProblem.self) { try SSHKnownHostsFiles(user: [], system: [missing]).load(policy: policy) }
    }

    @Test("an explicit directory is a problem, a standard one is reported", arguments: SSHHostKeyPolicy.allCases)
    func anExplicitDirectoryIsAProblem(policy: SSHHostKeyPolicy) throws {
        let path = directory.path(".ssh/known_hosts")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let problem = try #require(throws: SSHKnownHostsProblem.self) {
            try SSHKnownHostsFiles(user: [path]).load(policy: policy)
        }
        #expect(problem.errno == EISDIR && problem.operation == "read")
        var standard = SSHKnownHostsFiles.standard(home: directory.path(""))
        standard.user = [path]
        #expect(try standard.load(policy: policy).unreadable.map(\.path) == [path])
    }

    @Test("a file without permission is a problem") func aFileWithoutPermission() throws {
        let path = try directory.write("known_hosts", "")
        chmod(path, 0)
        let problem = #expect(throws: SSHKnownHostsProblem.self) {
            try UnprivilegedFiles.access { try SSHKnownHostsFiles(user: [path]).load(policy: .acceptNew) }
        }
        #expect(problem?.errno == EACCES && problem?.code == .unreadable)
    }

    @Test(
        "whether others can write to a file",
        arguments: [(0o600, false), (0o644, false), (0o620, true), (0o602, true), (0o664, true)] as [(mode_t, Bool)])
    func writableByOthers(mode: mode_t, isWritable: Bool) throws {
        let path = try directory.write("known_hosts", "")
        #expect(chmod(path, mode) == 0 && KnownHostsIO.isWritableByOthers(path: path) == isWritable)
        #expect(!KnownHostsIO.isWritableByOthers(path: directory.path("missing")))
    }

    @Test("an endless file is a problem, a pipe is read to its end") func anEndlessFileIsAProblem() throws {
        let endless = SSHKnownHostsFiles(user: ["/dev/zero"])
        let problem = try #require(throws: SSHKnownHostsProblem.self) { try endless.load(policy: .strict) }
        #expect(problem.errno == EINVAL && problem.message.hasSuffix("it is not a regular file."))
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("web1 \(key.line)\n".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(try SSHKnownHostsFiles(user: [path]).load(policy: .strict).entries.count == 1)
        #expect(try SSHKnownHostsFiles(user: ["/dev/null"]).load(policy: .strict).entries.isEmpty)
    }

    @Test("a named pipe without a writer does not block", .timeLimit(.minutes(1))) func aNamedPipeThatNobodyWrites() throws {
        let pipe = directory.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        var revoked = SSHKnownHostsFiles(user: [])
        revoked.revoked = [pipe]
        for files in [SSHKnownHostsFiles(user: [pipe]), revoked] {
            let problem = try #require(throws: SSHKnownHostsProblem.self) { try files.load(policy: .strict) }
            #expect(problem.code == .unreadable && problem.errno == EINVAL)
            #expect(problem.message.hasSuffix("it is not a regular file.") && problem.remedy == "Name a plain file.")
        }
        guard case .unreadable(EINVAL) = SSHConfigFiles.system.read(pipe, false) else { throw Unexpected() }
        guard case .unreadable(ENOENT) = SSHConfigFiles.system.read(directory.path("x\0"), false) else { throw Unexpected() }
    }

    @Test("devices and files beyond the limit are refused before anything is read", .timeLimit(.minutes(1)))
    func devices() throws {
        for device in ["/dev/zero", "/dev/random", "/dev/tty"] where FileManager.default.fileExists(atPath: device) {
            let failure = #expect(throws: WholeFile.Failure.self) { try WholeFile.opened(device) }
            // Without a terminal /dev/tty cannot be opened at all.
            #expect(failure?.errno == EINVAL || device == "/dev/tty", "\(device): \(failure.map { "\($0)" } ?? "opened")")
        }
        guard case .unreadable(EINVAL) = SSHConfigFiles.system.read("/dev/zero", false) else { throw Unexpected() }
        let huge = directory.path("huge")
        try #require(creat(huge, 0o600) >= 0 && truncate(huge, Int(WholeFile.largest) + 1) == 0)
        let failure = #expect(throws: WholeFile.Failure.self) { try WholeFile.opened(huge) }
        #expect(failure?.operation == "open" && failure?.errno == EFBIG)
        try #require(truncate(huge, 3) == 0)
        #expect(try WholeFile.read(huge) == [0, 0, 0] && WholeFile.read("/dev/null").isEmpty)
    }

    private struct Unexpected: Error {}

    @Test("problems are reported without control characters") func problemsAreReportedWithoutControlCharacters() throws {
        let problem = try #require(throws: SSHKnownHostsProblem.self) {
            try SSHKnownHostsFiles(user: [directory.path("no\u{1B}[31m")]).load(policy: .strict)
        }
        #expect(!problem.description.unicodeScalars.contains("\u{1B}"))
        #expect(problem.description.contains("No such file or directory"))
    }
}
