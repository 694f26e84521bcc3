import SSHTestSupport
import Testing

@testable import FleetOutput

@Suite("Difference by lines")
struct LineDifferenceTests {
    private func difference(_ old: String, _ new: String) -> String? {
        LineDifference(from: Array(old.utf8), to: Array(new.utf8)).map { String(decoding: $0.text, as: UTF8.self) }
    }

    @Test("a changed line has its context, as diff -u writes it")
    func hunk() {
        let old = (1...10).map { "line \($0)\n" }.joined()
        #expect(
            difference(old, old.replacing("line 5\n", with: "LINE 5\n"))
                == "@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+LINE 5\n line 6\n line 7\n line 8\n")
    }

    @Test("changes far apart are hunks apart, with the right numbers")
    func hunks() {
        let old = (1...30).map { "\($0)\n" }.joined()
        let new = "0\n" + old.replacing("\n20\n", with: "\n")
        #expect(
            difference(old, new)
                == "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -17,7 +18,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n")
    }

    @Test("nothing at all, everything new, and only a line feed that differs")
    func edges() {
        #expect(difference("", "") == "")
        #expect(difference("same\n", "same\n") == "")
        #expect(difference("", "a\n") == "@@ -0,0 +1 @@\n+a\n")
        #expect(difference("a\n", "") == "@@ -1 +0,0 @@\n-a\n")
        #expect(difference("a\n", "a") == "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of output\n")
    }

    @Test("as many lines as may differ can all be new, or all be gone")
    func everything() {
        func lines(_ count: Int) -> String { (1...count).map { "\($0)\n" }.joined() }
        let most = LineDifference.maximumEdits
        #expect(difference("", lines(most)) != nil && difference(lines(most), "") != nil)
        #expect(difference("", lines(most + 1)) == nil && difference(lines(most + 1), "") == nil)
    }

    @Test("a changed line is marked as one line")
    func count() {
        func lines(_ old: String, _ new: String) -> Int? { LineDifference(from: Array(old.utf8), to: Array(new.utf8))?.lines }
        #expect(lines("a\nb\n", "a\nc\n") == 1)
        #expect(lines("a\nb\nc\n", "x\nb\ny\nz\n") == 3)
        #expect(lines("a\n", "a\nb\n") == 1 && lines("a\nb\n", "b\n") == 1 && lines("a\n", "a\n") == 0)
    }

    @Test("applying the difference to the old text gives the new one", arguments: 0..<300)
    func property(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let old = (0..<Int.random(in: 0...60, using: &generator)).map { _ in "\(Int.random(in: 0...9, using: &generator))\n" }
        var new = old
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            if Bool.random(using: &generator), !new.isEmpty {
                new.remove(at: Int.random(in: 0..<new.count, using: &generator))
            } else {
                new.insert("\(Int.random(in: 0...9, using: &generator))\n", at: Int.random(in: 0...new.count, using: &generator))
            }
        }
        let text = try #require(difference(old.joined(), new.joined()))
        #expect(apply(text, to: old) == new)
    }

    @Test("texts of any size without a common line are not compared further")
    func bounded() {
        let old = (0..<19_000).map { "a\($0)\n" }.joined()
        let new = (0..<19_000).map { "b\($0)\n" }.joined()
        #expect(difference(old, new) == nil)
        #expect(difference(String(repeating: "\n", count: 1 << 20), String(repeating: "x\n", count: 1 << 19)) == nil)
    }

    @Test("effort spent on one pair is not available for the next")
    func budget() {
        let budget = LineDifference.Budget(100)
        let (old, new) = (Array("a\nb\nc\nd\n".utf8), Array("d\nc\nb\na\n".utf8))
        #expect(LineDifference(from: old, to: new, budget: budget) != nil)
        for _ in 0..<20 { _ = LineDifference(from: old, to: new, budget: budget) }
        #expect(LineDifference(from: old, to: new, budget: budget) == nil)
    }

    private func apply(_ difference: String, to old: [String]) -> [String] {
        var (result, position): ([String], Int) = ([], 0)
        for line in difference.split(separator: "\n", omittingEmptySubsequences: false) where !line.isEmpty {
            let text = String(line.dropFirst()) + "\n"
            switch line.first {
            case "@":
                let span = line.split(separator: " ")[1].dropFirst().split(separator: ",")
                let count = span.count > 1 ? Int(span[1]) ?? 0 : 1
                let start = (Int(span[0]) ?? 0) - (count == 0 ? 0 : 1)
                result += old[position..<start]
                position = start
            case "-": position += 1
            case "+": result.append(text)
            default:
                result.append(text)
                position += 1
            }
        }
        return result + old[position...]
    }
}
