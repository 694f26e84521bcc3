import BridgeSSH
import Foundation
import SSHRun
import SSHTestSupport
import Synchronization
import Testing

@testable import SSHCommandLine

/// Input typed for a helper, and input held for it.
@Suite("What a run keeps open for its helper") struct TypingTests {
    @Test("more than a pipe holds, typed to a helper that hangs, blocks no caller")
    func hungHelper() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write(String(repeating: "typed\n", count: 100_000), to: "typed")
            let terminal = OwnedDescriptor(open(file, O_RDONLY))
            let typing = try #require(TypedInputRelay(at: terminal.number))
            typing.begin(InputUse())
            // Until the pipe takes no more.
            var held: Int32 = -1
            while true {
                var now: Int32 = 0
                _ = ioctl(typing.readEnd, UInt(FIONREAD), &now)
                if now == held, now > 60_000 { break }
                held = now
                try await Task.sleep(for: .milliseconds(20))
            }
            let hasEnded = Mutex(false)
            let ending = Task {
                await typing.end()
                hasEnded.withLock { $0 = true }
            }
            // The end takes little time; an end that waits for the helper would never come.
            for _ in 0..<3000 where !hasEnded.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
            #expect(hasEnded.withLock { $0 })
            // Lets a waiting task continue.
            typing.closeReadEnd()
            await ending.value
        }
    }

    /// Without its executable a helper cannot be started, thousands of times in one process.
    @Test("a helper that cannot be started leaves nothing open") func notStarted() async throws {
        try await ScratchDirectory.with { scratch in
            let files = HelperFiles(directory: scratch.url.path, name: "h")
            let before = sockets
            for _ in 0..<2000 {
                let lock = try #require(try files.lock())
                #expect(
                    HelperLaunch.start(files, lock: lock, HelperRecord(named: "web1", endpoint: .blank), executable: nil) == nil)
            }
            // Concurrent tests have some hundreds of sockets of their own.
            #expect(sockets - before < 1000)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
        }
    }

    private var sockets: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        return names.count {
            var kind = stat()
            return Int32($0).map { fstat($0, &kind) == 0 && kind.st_mode & S_IFMT == S_IFSOCK } ?? false
        }
    }
}
