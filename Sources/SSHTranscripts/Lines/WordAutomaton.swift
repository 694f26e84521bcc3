/// Finds all occurrences of many words in one pass, in time proportional to the text's length (Aho and Corasick, Communications
/// of the ACM 18, 1975). The case of ASCII letters is ignored.
///
/// The states are the beginnings of the words, shorter ones first. The states of the shortest beginnings, in which nearly all of
/// a text is read, have a table of transitions each. The others have only their children, and the state of their longest suffix,
/// which reads a byte that no child reads. With a table for every state, all rows' words would take 30 MiB.
struct WordAutomaton: Sendable {
    /// A word that ends in a state.
    struct WordEnd: Sendable {
        /// The word's index in the list of words.
        let word: Int
        let length: Int
    }

    /// A state as the pass over a text keeps it: where its transitions begin in the table, or, from `firstBare` on, the number
    /// of a state without a table. The highest bit says that words end in it.
    typealias Mark = UInt32
    typealias Bytes = UnsafeBufferPointer<UInt8>

    private static let hit: Mark = 0x8000_0000

    /// Beginnings of at most this many bytes have a table.
    private static let tabledLength = 3

    /// The column of each byte in `transitions`. Both cases of a letter share a column, and so do all bytes that no word
    /// contains.
    private let columns: [UInt8]
    /// The tables of transitions, one after the other.
    private let transitions: [Mark]
    /// The mark of the first state without a table.
    private let firstBare: Mark
    private let tree: Tree
    private let tabled: Int
    private let width: Int

    init(_ texts: [[UInt8]]) {
        precondition(texts.allSatisfy { !$0.isEmpty }, "an empty word")
        let words = texts.map { $0.map(Self.folded) }
        columns = Self.columns(of: words)
        let columns = columns
        let width = Int(columns.max() ?? 0) + 1
        let tree = Tree(words.map { $0.map { columns[Int($0)] } })
        let tabled = tree.count(upTo: Self.tabledLength)
        precondition(tabled * width + tree.count < Int(Self.hit), "too many words for the numbers of states")
        (self.tree, self.tabled, self.width) = (tree, tabled, width)
        firstBare = Mark(tabled * width)

        var states = [Int](repeating: 0, count: tabled * width)
        for state in 0..<tabled {
            if state > 0 {
                let suffix = Int(tree.suffixes[state]) * width
                for column in 0..<width { states[state * width + column] = states[suffix + column] }
            }
            for child in tree.children(of: state) { states[state * width + Int(tree.columns[child])] = child }
        }
        transitions = states.map { Self.mark(of: $0, tree, tabled, width) }
    }

    /// The end of the next words in a text, and the state there. The first state is 0.
    func nextEnd(in bytes: Bytes, from start: Int, _ state: inout Mark) -> Int? {
        columns.withUnsafeBufferPointer { columns in
            transitions.withUnsafeBufferPointer { transitions in
                var at = state & ~Self.hit
                for index in start..<bytes.count {
                    let column = columns[Int(bytes[index])]
                    let next = at < firstBare ? transitions[Int(at &+ UInt32(column))] : step(from: at, column)
                    at = next & ~Self.hit
                    if next & Self.hit != 0 {
                        state = next
                        return index + 1
                    }
                }
                return nil
            }
        }
    }

    /// The words that end in a state.
    func endings(at mark: Mark) -> ArraySlice<WordEnd> { tree.endings(at: state(mark & ~Self.hit)) }

    /// The state after a byte's column, from a state without a table.
    private func step(from mark: Mark, _ column: UInt8) -> Mark {
        var state = state(mark)
        while state >= tabled {
            if let child = tree.child(of: state, column) { return Self.mark(of: child, tree, tabled, width) }
            state = Int(tree.suffixes[state])
        }
        return transitions[state * width + Int(column)]
    }

    private func state(_ mark: Mark) -> Int { mark < firstBare ? Int(mark) / width : Int(mark - firstBare) + tabled }

    private static func mark(of state: Int, _ tree: Tree, _ tabled: Int, _ width: Int) -> Mark {
        Mark(state < tabled ? state * width : tabled * width + state - tabled) | (tree.hasEndings(at: state) ? hit : 0)
    }

    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Column 0 is for all bytes that no word contains. It leads back to the beginning.
    private static func columns(of words: [[UInt8]]) -> [UInt8] {
        var columns = [UInt8](repeating: 0, count: 256)
        var count: UInt8 = 0
        var isUsed = [Bool](repeating: false, count: 256)
        for word in words { for byte in word { isUsed[Int(byte)] = true } }
        for byte in isUsed.indices where isUsed[byte] {
            count += 1
            columns[byte] = count
        }
        for upper in 0x41...0x5A { columns[upper] = columns[upper | 0x20] }
        return columns
    }
}

