import SSHTestSupport
import Testing

@Suite("The first cut after which we answer") struct FirstCutTests {
    @Test("is found to the byte, though an end may overtake the answer", arguments: 0..<200)
    func hidden(_ round: Int) async throws {
        var chance = SeededGenerator(seed: UInt64(round))
        let range = 1657...2585
        let place = Int.random(in: range, using: &chance)
        let found = try await FirstCut.find(in: range) { $0 >= place && Int.random(in: 0..<5, using: &chance) > 0 }
        #expect(found == place)
    }

    @Test("is the only place that there is") func single() async throws {
        #expect(try await FirstCut.find(in: 7...7) { _ in false } == 7)
    }
}
