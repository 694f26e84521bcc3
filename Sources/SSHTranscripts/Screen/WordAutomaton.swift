/// Finds all occurrences of many words in one pass, in time proportional to the text's length (Aho and Corasick, Communications
/// of the ACM 18, 1975). The case of ASCII letters is ignored.
struct WordAutomaton: Sendable {
    /// A word that ends in a state.
    struct WordEnd: Sendable {
        /// The word's index in the list of words.
        let word: Int
        let length: Int
    }

    /// Marks a transition into a state in which words end. The other bits are the index of that state's transitions.
    static let hit: UInt32 = 0x8000_0000

    /// The column of each byte in `transitions`. Both cases of a letter share a column, and so do all bytes that no word
    /// contains.
    let columns: [UInt8]
    let transitions: [UInt32]
    private let endings: [[WordEnd]]
    private let width: Int

    /// The words that end in a state.
    func endings(at state: UInt32) -> [WordEnd] { endings[Int(state & ~Self.hit) / width] }

    init(_ texts: [[UInt8]]) {
        precondition(texts.allSatisfy { !$0.isEmpty }, "an empty word")
        let words = texts.map { $0.map(Self.folded) }
        let columns = Self.columns(of: words)
        let width = Int(columns.max() ?? 0) + 1
        var tree = Tree(width: width, maximumStates: words.reduce(1) { $0 + $1.count })
        for (index, word) in words.enumerated() { tree.add(word.map { Int(columns[Int($0)]) }, index) }
        tree.link()
        precondition(tree.endings.count * width < Int(Self.hit), "too many words for the numbers of states")
        let targets = tree.endings.enumerated().map { UInt32($0 * width) | ($1.isEmpty ? 0 : Self.hit) }
        for index in tree.next.indices { tree.next[index] = targets[Int(tree.next[index])] }
        transitions = tree.next
        endings = tree.endings
        self.columns = columns
        self.width = width
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

    /// The words as a tree of states; 0 is the beginning.
    private struct Tree {
        let width: Int
        var next: [UInt32]
        var endings: [[WordEnd]] = [[]]

        init(width: Int, maximumStates: Int) {
            self.width = width
            next = Array(repeating: 0, count: maximumStates * width)
        }

        mutating func add(_ columns: [Int], _ word: Int) {
            var state = 0
            for column in columns {
                // In a tree, no transition leads to the beginning. So 0 means that there is no state yet.
                if next[state * width + column] == 0 {
                    next[state * width + column] = UInt32(endings.count)
                    endings.append([])
                }
                state = Int(next[state * width + column])
            }
            endings[state].append(WordEnd(word: word, length: columns.count))
        }

        /// Adds the missing transitions, level by level. A state without a child continues as its longest suffix would.
        mutating func link() {
            // Words with the same beginning share its states.
            next.removeLast(next.count - endings.count * width)
            var suffix = [Int](repeating: 0, count: endings.count)
            var queue = [0]
            var head = 0
            while head < queue.count {
                let state = queue[head]
                head += 1
                for column in 0..<width {
                    let child = Int(next[state * width + column])
                    let detour = state == 0 ? 0 : next[suffix[state] * width + column]
                    guard child != 0 else {
                        next[state * width + column] = detour
                        continue
                    }
                    suffix[child] = Int(detour)
                    if !endings[Int(detour)].isEmpty { endings[child] += endings[Int(detour)] }
                    queue.append(child)
                }
            }
        }
    }
}
