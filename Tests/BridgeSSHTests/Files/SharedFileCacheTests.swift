import BridgeSSH
import Glibc
import Synchronization
import Testing

@testable import SSHKeys
@testable import SSHModel
@testable import SSHTrust

@Suite final class SharedReadingTests {
    private final class Text: Sendable {
        let value: String
        init(_ value: String) { self.value = value }
    }

    private let directory: KeyDirectory
    private let readings = Mutex(0)
    /// A cache whose clock is an hour ahead, long after every change.
    private let shared = SharedFileCache<Text>(now: { FileStamp.now() + 3_600_000_000_000 })

    init() throws { directory = try KeyDirectory() }

    private func put(_ text: String, to name: String = "file") throws {
        let descriptor = open(directory.path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0)
        #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
        close(descriptor)
    }

    private func use(_ shared: SharedFileCache<Text>? = nil) -> Text {
        (shared ?? self.shared).content(of: directory.path("file"), beside: [directory.path("file.pub")]) {
            readings.withLock { $0 += 1 }
            var bytes = [UInt8](repeating: 0, count: 64)
            let descriptor = open(directory.path("file"), O_RDONLY)
            let count = read(descriptor, &bytes, bytes.count)
            close(descriptor)
            return Text(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
        }
    }

    private var count: Int { readings.withLock { $0 } }

    @Test("a concurrent reader shares the content") func aSecondReaderMeanwhileSharesIt() throws {
        try put("one")
        let first = use()
        #expect(use() === first)
        #expect(count == 1)
    }

    @Test("the content is freed with its last user") func withItsLastUserItIsGone() throws {
        try put("one")
        weak let gone = use()
        #expect(gone == nil)
        #expect(use().value == "one")
        #expect(count == 2)
    }

    /// The same length, in the same place.
    @Test("a change is seen") func aChangeIsSeen() throws {
        try put("one")
        let first = use()
        try put("two")
        #expect(use().value == "two")
        #expect(first.value == "one")
    }

    @Test("a replacement with the old times is seen") func aReplacementWithTheOldTimesIsSeen() throws {
        try put("one")
        let first = use()
        var old = stat()
        try #require(stat(directory.path("file"), &old) == 0)
        try put("two", to: "new")
        try #require(utimensat(AT_FDCWD, directory.path("new"), [old.st_atim, old.st_mtim], 0) == 0)
        try #require(rename(directory.path("new"), directory.path("file")) == 0)
        #expect(use().value == "two")
        #expect(first.value == "one")
    }

    @Test("a change of the mode is seen") func aChangeOfTheModeIsSeen() throws {
        try put("one")
        let first = use()
        try #require(chmod(directory.path("file"), 0o644) == 0)
        #expect(use() !== first)
    }

    @Test("an additional file that appears or disappears is noticed") func aFileBesideThatComesAndGoesIsSeen() throws {
        try put("one")
        let first = use()
        try put("public", to: "file.pub")
        let second = use()
        #expect(second !== first)
        #expect(use() === second)
        try #require(unlink(directory.path("file.pub")) == 0)
        #expect(use() !== second)
    }

    /// A further change at once might leave the file's times as they are.
    @Test("a file that has just changed is not shared, even if its time was set back", arguments: [true, false])
    func whatHasJustChangedIsNotShared(isBackdated: Bool) throws {
        try put("one")
        if isBackdated {
            let old = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
            try #require(utimensat(AT_FDCWD, directory.path("file"), [old, old], 0) == 0)
        }
        let shared = SharedFileCache<Text>()
        let first = use(shared)
        #expect(use(shared) !== first)
    }

    @Test("only regular files are shared") func whatIsNoRegularFileIsNotShared() throws {
        try #require(mkfifo(directory.path("file"), 0o600) == 0)
        let writer = open(directory.path("file"), O_RDWR)
        try #require(writer >= 0)
        defer { close(writer) }
        #expect(write(writer, "one", 3) == 3)
        let first = use()
        #expect(write(writer, "two", 3) == 3)
        #expect(use().value == "two")
        #expect(first.value == "one")
    }

    @Test("connections share their keys and known_hosts") func connectionsShareTheirKeysAndKnownHosts() async throws {
        let clock: @Sendable () -> Int64 = { FileStamp.now() + 3_600_000_000_000 }
        let (keys, hosts) = (SharedFileCache<KeyFile>(now: clock), KnownHostsReader(SharedFileCache(now: clock)))
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "once")
        let key = try KeyFile.read(path: path, sharing: keys)
        #expect(try KeyFile.read(path: path, sharing: keys) === key)
        try put("web1 ssh-ed25519 broken\n")
        let known = try hosts.content(of: directory.path("file"))
        #expect(try hosts.content(of: directory.path("file")) === known)
        #expect(known.skippedLines.map(\.line) == [1])
    }

    /// Nanoseconds since 1970 cannot represent them.
    @Test("times in the distant past and future", arguments: [10_413_792_000, -10_413_792_000, 9_223_372_037] as [Int])
    func timesThatAreFarAway(_ seconds: Int) throws {
        try put("one")
        var times = [timespec(tv_sec: seconds, tv_nsec: 999_999_999), timespec(tv_sec: seconds, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, directory.path("file"), &times, 0) == 0)
        let stamp = try #require(FileStamp(path: directory.path("file")))
        _ = stamp.isSettled(at: FileStamp.now())
        #expect(use().value == "one")
    }
}
