import Testing

@testable import BridgeSSH

/// The start times of connections without a login.
@Suite("The pace of a host key scan") struct ScanPaceTests {
    private static let start = MonotonicInstant.now

    @Test("a server with penalties gets eight connections at once, and then one each second")
    func paced() {
        var turns = ScanTurns()
        func wait(after seconds: Double = 0) -> Double {
            turns.next("a 22", at: Self.start.advanced(by: .seconds(seconds))).seconds
        }
        #expect(wait() == 0)
        turns.note("a 22", penalizes: true)
        for _ in 0..<7 { #expect(wait() == 0) }
        #expect(abs(wait() - 1.1) < 0.001)
        #expect(abs(wait() - 2.2) < 0.001)
        // Another server, or a later time, is not affected.
        #expect(turns.next("b 22", at: Self.start) == .zero)
        #expect(wait(after: 60) == 0)
    }

    @Test("thirty connections never reach the penalty at which sshd refuses an address")
    func neverPunished() {
        var turns = ScanTurns()
        var now = Self.start
        var penalty = (until: Self.start, most: 0.0)
        for number in 0..<30 {
            now = now.advanced(by: turns.next("a 22", at: now))
            if number == 0 { turns.note("a 22", penalizes: true) }
            // OpenSSH srclimit.c: each adds a second to what is left; 15 of them are enforced.
            penalty.until = max(penalty.until, now).advanced(by: .seconds(1))
            penalty.most = max(penalty.most, now.seconds(to: penalty.until))
        }
        #expect(penalty.most < 15, "\(penalty.most)")
        #expect(Self.start.seconds(to: now) < 30)
    }

    @Test("there is no wait for a server without penalties")
    func unpaced() {
        var turns = ScanTurns()
        for _ in 0..<1000 { #expect(turns.next("a 22", at: Self.start) == .zero) }
    }

    @Test("memory is bounded")
    func bounded() {
        var turns = ScanTurns()
        for number in 0..<10_000 {
            _ = turns.next("host\(number) 22", at: Self.start.advanced(by: .seconds(number)))
        }
        #expect(turns.count <= 4096)
    }

    @Test(
        "releases of OpenSSH",
        arguments: [
            ("OpenSSH_9.8", true), ("OpenSSH_10.0p2 Debian-5", true), ("OpenSSH_9.2p1 Debian-2+deb12u3", false),
            ("OpenSSH_for_Windows_9.5", false), ("dropbear_2025.88", false), ("OpenSSH_", false), ("", false),
        ])
    func releases(_ software: String, _ penalizes: Bool) {
        #expect(ScanPace.penalizes(software) == penalizes)
    }
}
