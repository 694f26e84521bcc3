import Foundation
import SSHTestSupport
import Synchronization
import Testing

@testable import BridgeSSHFleet

@Suite("One standard input for many hosts")
struct SharedInputTests {
    /// A stream that gives a piece whenever the test allows it, and counts the pieces taken.
    final class Tap: Sendable {
        private let pieces: AsyncStream<[UInt8]>
        private let add: AsyncStream<[UInt8]>.Continuation
        private let count = Mutex(0)

        init() { (pieces, add) = AsyncStream.makeStream(of: [UInt8].self) }

        var taken: Int { count.withLock { $0 } }
        func give(_ bytes: [UInt8]) { add.yield(bytes) }
        func end() { add.finish() }

        var stream: FleetInput.Reader {
            { [self] in
                for await piece in pieces {
                    count.withLock { $0 += piece.count }
                    return piece
                }
                return nil
            }
        }
    }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func all(_ reader: FleetInput.Reader) async throws -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try await reader() { all += piece }
        return all
    }

    static func limits(memory: Int, total: UInt64 = 1 << 30) -> SharedInput.Limits {
        var limits = SharedInput.Limits()
        (limits.memory, limits.total) = (memory, total)
        return limits
    }

    @Test(
        "every host reads all of it from the beginning, from memory and from the file",
        arguments: [(0, 1), (1, 1), (65536, 4096), (65537, 1000), (400_000, 32768), (300_000, 70_001)])
    func everyHost(length: Int, pieceLength: Int) async throws {
        let content = Self.bytes(length)
        for memory in [1 << 20, 100_000, 0] {
            let tap = Tap()
            let input = SharedInput("-", limits: Self.limits(memory: memory), stream: tap.stream)
            input.begin()
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<20 { group.addTask { try await Self.all(input.reader()) } }
                for start in stride(from: 0, to: length, by: pieceLength) {
                    tap.give(Array(content[start..<min(length, start + pieceLength)]))
                    await Task.yield()
                }
                tap.end()
                for try await read in group { #expect(read == content, "\(length) \(memory)") }
            }
            // This also holds for an attempt that begins later.
            #expect(try await Self.all(input.reader()) == content)
            #expect(await input.whole() == .whole(digest: RunSubject.digest(content), count: UInt64(length)))
        }
    }

    @Test("a stream is read ahead up to the memory limit, and then as fast as the fastest host reads")
    func backPressure() async throws {
        let tap = Tap()
        let input = SharedInput("-", limits: Self.limits(memory: 100), stream: tap.stream)
        for _ in 0..<50 { tap.give(Self.bytes(10)) }
        input.begin()
        while tap.taken < 100 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(tap.taken == 100)
        let fast = input.reader()
        var read = 0
        while read < 200 { read += try await fast()?.count ?? 0 }
        #expect(tap.taken <= 210)
        input.close()
    }

    @Test("input longer than the limit fails for every host, with a remedy")
    func tooLong() async throws {
        let tap = Tap()
        let input = SharedInput("-", limits: Self.limits(memory: 64, total: 1000), stream: tap.stream)
        let (ends, end) = AsyncStream.makeStream(of: SharedInput.End.self)
        input.begin { end.yield($0) }
        for _ in 0..<101 { tap.give(Self.bytes(10)) }
        await #expect(throws: (any Error).self) { _ = try await Self.all(input.reader()) }
        for await found in ends {
            guard case .failed(let reason) = found else { return #expect(Bool(false), "\(found)") }
            #expect(reason.contains("--stdin-limit"), "\(reason)")
            break
        }
    }

    @Test("input of exactly the limit is taken")
    func asLongAsAllowed() async throws {
        let tap = Tap()
        let input = SharedInput("-", limits: Self.limits(memory: 64, total: 1000), stream: tap.stream)
        input.begin()
        for _ in 0..<100 { tap.give(Self.bytes(10)) }
        tap.end()
        #expect(try await Self.all(input.reader()).count == 1000)
    }

    @Test("a host that stops reading does not affect the input of the others, and a cancelled host does not wait")
    func cancelled() async throws {
        let tap = Tap()
        let input = SharedInput("-", stream: tap.stream)
        input.begin()
        let left = Task { try await Self.all(input.reader()) }
        let stays = Task { try await Self.all(input.reader()) }
        while !input.isAwaited { await Task.yield() }
        left.cancel()
        await #expect(throws: CancellationError.self) { _ = try await left.value }
        tap.give([1, 2, 3])
        tap.end()
        #expect(try await stays.value == [1, 2, 3])
        #expect(!input.isAwaited)
    }

    @Test("an unreadable stream fails; a closed one ends")
    func failing() async throws {
        struct Broken: Error {}
        let input = SharedInput("-", stream: { throw Broken() })
        input.begin()
        await #expect(throws: (any Error).self) { _ = try await Self.all(input.reader()) }
        let silent = SharedInput("-", stream: Tap().stream)
        silent.begin()
        let host = Task { try await Self.all(silent.reader()) }
        while !silent.isAwaited { await Task.yield() }
        silent.close()
        #expect(try await host.value == [])
    }

    @Test("a file is read in place from its current position, and a truncated one fails")
    func file() async throws {
        try await ScratchDirectory.with { scratch in
            let content = Self.bytes(200_000)
            let path = scratch.path("content")
            try Data(content).write(to: URL(fileURLWithPath: path))
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let file = SharedInput.File(descriptor: handle.fileDescriptor, offset: 10, count: 199_990, owner: nil)
            let input = SharedInput(path, file: file)
            #expect(try await Self.all(input.reader()) == Array(content[10...]))
            #expect(await input.whole() == .whole(digest: RunSubject.digest(Array(content[10...])), count: 199_990))
            try handle.truncate(atOffset: 100_000)
            await #expect(throws: (any Error).self) { _ = try await Self.all(input.reader()) }
            try handle.close()
        }
    }

    @Test("a digest identifies a run's input")
    func guarded() {
        let digest = RunSubject.digest(Array("hunter2".utf8))
        let one = GuardedDigest.make(digest), other = GuardedDigest.make(digest)
        #expect(one != other && !one.contains(digest))
        #expect(GuardedDigest.isEqual(one, digest) && GuardedDigest.isEqual(digest, digest))
        #expect(!GuardedDigest.isEqual(one, RunSubject.digest(Array("hunter3".utf8))))
        let subject = RunSubject(kind: "run", command: "cat").reading("-", digest: digest)
        #expect(subject.hasRead(digest) && subject.input?.name == "-")
    }

    @Test("an input that fails ends the run: no more hosts are begun")
    func failedInput() async throws {
        struct Broken: Error {}
        let (stops, hasStopped) = AsyncStream.makeStream(of: Void.self)
        var setting = ScriptedRun(hosts: 50) { $0.parallel = 1 }.setting { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            for await _ in stops { break }
            return .exited(0)
        }
        setting.input = SharedInput("-", stream: { throw Broken() })
        let summary = try await Fleet.withRun(setting) { run in
            for try await event in run.events { if case .stopped = event { hasStopped.finish() } }
            return run.summary
        }
        // One host had begun, unless the input failed first.
        #expect(summary.exitStatus == 192 && summary.outcomes[.skipped, default: 0] >= 49)
    }
}
