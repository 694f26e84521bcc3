import BridgeSSH
import SSHTestSupport
import Testing

/// A whole session of a real server, broken at every byte: never a hang, never a failure without a name, and a success only
/// when the command's status and the end of its output had both come.
///
/// `scripts/test-sweep` tries every byte, with other servers and another libssh2; here a part of the bytes keeps that honest.
@Suite("Failures at every byte", .serialized) struct SweepTests {
    @Test("the connection ends after each byte from the server") func end() async throws {
        let sweep = try await Sweep.ofThisRun()
        let faults = sweep.offsets(.server).map { FaultProxy.Fault(.finish, afterServerBytes: $0) }
        try await sweep.run("end, server's bytes", faults, timeLimit: 60, isReached: { _ in true }) { outcome in
            var problems = sweep.judge.cut(outcome)
            // Unlike a reset, an end discards no bytes that were sent before it.
            if let error = outcome.error, error.evidence.bytesReceived != outcome.offset {
                problems.append("received \(error.evidence.bytesReceived) bytes")
            }
            // All of the client's bytes have reached the proxy.
            let sent = outcome.clientBytes > sweep.map.clientStarts[.commandStart] ?? 0
            if let error = outcome.error, sent == (error.commandMayHaveRun == .no) {
                problems.append("the command was \(sent ? "" : "not ")sent")
            }
            return problems
        }
    }

    @Test("the connection is reset after each byte from the server") func reset() async throws {
        let sweep = try await Sweep.ofThisRun()
        let faults = sweep.offsets(.server).map { FaultProxy.Fault(.reset, afterServerBytes: $0) }
        try await sweep.run("reset, server's bytes", faults, timeLimit: 60, isReached: { _ in true }) { sweep.judge.cut($0) }
    }

    @Test("the connection falls silent after each byte from the server") func stall() async throws {
        let sweep = try await Sweep.ofThisRun()
        let faults = sweep.offsets(.server).map { FaultProxy.Fault(.stall, afterServerBytes: $0) }
        try await sweep.run(
            "stall, server's bytes", faults, timeLimit: 2, isReached: { sweep.judge.isStalled($0) }
        ) { sweep.judge.stalled($0) }
    }

    @Test("the connection ends or is reset after each byte from the client", arguments: [FaultProxy.Action.finish, .reset])
    func clientBytes(_ action: FaultProxy.Action) async throws {
        let sweep = try await Sweep.ofThisRun()
        let faults = sweep.offsets(.client).map { FaultProxy.Fault(action, after: $0, from: .client) }
        try await sweep.run("\(action), our bytes", faults, timeLimit: 60, isReached: { _ in true }) { outcome in
            // Only the evidence shows how many of the server's bytes had come.
            guard let error = outcome.error else { return [] }
            return sweep.judge.cut(outcome.at(error.evidence.bytesReceived))
        }
    }

    @Test("each byte from either side is altered", arguments: [FaultProxy.Side.server, .client])
    func altered(_ side: FaultProxy.Side) async throws {
        let sweep = try await Sweep.ofThisRun()
        for mask in SweepExtent.ofThisRun == .everyByte ? [UInt8(0x01), 0x80] : [0x01] {
            let faults = sweep.offsetsAndLengths(side).map { FaultProxy.Fault(.flip(mask), after: $0, from: side) }
            try await sweep.run(
                "bits \(mask) altered, \(side)'s bytes", faults, timeLimit: 2,
                isReached: { sweep.judge.isReached($0, of: side) }
            ) { sweep.judge.altered($0, of: side) }
        }
    }
}
