import Testing

@testable import BridgeSSHFleet

@Suite("Kept output of a host") struct HostOutputTests {
    private static let limit = 1 << 20

    private static func output(_ budget: OutputMemoryBudget, limit: Int = limit) -> HostOutput {
        HostOutput(
            "h", .standardOutput, OutputPolicy(limit: limit, streams: false), FleetEventQueue(limit: 1), budget,
            OutputMemoryBudget.Share())
    }

    @Test("all memory used is charged, for all sizes of pieces", arguments: [1, 7, 4096, 30_000, 3 << 20])
    func charged(piece: Int) async throws {
        let budget = OutputMemoryBudget(limit: 16 << 20)
        let output = Self.output(budget)
        let bytes = [UInt8](repeating: 7, count: piece)
        for _ in 0..<50 {
            try await output.write(bytes)
            // The allocator rounds up by less than a page.
            #expect(output.kept.bytes.capacity <= budget.used + 4096)
            #expect(budget.used <= Self.limit)
            #expect(budget.used <= 2 * output.kept.bytes.count)
        }
        #expect(output.kept.total == 50 * piece)
        #expect(output.kept.bytes.count == min(50 * piece, Self.limit))
    }

    @Test("kept output is reallocated only a few times, however many pieces arrive")
    func growth() async throws {
        let output = Self.output(OutputMemoryBudget(limit: 16 << 20))
        var capacities: Set<Int> = []
        for _ in 0..<256 {
            try await output.write([UInt8](repeating: 7, count: 4096))
            capacities.insert(output.kept.bytes.capacity)
        }
        #expect(output.kept.bytes.count == Self.limit)
        #expect(capacities.count <= 9)
    }

    @Test("a piece that crosses the limit is kept up to the limit and hashed beyond it", arguments: [0, 1, 5, 8])
    func acrossLimit(limit: Int) async throws {
        let budget = OutputMemoryBudget(limit: 1 << 20)
        let (once, inPieces) = (Self.output(budget, limit: limit), Self.output(budget, limit: limit))
        try await once.write(Array("01234567".utf8))
        for piece in ["012", "", "3", "4567"] { try await inPieces.write(Array(piece.utf8)) }
        #expect(once.kept == inPieces.kept)
        #expect(once.kept.bytes == Array("01234567".utf8.prefix(limit)))
        #expect(once.kept.isTruncated == (limit < 8) && once.kept.restDigest.isEmpty == (limit == 8))
    }

    @Test("a leader that asks for nothing loses its place") func silentLeader() async {
        let budget = OutputMemoryBudget(limit: 100)
        let leader = OutputMemoryBudget.Share()
        await budget.take(150, for: leader, OutputWait())
        let second = Task { await budget.take(60, for: OutputMemoryBudget.Share(), OutputWait()) }
        while budget.waitingCount < 1 { await Task.yield() }
        budget.replaceSilentLeader(after: .zero)
        await second.value
        #expect(budget.used == 210)
    }

    @Test("a leader whose command has ended keeps its place until its output is released") func endedLeader() async {
        let budget = OutputMemoryBudget(limit: 100)
        let leader = OutputMemoryBudget.Share()
        await budget.take(150, for: leader, OutputWait())
        let hold = OutputMemoryBudget.SharedHold(of: leader, in: budget, holders: 1)
        let second = Task { await budget.take(60, for: OutputMemoryBudget.Share(), OutputWait()) }
        while budget.waitingCount < 1 { await Task.yield() }
        budget.replaceSilentLeader(after: .zero)
        #expect(budget.waitingCount == 1 && budget.used == 150)
        hold.end()
        await second.value
        #expect(budget.used == 60)
    }
}
