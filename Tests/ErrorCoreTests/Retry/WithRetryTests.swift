import ErrorCore
import ErrorCoreTesting
import Synchronization
import Testing

@Suite struct WithRetryTests {
    static let steady = RetryPolicy(maxAttempts: 4, initialDelay: .seconds(1), maxDelay: .seconds(30), jitter: .none)

    @Test("an operation is tried until it succeeds") func triesUntilItSucceeds() async throws {
        let clock = ManualClock(skipping: true)
        var steps: [String] = []
        let result = try await withRetry(Self.steady, clock: clock, observer: { steps.append(name($0)) }) { attempt in
            if attempt < 3 { throw AppError.networkUnavailable }
            return attempt
        }
        #expect(result == 3)
        #expect(clock.sleeps == [.seconds(1), .seconds(2)])
        #expect(steps == ["retry 1", "retry 2", "succeeded after 2"])
    }

    @Test("the last error is thrown unchanged and all are observed") func theLastErrorIsThrownUnchangedAndAllAreObserved() async {
        let clock = ManualClock(skipping: true)
        var attempts: [RetryAttempt] = []
        await #expect(throws: ShopError.self) {
            try await withRetry(
                Self.steady, clock: clock,
                observer: { if case .gaveUp(let failed, .attemptsExhausted) = $0 { attempts = failed } },
                operation: { number in
                    if number == 4 { throw ShopError.tooManyOrders(wait: .seconds(1)) }
                    throw AppError.timeout(seconds: number)
                })
        }
        #expect(attempts.map(\.number) == [1, 2, 3, 4])
        #expect(attempts.map(\.elapsed) == [0, 1, 3, 7].map { .seconds($0) })
        #expect(attempts.first?.error as? AppError == .timeout(seconds: 1))
    }

    @Test(
        "errors that a retry cannot help are not retried",
        arguments: [AppError.fileNotFound(path: ""), .sshHostKeyMismatch(host: ""), .cancelled, .apiUnauthorized])
    func whatCannotHelpIsNotTriedAgain(_ error: AppError) async {
        var calls = 0
        await #expect(throws: error) {
            try await withRetry(Self.steady, clock: ManualClock()) { _ in
                calls += 1
                throw error
            }
        }
        #expect(calls == 1)
    }

    @Test("the error's own wait is respected beyond the cap") func theErrorsOwnWaitIsRespectedBeyondTheCap() async {
        let clock = ManualClock(skipping: true)
        _ = try? await withRetry(Self.steady, clock: clock) { _ in throw AppError.apiRateLimited(retryAfter: 90) }
        #expect(clock.sleeps == [.seconds(90), .seconds(90), .seconds(90)])
    }

    @Test("no attempt begins after the deadline") func noAttemptBeginsAfterTheDeadline() async {
        let clock = ManualClock(skipping: true)
        var policy = Self.steady
        policy.deadline = .seconds(4)
        var end: RetryEvent.End?
        await #expect(throws: AppError.networkUnavailable) {
            try await withRetry(policy, clock: clock, observer: { if case .gaveUp(_, let why) = $0 { end = why } }) { _ in
                throw AppError.networkUnavailable
            }
        }
        #expect(clock.sleeps == [.seconds(1), .seconds(2)] && end == .deadline)
    }

    @Test("cancellation ends a wait at once") func cancellationEndsAWaitAtOnce() async {
        let clock = ManualClock()
        let calls = Mutex(0)
        let task = Task {
            try await withRetry(Self.steady, clock: clock) { _ in
                calls.withLock { $0 += 1 }
                throw AppError.networkUnavailable
            }
        }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("a cancelled task begins nothing") func aCancelledTaskBeginsNothing() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await withRetry(Self.steady) { (_: Int) throws -> Int in 1 }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a policy may decide for itself") func aPolicyMayDecideForItself() async throws {
        var policy = Self.steady
        policy.shouldRetry = { $0 as? AppError == .apiUnauthorized }
        let clock = ManualClock(skipping: true)
        let number = try await withRetry(policy, clock: clock) { attempt in
            if attempt == 1 { throw AppError.apiUnauthorized }
            return attempt
        }
        #expect(number == 2)
    }

    @Test("the operation stays on the caller's actor") @MainActor func itStaysOnTheCallersActor() async throws {
        var count = 0
        try await withRetry(Self.steady, clock: ManualClock(skipping: true)) { attempt in
            MainActor.assertIsolated()
            count += 1
            if attempt < 2 { throw AppError.networkUnavailable }
        }
        #expect(count == 2)
    }

    private func name(_ event: RetryEvent) -> String {
        switch event {
        case .willRetry(let attempt, _): "retry \(attempt.number)"
        case .succeeded(let failed): "succeeded after \(failed.count)"
        case .gaveUp(let failed, let end): "gave up after \(failed.count): \(end)"
        }
    }
}
