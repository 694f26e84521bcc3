/// A repeatable generator (SplitMix64), so that a failing seed can be run again.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The same seed gives the same numbers.
    public init(seed: UInt64) { state = (seed &+ 1) &* 0xD605_0CB4_5DB4_BD4F }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
