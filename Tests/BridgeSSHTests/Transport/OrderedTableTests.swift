import SSHTestSupport
import Testing

@testable import SSHTransport

@Suite("A table of few keys") struct OrderedTableTests {
    @Test("the table always equals a dictionary sorted by key", arguments: 0..<20)
    func sameAsDictionary(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = OrderedTable<Int, Int>()
        var dictionary: [Int: Int] = [:]
        for step in 0..<400 {
            let key = Int.random(in: 0..<24, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                table.set(key, step)
                dictionary[key] = step
            case 1: #expect(table.remove(key) == dictionary.removeValue(forKey: key))
            default:
                guard let index = table.index(of: key) else { break }
                table.change(at: index) { $0 += 1 }
                dictionary[key]? += 1
            }
            #expect((table[key], table.count, table.isEmpty) == (dictionary[key], dictionary.count, dictionary.isEmpty))
            #expect(table.entries.map(\.key) == dictionary.keys.sorted())
        }
    }
}
