import BridgeSSH
import Testing

/// On a busy machine a short time limit passes before the stage that a test is about.
@Suite("Patience with a busy machine") struct PatienceTests {
    struct Case: Sendable {
        let code: SSHError.Code?
        var mayHaveRun: SSHError.CommandMayHaveRun? = .no
        let isElsewhere: Bool
    }

    static let cases = [
        Case(code: nil, mayHaveRun: nil, isElsewhere: false), Case(code: .sessionConnectionLost, isElsewhere: false),
        Case(code: .bannerTimedOut, isElsewhere: true), Case(code: .channelTimedOut, isElsewhere: true),
        Case(code: .channelTimedOut, mayHaveRun: .unknown, isElsewhere: false),
        Case(code: .channelTimedOut, mayHaveRun: nil, isElsewhere: false),
    ]

    @Test("a time limit that passes before the command was sent is not the one of its answer", arguments: cases)
    func elsewhere(_ test: Case) {
        let told = TimedOut(code: test.code, mayHaveRun: test.mayHaveRun)
        #expect(told.isElsewhere(than: .channelTimedOut, .unknown) == test.isElsewhere)
    }

    @Test("a run is repeated twice, with four and with sixteen times the seconds") func repetition() async throws {
        var seconds: [Double] = []
        let last = try await Patience.run(2, isElsewhere: { (_: Double) in true }) {
            seconds.append($0)
            return $0
        }
        #expect(seconds == [2, 8, 32] && last == 32)
        #expect(try await Patience.run(2, isElsewhere: { $0 < 3 }, { $0 }) == 8)
    }
}
