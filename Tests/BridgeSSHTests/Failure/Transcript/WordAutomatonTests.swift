import SSHTestSupport
import Testing

@testable import SSHTranscripts

/// The automaton must find exactly what a search for each word finds.
@Suite("Search for many words at once")
struct WordAutomatonTests {
    struct Hit: Hashable {
        let word: Int
        let end: Int
    }

    private func found(_ words: [String], _ text: String) -> [Hit] {
        let automaton = WordAutomaton(words.map { Array($0.utf8) })
        var hits: [Hit] = []
        var text = text
        text.withUTF8 { bytes in
            var state: WordAutomaton.Mark = 0
            var offset = 0
            while let end = automaton.nextEnd(in: bytes, from: offset, &state) {
                offset = end
                for ending in automaton.endings(at: state) {
                    #expect(ending.length == words[ending.word].utf8.count)
                    hits.append(Hit(word: ending.word, end: end))
                }
            }
        }
        return hits
    }

    private func searched(_ words: [String], _ text: String) -> Set<Hit> {
        let text = Array(text.lowercased().utf8)
        var hits: Set<Hit> = []
        for (index, word) in words.enumerated() {
            let word = Array(word.lowercased().utf8)
            for end in word.count..<max(text.count + 1, word.count) where Array(text[(end - word.count)..<end]) == word {
                hits.insert(Hit(word: index, end: end))
            }
        }
        return hits
    }

    @Test("random words of few letters, with repeated and nested ones, in random texts", arguments: UInt64(0)..<60)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // Long words of two letters have long suffixes that begin other words.
        let letters = Array(seed % 3 == 0 ? "ab" : seed % 3 == 1 ? "aBc" : "abXé ")
        func text(_ length: Int, _ random: inout SeededGenerator) -> String {
            String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
        }
        var words: [String] = []
        for _ in 0..<Int.random(in: 1...40, using: &random) { words.append(text(Int.random(in: 1...9, using: &random), &random)) }
        words.append(words[0])
        for _ in 0..<10 {
            let line = text(Int.random(in: 0...80, using: &random), &random)
            let hits = found(words, line)
            #expect(Set(hits).count == hits.count)
            #expect(Set(hits) == searched(words, line), "\(words) in \(line)")
        }
    }

    @Test("a word in capitals, a byte of no word, and an empty text") func edges() {
        #expect(found(["host key"], "x HOST KEY\u{0}Host Key") == [Hit(word: 0, end: 10), Hit(word: 0, end: 19)])
        #expect(found(["a"], "") == [])
        #expect(found(["abcdef", "cd"], "abcdxcd") == [Hit(word: 1, end: 4), Hit(word: 1, end: 7)])
    }
}
