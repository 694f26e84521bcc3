import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// A helper's lock and the content of its lock file.
@Suite("Files of a helper") struct HelperFilesTests {
    private let record = HelperRecord(named: "web1", endpoint: SSHEndpoint(unchecked: "fe80::1%eth0", port: 2222, user: "deploy"))

    @Test("one process holds the lock at a time, and the lock file names it") func lock() async throws {
        try await ScratchDirectory.with { directory in
            let files = HelperFiles(directory: directory.url.path, name: "x")
            #expect(files.record() == nil)
            let lock = try #require(try files.lock())
            #expect(files.record() == nil)
            #expect(record.write(to: lock) && files.record() == record)
            HelperRecord.note(process: 4711, in: lock.number)
            var whole = record
            whole.process = 4711
            #expect(files.record() == whole)
            #expect(try files.lock() == nil && !files.removeIfAbandoned())
            #expect(files.record() == whole)
            withExtendedLifetime(lock) {}
        }
    }

    @Test("files of a dead helper are not taken over by the next one") func left() async throws {
        try await ScratchDirectory.with { directory in
            let files = HelperFiles(directory: directory.url.path, name: "x")
            do {
                let lock = try #require(try files.lock())
                #expect(record.write(to: lock))
            }
            #expect(files.record() == record)
            let next = try #require(try files.lock())
            withExtendedLifetime(next) { #expect(files.record() == nil) }
        }
    }

    @Test("an incomplete record is not read") func damage() {
        for text in ["", "\n", "a\nb\nc\n", "a\nb\nc\nd\n", "a\nb\nc\n22", "a\nb\nc\n22\n1\n2\n", "a\nb\nc\n22\n1"] {
            #expect(HelperRecord(text: text) == nil, "\(text)")
        }
        #expect(HelperRecord(text: "a\nb\nc\n22\n")?.endpoint == SSHEndpoint(unchecked: "c", port: 22, user: "b"))
        #expect(HelperRecord(text: "a\nb\nc\n22\n")?.isMeant(by: "b@c") == true)
    }

    @Test("a helper without a valid answer is identified by its lock file") func known() {
        var helper = KnownHelper(files: .blank, record: record, peer: 4711)
        for name in ["web1", "deploy@fe80::1%eth0", record.endpoint.description] { #expect(helper.isMeant(by: name)) }
        #expect(!helper.isMeant(by: "web2"))
        #expect(HelperTable.text([helper]).contains("\(record.endpoint.description) (does not answer)  4711\n"))
        helper.status = .blank
        #expect(helper.isMeant(by: "web1"))
        #expect(HelperTable.text([helper]).contains("\(record.endpoint.description) (another version)  4711\n"))
    }

    @Test(
        "a time is shown as written",
        arguments: [
            (0, "0s"), (45, "45s"), (600, "10m"), (725, "12m5s"), (3599, "59m59s"), (5400, "1h30m"), (10_800, "3h"),
            (129_600, "1d12h"), (90_305, "1d1h"), (-1, "0s"),
        ])
    func times(seconds: Double, text: String) { #expect(HelperTable.time(seconds) == text) }

    @Test(
        "only the process that the lock file names and that listens is killed",
        arguments: [(false, false), (true, false), (true, true)])
    func killed(isNoted: Bool, listens: Bool) async throws {
        try await ScratchDirectory.with { directory in
            let files = HelperFiles(directory: directory.url.path, name: "x")
            let lock = try #require(try files.lock())
            #expect(record.write(to: lock))
            let result = try await ProcessRun.run("sleep", ["600"], input: .none) { process in
                let number = process.pid
                if isNoted { HelperRecord.note(process: number, in: lock.number) }
                let helper = KnownHelper(files: files, record: files.record(), peer: listens ? Int(number) : 1)
                // The lock, held by this process, outlives it.
                #expect(await !helper.stop())
                process.send(signal: SIGTERM)
            }
            #expect(result.termination == .signalled(listens ? SIGKILL : SIGTERM))
            withExtendedLifetime(lock) {}
        }
    }

    @Test("a lock that cannot be taken is reported at once, with the reason") func unusable() async throws {
        try await ScratchDirectory.with { directory in
            let files = HelperFiles(directory: directory.url.path, name: "x")
            try FileManager.default.createDirectory(atPath: directory.path("x.lock"), withIntermediateDirectories: false)
            guard case .unusable(let why) = try await HelperSearch(files: files).find() else {
                Issue.record("it can be used")
                return
            }
            #expect(why == String(cString: strerror(EISDIR)))
        }
    }

    @Test("an invalid request ends the conversation, whichever other process holds the socket") func damagedRequest()
        async throws
    {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (ours, theirs) = (FrameSocket(descriptor: ends[0]), FrameSocket(descriptor: ends[1]))
        try await ScratchDirectory.with { directory in
            let lock = try #require(try HelperFiles(directory: directory.url.path, name: "x").lock())
            let persistServer = HelperServer(.blank, lock: lock)
            await HelperSession(socket: theirs, persistServer: persistServer).run(Frame(kind: .run, payload: [1]), first: nil)
        }
        #expect(try await ours.receive() == nil)
        withExtendedLifetime(theirs) {}
    }
}
