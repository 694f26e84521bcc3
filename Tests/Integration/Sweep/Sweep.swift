import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Runs one session many times, with the fault at one byte after the other.
struct Sweep: Sendable {
    let session: SweptSession
    let map: SessionMap
    var judge: SweepJudge { SweepJudge(map: map) }

    /// The sweep of the one sandbox that all sweeps share, learnt once.
    static func ofThisRun() async throws -> Sweep { try await SweepSandbox.shared.sweep() }

    /// The offsets of a side's stream to try.
    func offsets(_ side: FaultProxy.Side) -> [Int] {
        let total = side == .server ? map.serverTotal : map.clientTotal
        return SweepExtent.ofThisRun.offsets(in: 0...total, around: map.boundaries(of: side))
    }

    /// The same, and the last byte of the length of each packet.
    func offsetsAndLengths(_ side: FaultProxy.Side) -> [Int] {
        let all = offsets(side)
        let lengths = (map.ends[side] ?? []).map { $0 + 3 }.filter { $0 < all.last ?? 0 }
        return Set(all + lengths).sorted()
    }

    /// Runs a session for each fault, many at once, and records the problems that `judge` and the general rules find.
    ///
    /// - Parameters:
    ///   - timeLimit: the deadlines, in seconds.
    ///   - isReached: whether a run reached its fault. If it did not, because the machine was busy, it is repeated with twice
    ///     the time.
    func run(
        _ name: String, _ faults: [FaultProxy.Fault], timeLimit: Double,
        isReached: @escaping @Sendable (SweptSession.Outcome) -> Bool,
        judge special: (SweptSession.Outcome) -> [String], location: SourceLocation = #_sourceLocation
    ) async throws {
        let outcomes = try await all(faults, timeLimit, isReached)
        // A command that has not run by now will not run any more.
        try await session.box.connectionsEnded()
        var wrong: [String] = []
        for outcome in outcomes.sorted(by: { $0.offset < $1.offset }) {
            let problems = judge.general(outcome) + special(outcome)
            if !problems.isEmpty { wrong.append("\(outcome.summary): \(problems.joined(separator: "; "))") }
        }
        let codes = Dictionary(grouping: outcomes) { $0.error?.code.rawValue ?? "success" }.mapValues(\.count)
        let tally = codes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("sweep: \(name): \(outcomes.count) runs, \(wrong.count) wrong: \(tally)")
        if !wrong.isEmpty {
            let shown = wrong.prefix(40).joined(separator: "\n")
            Issue.record("\(name): \(wrong.count) of \(outcomes.count) wrong\n\(shown)", sourceLocation: location)
        }
    }

    private func all(
        _ faults: [FaultProxy.Fault], _ timeLimit: Double, _ isReached: @escaping @Sendable (SweptSession.Outcome) -> Bool
    ) async throws -> [SweptSession.Outcome] {
        try await withThrowingTaskGroup(of: SweptSession.Outcome.self) { group in
            var rest = faults[...]
            var outcomes: [SweptSession.Outcome] = []
            for fault in rest.prefix(session.width) { group.addTask { try await once(fault, timeLimit, isReached) } }
            rest = rest.dropFirst(session.width)
            for try await outcome in group {
                outcomes.append(outcome)
                if let fault = rest.popFirst() { group.addTask { try await once(fault, timeLimit, isReached) } }
            }
            return outcomes
        }
    }

    private func once(
        _ fault: FaultProxy.Fault, _ timeLimit: Double, _ isReached: @Sendable (SweptSession.Outcome) -> Bool
    ) async throws -> SweptSession.Outcome {
        var timeLimit = timeLimit
        while true {
            let (session, seconds) = (session, timeLimit)
            let outcome = try await Watch.within(.seconds(120 + seconds), "\(fault)") {
                try await session.run(fault, timeLimit: seconds)
            }
            // A deadline of a minute is not too short on any machine.
            if isReached(outcome) || timeLimit > 60 { return outcome }
            timeLimit *= 2
        }
    }
}

/// Starts the sandbox of the sweeps once. It ends with the test process.
private actor SweepSandbox {
    static let shared = SweepSandbox()
    private var learning: Task<Sweep, any Error>?

    func sweep() async throws -> Sweep {
        let task =
            learning
            ?? Task {
                let session = try SweptSession(try await SSHDSandbox.start(SweptSession.options))
                let map = try await SessionMap.learn(session)
                print("sweep: libssh2 \(Library.version), \(map.summary)")
                return Sweep(session: session, map: map)
            }
        learning = task
        return try await task.value
    }
}
