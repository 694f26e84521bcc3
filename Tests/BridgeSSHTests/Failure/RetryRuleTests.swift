import BridgeSSH
import ErrorCore
import ErrorCoreTesting
import Testing

/// Automatic retries: every code, with every state of the command, by the real `withRetry`.
@Suite("Retries")
struct RetryRuleTests {
    /// The progress of the command, and whether it may have run.
    enum Command: CaseIterable {
        case none, notSent, refused, sent, accepted, exited

        var cannotHaveRun: Bool { self == .none || self == .notSent || self == .refused }

        var evidence: SSHCommandEvidence? {
            guard self != .none else { return nil }
            var evidence = SSHCommandEvidence(command: "make")
            switch self {
            case .none, .notSent: evidence.progress = .notSent
            case .refused: evidence.progress = .refused
            case .sent: evidence.progress = .sent
            case .accepted: evidence.progress = .accepted
            case .exited:
                evidence.progress = .accepted
                evidence.exitStatus = 1
            }
            return evidence
        }
    }

    static let codes = CatalogueTests.promised.flatMap { row in
        row.codes.split(separator: " ").map { (code: SSHError.Code(rawValue: "ssh.\($0)"), retry: row.retry) }
    }

    /// How often a policy of three attempts runs an operation that always fails with `error`.
    private static func attempts(_ error: SSHError, isIdempotent: Bool) async -> Int {
        var policy = RetryPolicy.default
        policy.isIdempotent = isIdempotent
        var calls = 0
        do {
            try await withRetry(policy, clock: ManualClock(skipping: true)) { _ in
                calls += 1
                throw error
            }
        } catch {
            #expect(error is SSHError)
        }
        return calls
    }

    private static func error(_ code: SSHError.Code, _ change: (inout SSHEvidence) -> Void) -> SSHError {
        let evidence = Seen.end(.closed, at: .session, change)
        return SSHError(
            code: code, message: "It failed.", hint: "", confidence: .exact, retry: .advice(for: code, evidence),
            evidence: evidence)
    }

    @Test("every code, for every end of the command", arguments: codes.map(\.code))
    func everyCode(code: SSHError.Code) async throws {
        let retry = try #require(Self.codes.first { $0.code == code }).retry
        for command in Command.allCases {
            let error = Self.error(code) { $0.command = command.evidence }
            let helps = retry.allowsRetry
            #expect(error.isRetryable == (helps && command.cannotHaveRun), "\(command)")
            #expect(await Self.attempts(error, isIdempotent: false) == (helps && command.cannotHaveRun ? 3 : 1), "\(command)")
            #expect(await Self.attempts(error, isIdempotent: true) == (helps ? 3 : 1), "\(command)")
        }
    }

    @Test("a refused credential is never offered again", arguments: codes.map(\.code))
    func refusedCredentials(code: SSHError.Code) async {
        for method in ["publickey", "password", "keyboard-interactive"] {
            let error = Self.error(code) {
                $0.authentication = Seen.login(.credentialsExhausted, [(method, .refused)]).authentication
            }
            #expect(await Self.attempts(error, isIdempotent: true) == 1, "\(method)")
            #expect(!error.isRetryable)
        }
    }

    @Test("a refused key does not matter if another key was accepted; a refused password does")
    func refusedBeforeAccepted() async {
        for (method, count) in [("publickey", 3), ("password", 1)] {
            let error = Self.error(.channelSessionLimit) {
                $0.authentication =
                    Seen.login(.credentialsExhausted, [(method, .refused), ("publickey", .accepted)]).authentication
            }
            #expect(await Self.attempts(error, isIdempotent: false) == count, "\(method)")
        }
    }

    @Test("what a jump host has refused is not offered to it again, whatever fails behind it", arguments: codes.map(\.code))
    func refusedByAJumpHost(code: SSHError.Code) async {
        let error = Self.error(code) {
            $0.hop = SSHHopEvidence(number: 2, count: 2, via: ["gate:22"], target: nil)
            $0.hop?.earlierHopRefused = true
        }
        #expect(await Self.attempts(error, isIdempotent: true) == 1)
    }

    @Test("the server's own waiting time is kept")
    func penalty() async {
        let error = SSHFailureClassifier.classify(Seen.said("Not allowed at this time\r\n"))
        #expect(error.code == .bannerSourcePenalised)
        #expect(error.retryAfterSeconds == 15)
        let clock = ManualClock(skipping: true)
        _ = try? await withRetry(.default, clock: clock) { _ in throw error }
        #expect(clock.sleeps == [.seconds(15), .seconds(15)])
    }
}
