import BridgeSSH
import Testing

@Suite("Monotonic instants") struct MomentTests {
    @Test("instants use the clock of ContinuousClock") func sameClock() {
        let before = ContinuousClock.now
        let start = MonotonicInstant.now
        while start.seconds(to: .now) < 0.01 {}
        let end = MonotonicInstant.now
        let outside = before.duration(to: .now)
        #expect(start.duration(to: end) >= .milliseconds(10))
        #expect(start.duration(to: end) <= outside)
        #expect(start < end)
    }

    @Test(
        "an instant advances by a duration, exact to the nanosecond",
        arguments: [Duration.nanoseconds(1), .seconds(3600), .milliseconds(-7)])
    func forward(_ duration: Duration) {
        let start = MonotonicInstant.now
        #expect(start.duration(to: start.advanced(by: duration)) == duration)
        #expect(abs(start.seconds(to: start + duration) - duration / .seconds(1)) < 1e-9)
    }
}