extension WordAutomaton {
    /// The beginnings of all words as a tree, level by level; 0 is the empty one. So the children of a state stand together, in
    /// front of those of the next state.
    private struct Tree: Sendable {
        /// The last column of each state's beginning.
        private(set) var columns: [UInt8] = [0]
        /// The state of the longest other beginning that ends as this one does.
        private(set) var suffixes: [UInt32] = [0]
        /// The first child of each state, and at the end the number of states.
        private var firstChildren: [UInt32] = []
        /// Where the words of each state begin in `ends`, and at the end their number.
        private var firstEnds: [UInt32] = []
        private var ends: [WordEnd] = []
        /// The number of states of each length or less.
        private var counts: [Int] = [1]

        var count: Int { columns.count }

        /// - Parameter words: the words, as columns.
        init(_ words: [[UInt8]]) {
            let order = words.indices.sorted { words[$0].lexicographicallyPrecedes(words[$1]) }
            // The words that begin as each state of the level does, and have more bytes.
            var level = [order[...]]
            var length = 0
            while !level.isEmpty {
                var next: [ArraySlice<Int>] = []
                for beginners in level { addChildren(beginners, words, length, &next) }
                level = next
                length += 1
                counts.append(count)
            }
            firstChildren.append(UInt32(count))
            firstEnds.append(UInt32(ends.count))
        }

        /// Finishes the next state, whose words these are, and adds its children.
        private mutating func addChildren(
            _ beginners: ArraySlice<Int>, _ words: [[UInt8]], _ length: Int, _ next: inout [ArraySlice<Int>]
        ) {
            let state = firstChildren.count
            firstEnds.append(UInt32(ends.count))
            var rest = beginners
            // Sorted, a word stands in front of all that it begins.
            while let word = rest.first, words[word].count == length {
                ends.append(WordEnd(word: word, length: length))
                rest = rest.dropFirst()
            }
            let suffix = Int(suffixes[state])
            if state > 0 {
                // One by one: a slice would make the list copy itself.
                for end in Int(firstEnds[suffix])..<Int(firstEnds[suffix + 1]) { ends.append(ends[end]) }
            }
            firstChildren.append(UInt32(count))
            while let word = rest.first {
                let column = words[word][length]
                let end = rest.firstIndex { words[$0][length] != column } ?? rest.endIndex
                next.append(rest[..<end])
                rest = rest[end...]
                columns.append(column)
                suffixes.append(state == 0 ? 0 : UInt32(followingSuffix(suffix, column)))
            }
        }

        private func followingSuffix(_ suffix: Int, _ column: UInt8) -> Int {
            var state = suffix
            while true {
                if let child = child(of: state, column) { return child }
                if state == 0 { return 0 }
                state = Int(suffixes[state])
            }
        }

        func count(upTo length: Int) -> Int { counts[min(length, counts.count - 1)] }

        func children(of state: Int) -> Range<Int> { Int(firstChildren[state])..<Int(firstChildren[state + 1]) }

        func child(of state: Int, _ column: UInt8) -> Int? {
            // A loop, because this is the innermost one, and a closure is slow in a debug build.
            var child = Int(firstChildren[state])
            let end = Int(firstChildren[state + 1])
            while child < end {
                if columns[child] == column { return child }
                child += 1
            }
            return nil
        }

        func hasEndings(at state: Int) -> Bool { firstEnds[state] < firstEnds[state + 1] }

        func endings(at state: Int) -> ArraySlice<WordEnd> { ends[Int(firstEnds[state])..<Int(firstEnds[state + 1])] }
    }
}

/// Words that are searched for together. The case of ASCII letters is ignored.
struct WordSet: Sendable {
    private let automaton: WordAutomaton

    /// - Parameter words: the words, none of them empty.
    init(_ words: [String]) { automaton = WordAutomaton(words.map { Array($0.utf8) }) }

    /// Whether the text has one of the words.
    func occurs(in text: String) -> Bool {
        var text = text
        return text.withUTF8 {
            var state: WordAutomaton.Mark = 0
            return automaton.nextEnd(in: $0, from: 0, &state) != nil
        }
    }

    /// The indices of the words in the text.
    func indices(in text: String) -> Set<Int> {
        var text = text
        return text.withUTF8 {
            var found: Set<Int> = []
            var (offset, state): (Int, WordAutomaton.Mark) = (0, 0)
            while let end = automaton.nextEnd(in: $0, from: offset, &state) {
                offset = end
                for ending in automaton.endings(at: state) { found.insert(ending.word) }
            }
            return found
        }
    }
}
