import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHFileTransfer
@testable import SSHTransport

@Suite("Pending entries of a tree, without any I/O")
struct TreeTests {
    @Test("entries come back unchanged and in order while others arrive")
    func entries() {
        var generator = SeededGenerator(seed: 13)
        var held = HeldEntries()
        var expected: [SFTPEntry] = []
        var next = 0
        for number in 0..<20_000 {
            var attributes = SFTPAttributes()
            attributes.mode = 0o100644
            if number % 3 == 0 { attributes.size = .random(in: 0...UInt64(Int64.max), using: &generator) }
            if number % 5 == 0 { attributes.times = .init(access: 1, modification: UInt32(number)) }
            let name = "ä\(number)" + String(repeating: "n", count: number % 1000)
            held.append(SFTPEntry(name: name, attributes: attributes))
            expected.append(SFTPEntry(name: name, attributes: attributes))
            if number % 4 == 0 {
                #expect(held.popFirst() == expected[next])
                next += 1
            }
        }
        #expect(held.count == expected.count - next)
        while let entry = held.popFirst() {
            #expect(entry == expected[next])
            next += 1
        }
        #expect(next == expected.count && held.count == 0 && held.popFirst() == nil)
    }

    @Test("above the soft limit only the first listing continues, up to the hard limit")
    func budget() {
        let budget = ListingBudget(maximumEntries: 1000)
        budget.began(1)
        budget.began(2)
        #expect(budget.take(ListingBudget.softLimit, for: 2).isGranted)
        #expect(!budget.isBelowSoftLimit)
        #expect(budget.take(1, for: 2).isPostponed)
        #expect(budget.take(1000, for: 1).isGranted)
        #expect(budget.take(ListingBudget.maximumBytes - ListingBudget.softLimit, for: 1).isExceeded)
        budget.giveBack(ListingBudget.softLimit, entries: 1)
        #expect(budget.isBelowSoftLimit)
        budget.ended(1)
        #expect(budget.take(ListingBudget.softLimit, for: 2).isGranted, "it is the first now")
    }

    @Test("entries that take no memory count towards the limit of the tree")
    func count() {
        let budget = ListingBudget(maximumEntries: 3)
        budget.began(1)
        for _ in 0..<3 { #expect(budget.take(0, for: 1).isGranted) }
        #expect(budget.take(0, for: 1).isExceeded)
        budget.giveBack(0, entries: 1)
        #expect(budget.take(0, for: 1).isGranted)
    }

    @Test("the first thousand notices, failures and partial copies are kept, and the others counted")
    func tally() async throws {
        var options = SFTPCopyOptions()
        options.continuesAfterFailure = true
        let tally = CopyTally(options)
        let problem = SSHFileProblem(.readFailed, .remote, operation: "read", path: "f")
        let error = SSHFailureClassifier.classify(SSHEvidence(event: .fileFailed(problem), stage: .sftp))
        for number in 0..<1203 {
            tally.notice("\(number)")
            try await tally.attempt { throw error }
            tally.madePartial("\(number)")
        }
        for number in 0..<1003 { tally.endedPartial("\(number)") }
        let result = tally.result
        #expect(result.failures.count == 1000 && result.partialFiles.count == 0)
        #expect(result.notices.prefix(1000) == (0..<1000).map { "\($0)" }[...])
        #expect(
            result.notices.dropFirst(1000) == [
                "203 more notices are not listed.", "203 more failures are not listed.",
                "200 more partial copies are not listed.",
            ])
    }
}

extension ListingBudget.Answer {
    fileprivate var isGranted: Bool { if case .granted = self { true } else { false } }
    fileprivate var isPostponed: Bool { if case .postponed = self { true } else { false } }
    fileprivate var isExceeded: Bool { if case .exceeded = self { true } else { false } }
}
