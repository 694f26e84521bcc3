extension Duration {
    /// In seconds, for numbers that people read.
    package var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// In seconds, within what every clock and timer takes: not negative, and at most ``longestSeconds``.
    package var boundedSeconds: Double { min(max(0, seconds), Self.longestSeconds) }

    /// A number of seconds, which may be any, within the same bounds.
    package static func bounded(seconds: Double) -> Duration {
        seconds.isNaN ? .zero : .seconds(min(max(0, seconds), longestSeconds))
    }

    /// Within the same bounds.
    package var bounded: Duration { min(max(.zero, self), .seconds(Int64(Self.longestSeconds))) }

    /// 136 years: more than ssh's configuration can say, and few enough for a count of nanoseconds in 64 bits.
    package static let longestSeconds = Double(UInt32.max)
}
