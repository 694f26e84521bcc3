import ErrorCore
import ErrorCoreTesting
import Testing

@Suite struct RetryPolicyTests {
    @Test("preset policies") func presets() {
        let presets: [RetryPolicy] = [.default, .aggressive, .conservative]
        #expect(presets.map(\.maxAttempts) == [3, 5, 2])
        #expect(presets.map(\.initialDelay) == [.seconds(1), .milliseconds(500), .seconds(2)])
        #expect(presets.map(\.maxDelay) == [.seconds(30), .seconds(60), .seconds(10)])
        #expect(presets.map(\.multiplier) == [2, 2, 1.5])
        #expect(presets.map(\.jitter) == [.full, .full, .none])
    }

    @Test("ceilings grow to the cap") func ceilingsGrowToTheCap() {
        #expect(
            (1...7).map { RetryPolicy.default.delayCeiling(afterAttempt: $0) } == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        #expect(RetryPolicy.conservative.delayCeiling(afterAttempt: 2) == .seconds(3))
    }

    static func random(_ generator: inout some RandomNumberGenerator) -> RetryPolicy {
        let durations: [Duration] = [
            .zero, .nanoseconds(1), .milliseconds(3), .milliseconds(700), .seconds(5), .seconds(1_000_000),
        ]
        let multipliers: [Double] = [0, 0.5, 1, 1.5, 2, 1e300]
        return RetryPolicy(
            maxAttempts: Int.random(in: -1...8, using: &generator),
            initialDelay: durations.randomElement(using: &generator) ?? .zero,
            multiplier: multipliers.randomElement(using: &generator) ?? 1,
            maxDelay: durations.randomElement(using: &generator) ?? .zero,
            jitter: Bool.random(using: &generator) ? .full : .none)
    }

    @Test("the delays' properties") func propertiesOfDelays() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let policy = Self.random(&generator)
            let attempt = [1, 2, 3, 10, 1000, Int.max].randomElement(using: &generator) ?? 1
            let ceiling = policy.delayCeiling(afterAttempt: attempt)
            #expect(ceiling >= .zero && ceiling <= policy.maxDelay)
            if policy.multiplier >= 1 { #expect(ceiling >= policy.delayCeiling(afterAttempt: max(1, attempt - 1))) }
            let delay = policy.delay(afterAttempt: attempt, advice: .backoff(), using: &generator)
            #expect(delay >= .zero && delay <= ceiling)
            if policy.jitter == .none { #expect(delay == ceiling) }
            let wait = Duration.seconds(Int.random(in: 0...2_000_000, using: &generator))
            let long = policy.delay(afterAttempt: attempt, advice: .backoff(minimumWait: wait), using: &generator)
            #expect(long >= wait && long <= max(wait, ceiling))
            #expect(policy.delay(afterAttempt: attempt, advice: .now, using: &generator) == .zero)
        }
    }

    @Test("full jitter spreads delays of less than a second too") func fullJitterSpreadsSubSecondDelaysToo() {
        var generator = SystemRandomNumberGenerator()
        let policy = RetryPolicy(maxAttempts: 3, initialDelay: .milliseconds(200), maxDelay: .seconds(1))
        let delays = (0..<400).map { _ in policy.delay(afterAttempt: 1, advice: .backoff(), using: &generator) }
        #expect(Set(delays).count > 300)
        #expect(delays.contains { $0 < .milliseconds(60) } && delays.contains { $0 > .milliseconds(140) })
    }

    @Test("advice of any error") func adviceOfAnyError() {
        #expect(RetryAdvice.of(AppError.apiRateLimited(retryAfter: 4)) == .backoff(minimumWait: .seconds(4)))
        #expect(RetryAdvice.of(ShopError.soldOut(item: "")) == .afterFix)
        #expect(RetryAdvice.of(CancellationError()) == .never)
    }
}
