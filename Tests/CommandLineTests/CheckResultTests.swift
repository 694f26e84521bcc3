import BridgeSSH
import ErrorCore
import SSHRun
import Testing

@testable import SSHCommandLine

/// The line and the status of `bridge-ssh check`.
@Suite("Check results") struct CheckResultTests {
    private static func result(_ error: SSHError? = nil, total: Double? = 0.5, endsIn days: Double? = nil) -> CheckResult {
        var timings = SSHStageTimings()
        timings.seconds.connect = 0.25
        return CheckResult(
            "web1", error, timings, total: total, certificateEnd: days.map { UInt64(1_000_000 + $0 * 86_400) }, now: 1_000_000)
    }

    @Test("a login is OK, and its times are performance data; a stage that was not reached has none") func ok() {
        #expect(Self.result().state(.init()) == .ok)
        #expect(
            Self.result().line(.init(warning: 2, critical: 10))
                == "SSH OK - web1: logged in in 0.500 s | time=0.500s;2.000;10.000;0 connect=0.250s;;;0")
    }

    @Test("wrong usage has its remedy, and no performance data") func usage() {
        let error = UsageProblem(field: "", problem: "Unknown option '--nope'.").verdict(of: .check)
        let line = Self.result(error, total: nil).line(.init())
        #expect(line == "SSH UNKNOWN - web1: [ssh.local.usage] Unknown option '--nope'. See `bridge-ssh check --help`.")
    }

    @Test(
        "time and certificates are compared with their limits",
        arguments: [
            (1.0, nil, CheckResult.State.ok), (2.5, nil, .warning), (11, nil, .critical), (1, 6.5, .warning), (1, 8, .ok),
            (1, -2, .warning), (11, 1, .critical),
        ] as [(Double, Double?, CheckResult.State)])
    func limits(total: Double, days: Double?, state: CheckResult.State) {
        #expect(Self.result(total: total, endsIn: days).state(.init(warning: 2, critical: 10, certificateDays: 7)) == state)
    }

    @Test("a certificate's remaining days are performance data, and the line names its problem") func certificate() {
        let line = Self.result(endsIn: 3.5).line(.init())
        #expect(line.contains("a certificate ends in 3 days |") && line.hasSuffix(" certificate_days=3.500;7:"))
        #expect(Self.result(endsIn: -0.5).line(.init()).contains("a certificate has ended"))
    }

    @Test("a failure of the other side is CRITICAL, one of this machine UNKNOWN, by the code's exit status") func failures() {
        let codes: [SSHError.Code] = [
            .connectRefused, .resolveHostNotFound, .hostKeyChanged, .authKeyRejected, .bannerTimedOut, .localUsage,
            .localConfigInvalid, .localCancelled,
        ]
        for code in codes {
            let error = SSHError(code, host: "web1")
            let isOfThisMachine = error.exitStatus == .localFailure || code == .localCancelled
            let expected: CheckResult.State = isOfThisMachine ? .unknown : .critical
            #expect(Self.result(error).state(.init()) == expected, "\(code)")
        }
        #expect(
            Self.result(SSHError(.connectRefused, host: "web1")).line(.init()).hasPrefix(
                "SSH CRITICAL - web1: [ssh.connect.refused] "))
    }

    @Test("a server's text stays on the line and before the bar") func hostile() {
        var error = SSHError(.bannerNotSSH, host: "web1")
        error = SSHError(
            code: error.code, message: "It said: a|b\n| x=1\u{1B}[2J", hint: "", confidence: .exact, retry: .never,
            evidence: error.evidence)
        let line = Self.result(error).line(.init())
        #expect(line.filter { $0 == "|" }.count == 1 && !line.contains("\n") && !line.contains("\u{1B}"))
    }
}
