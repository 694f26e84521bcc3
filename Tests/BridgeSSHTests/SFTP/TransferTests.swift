import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHFileTransfer

@Suite("Transfers, without any I/O")
struct TransferTests {
    @Test("every byte is moved once, in any order and size of parts")
    func everything() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let start = UInt64.random(in: 0...100, using: &generator)
            let end = start + .random(in: 0...5000, using: &generator)
            let part = Int.random(in: 1...700, using: &generator)
            let limit = Int.random(in: 1...3000, using: &generator)
            var window = TransferWindow(start..<end, part: part, limit: limit)
            var moved = [Int](repeating: 0, count: Int(end))
            var underWay: [Range<UInt64>] = []
            while true {
                while let range = window.next() {
                    #expect(range.count <= part && !range.isEmpty)
                    underWay.append(range)
                    // If the copy ends now, its file has no hole further than this from its end.
                    #expect(range.upperBound - window.contiguous <= UInt64(max(limit, part)))
                }
                guard let index = underWay.indices.randomElement(using: &generator) else { break }
                let range = underWay.remove(at: index)
                let count = Int.random(in: 1...range.count, using: &generator)
                for byte in range.prefix(count) { moved[Int(byte)] += 1 }
                window.finished(range, count: count)
                #expect(moved[Int(start)..<Int(window.contiguous)].allSatisfy { $0 == 1 })
            }
            #expect(window.isComplete)
            #expect(window.contiguous == end)
            #expect(moved[Int(start)...].allSatisfy { $0 == 1 })
        }
    }

    @Test(
        "a resumed copy goes back by the amount that was in flight",
        arguments: [(0, 0), (50, 0), (100, 0), (150, 50), (1000, 900), (1001, 0)] as [(UInt64, UInt64)])
    func resumption(found: UInt64, start: UInt64) {
        #expect(PartialName.resumption(found: found, size: 1000, window: 100, part: 30) == start)
        #expect(PartialName.resumption(found: found, size: 1000, window: 30, part: 100) == start)
    }

    @Test("names of partial files have one component, fit the limit, and differ for each source")
    func partialNames() {
        let long = String(repeating: "ä", count: 127)
        for name in ["a", long] {
            let partial = PartialName.resumable(for: name, from: "1:2", size: 5, modification: 7, window: 9)
            #expect(partial.utf8.count <= 255)
            #expect(partial.hasPrefix(".") && !partial.contains("/"))
            #expect(partial == PartialName.resumable(for: name, from: "1:2", size: 5, modification: 7, window: 9))
            #expect(partial != PartialName.resumable(for: name, from: "1:2", size: 5, modification: 8, window: 9))
            #expect(partial != PartialName.resumable(for: name, from: "1:2", size: 5, modification: 7, window: 8))
            #expect(partial != PartialName.resumable(for: name, from: "1:3", size: 5, modification: 7, window: 9))
            #expect(PartialName.unique(for: name) != PartialName.unique(for: name))
        }
    }

    @Test(
        "a listed name that leads out of its directory is refused",
        arguments: [
            ("a b", true), ("..a", true), ("\u{1B}[2J", true), ("ä", true), ("", false), ("/etc", false), ("../x", false),
            ("a/b", false), ("a\0b", false),
        ])
    func names(name: String, isTaken: Bool) {
        switch EntryName(Array(name.utf8)) {
        case .entry(let text): #expect(isTaken && text == name)
        case .unsafe, .itself, .tooLong: #expect(!isTaken)
        }
        #expect(EntryName([0x2E, 0x2E]) == .itself)
        #expect(EntryName([0xFF]) == .entry("\u{10F7FF}"))
        #expect(EntryName([0xFF, 0x2F]) == .unsafe("it holds a /") && EntryName([0xFF, 0]) == .unsafe("it holds a NUL"))
    }

    @Test("the time limit for a server's checksum allows for a slow disk")
    func checksumTimeLimit() {
        #expect(SFTPClient.checksumTimeLimit(for: 0) == .seconds(60))
        #expect(SFTPClient.checksumTimeLimit(for: 1 << 40) == .seconds(60 + 1 << 18))
        #expect(SFTPClient.checksumTimeLimit(for: .max) > .seconds(1 << 41))
    }

    @Test(
        "a link's text decides whether it stays inside the tree",
        arguments: [
            ("a", "l", true), ("../a", "d/l", true), ("../../a", "d/l", false), ("/etc", "l", false), ("..", "l", false),
            ("d/../../x", "l", false), ("d/../x", "l", false), ("", "l", false), ("./.", "l", true),
            ("a/b/c/up/../../../etc/passwd", "esc", false), ("../../..", "a/b/c/up", true), (".././../x", "a/b/l", true),
            ("..", "a/l", true), ("...", "l", true),
        ])
    func links(goal: String, path: String, isInside: Bool) {
        #expect(RemoteTree.staysInside(goal, from: path) == isInside)
    }

    @Test("the server's limits apply, within bounds")
    func limits() {
        func limits(_ numbers: UInt64...) -> SFTPLimits {
            var writer = SSHWireWriter()
            for number in numbers { writer.uint64(number) }
            var limits = SFTPLimits()
            limits.take(writer.bytes)
            return limits
        }
        #expect(limits(262_144, 261_120, 261_120, 1019) == SFTPLimits(read: 261_120, write: 261_120))
        #expect(limits(0, 0, 0, 0) == SFTPLimits())
        #expect(limits(1, .max, 1, 1) == SFTPLimits(read: 261_120, write: 1024))
        #expect(limits(5) == SFTPLimits())
    }
}
