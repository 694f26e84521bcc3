import ErrorCore
import ErrorCoreTesting
import Synchronization
import Testing

@Suite struct RecoveryTests {
    struct Request: Sendable, Equatable {
        var token = "old"
        var trusted = false
        var passphrase: String?
        var connection = 1
    }

    static let refresh = RecoverOnce<Request>(where: { AppError($0) == .apiUnauthorized }) { failed in
        var request = failed.request
        request.token = "new"
        return request
    }

    @Test("an expired sign-in is renewed once") func anExpiredSignInIsRenewedOnce() async throws {
        var sent: [String] = []
        let result = try await withRecovery(of: Request(), by: Self.refresh) { request in
            sent.append(request.token)
            if request.token == "old" { throw AppError.apiUnauthorized }
            return "page"
        }
        #expect(result == "page" && sent == ["old", "new"])
    }

    @Test("a second refusal reaches the caller") func aSecondRefusalReachesTheCaller() async {
        var sent = 0
        await #expect(throws: AppError.apiUnauthorized) {
            try await withRecovery(of: Request(), by: Self.refresh) { _ in
                sent += 1
                throw AppError.apiUnauthorized
            }
        }
        #expect(sent == 2)
    }

    @Test("a person is asked, and the operation continues") func aPersonIsAskedAndTheRunGoesOn() async throws {
        let trust = RecoverOnce<Request>(where: { AppError($0).kind == .sshHostKeyMismatch }) { failed in
            var request = failed.request
            request.trusted = true
            return request
        }
        let unlock = RecoverOnce<Request>(where: { AppError($0).kind == .sshKeyInvalid }) { failed in
            var request = failed.request
            request.passphrase = "typed"
            return request
        }
        let result = try await withRecovery(of: Request(), by: trust.otherwise(unlock).otherwise(Self.refresh)) { request in
            if !request.trusted { throw AppError.sshHostKeyMismatch(host: "h") }
            if request.passphrase == nil { throw AppError.sshKeyInvalid(reason: "passphrase") }
            if request.token == "old" { throw AppError.apiUnauthorized }
            return request
        }
        #expect(result == Request(token: "new", trusted: true, passphrase: "typed"))
    }

    @Test("a person may decline") func aPersonMayDecline() async {
        let declined = RecoverOnce<Request>(where: { _ in true }, change: { _ in nil })
        await #expect(throws: AppError.sshHostKeyMismatch(host: "h")) {
            try await withRecovery(of: Request(), by: declined) { _ in throw AppError.sshHostKeyMismatch(host: "h") }
        }
        let interrupted = RecoverOnce<Request>(where: { _ in true }, change: { _ in throw CancellationError() })
        await #expect(throws: CancellationError.self) {
            try await withRecovery(of: Request(), by: interrupted) { _ in throw AppError.networkUnavailable }
        }
    }

    /// A lost connection is made again only when the command cannot have run.
    struct Reconnect: RecoveryStrategy {
        struct Lost: Error { var mayHaveRun: Bool }
        func recover(_ failed: FailedRequest<Request>) -> RecoveryDecision<Request> {
            guard let lost = failed.error as? Lost, !lost.mayHaveRun else { return .fail }
            var request = failed.request
            request.connection += 1
            return .retry(request)
        }
    }

    @Test("reconnecting after a lost connection", arguments: [true, false]) func reconnecting(mayHaveRun: Bool) async {
        let result = try? await withRecovery(of: Request(), by: Reconnect()) { request in
            if request.connection == 1 { throw Reconnect.Lost(mayHaveRun: mayHaveRun) }
            return request.connection
        }
        #expect(result == (mayHaveRun ? nil : 2))
    }

    @Test("waiting follows the policy and other strategies do not count")
    func waitingFollowsThePolicyAndOtherStrategiesDoNotCount() async {
        let clock = ManualClock(skipping: true)
        var sent = 0
        let steady = RetryPolicy(maxAttempts: 3, initialDelay: .seconds(1), maxDelay: .seconds(9), jitter: .none)
        await #expect(throws: AppError.networkUnavailable) {
            try await withRecovery(of: Request(), by: Self.refresh.otherwise(RecoverByWaiting(steady)), clock: clock) { request in
                sent += 1
                throw request.token == "old" ? AppError.apiUnauthorized : AppError.networkUnavailable
            }
        }
        #expect(sent == 4 && clock.sleeps == [.seconds(1), .seconds(2)])
    }

    @Test("an endless strategy is bounded") func aStrategyWithoutEndIsBounded() async {
        struct Stubborn: RecoveryStrategy {
            func recover(_ failed: FailedRequest<Int>) -> RecoveryDecision<Int> { .retry(failed.request + 1) }
        }
        var sent: [Int] = []
        await #expect(throws: AppError.agentBusy) {
            try await withRecovery(of: 0, by: Stubborn(), maxAttempts: 5) { request in
                sent.append(request)
                throw AppError.agentBusy
            }
        }
        #expect(sent == [0, 1, 2, 3, 4])
    }
}
