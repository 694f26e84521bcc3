import BridgeSSH
import SSHTestSupport
import Synchronization
import Testing

@Suite("Corpus of remote causes")
struct CorpusTests {
    @Test("causes in the output of real programs")
    func corpus() async throws {
        let (first, more) = (TestExtent.cases(of: Corpus.all, oneOf: 3), TestExtent.cases(of: Corpus.second, oneOf: 3))
        let measured = Mutex<[Judgement]>([])
        try await CorpusSandbox.with { sandbox in
            let judgements = try await Self.judge(first + more, on: sandbox)
            measured.withLock { $0 = judgements }
        }
        let judgements = measured.withLock { $0 }
        let measurement = Measurement(judgements: Array(judgements.prefix(first.count)))
        let second = Measurement(judgements: Array(judgements.dropFirst(first.count)))
        print("corpus: \(measurement)\nsecond set: \(second)")
        for judgement in judgements where judgement.verdict != .right { print(judgement) }
        #expect(measurement.distinctOutputs >= TestExtent.choose(sample: 100, all: 300))
        // The lower limit of recall allows for other versions of the programs. Precision must be complete.
        for set in [measurement, second] {
            #expect(set.precision([.exact, .likely]) == 1)
            #expect(set.recall >= 0.97)
        }
    }

    /// Runs six entries at a time, because other tests run too.
    private static func judge(_ entries: [Entry], on sandbox: CorpusSandbox) async throws -> [Judgement] {
        try await withThrowingTaskGroup(of: (Int, Judgement).self) { group in
            var results: [Int: Judgement] = [:]
            for (number, entry) in entries.enumerated() {
                if number >= 6, let (index, judgement) = try await group.next() { results[index] = judgement }
                group.addTask { (number, Judgement(entry, try await sandbox.run(entry, number: number))) }
            }
            for try await (index, judgement) in group { results[index] = judgement }
            return results.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}
