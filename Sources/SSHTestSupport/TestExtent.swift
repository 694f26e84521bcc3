import Foundation

/// How much of an exhaustive test a test run tries.
public enum TestExtent: Sendable {
    /// A sample, spread evenly over all cases.
    case sample
    case all

    /// The extent from SSH_TEST_EXTENT of the environment: `all`, which `scripts/test --thorough` sets, otherwise a sample.
    public static let ofThisRun: TestExtent = ProcessInfo.processInfo.environment["SSH_TEST_EXTENT"] == "all" ? .all : .sample

    /// Chooses the value for this run: a step, a count, a selection.
    public static func choose<Value>(sample: Value, all: Value) -> Value { ofThisRun == .all ? all : sample }

    /// Chooses the cases for this run: all, or one of so many.
    ///
    /// - Parameter share: how many cases one of the sample stands for; at least 1.
    public static func cases<Value>(of all: [Value], oneOf share: Int) -> [Value] {
        stride(from: 0, to: all.count, by: choose(sample: share, all: 1)).map { all[$0] }
    }
}

/// The number of byte offsets of a session that a sweep tries.
public enum SweepExtent: Sendable, Hashable {
    /// Every offset.
    case everyByte
    /// The offsets around every boundary in the stream, and this many more, evenly spread.
    case sample(Int)

    /// The extent from SSH_SWEEP of the environment: `all` for every byte, otherwise a sample.
    public static let ofThisRun: SweepExtent =
        ProcessInfo.processInfo.environment["SSH_SWEEP"] == "all" ? .everyByte : .sample(40)

    /// The offsets of `range` to try, in order.
    ///
    /// - Parameter boundaries: places where something in the stream begins or ends; two bytes on both sides of each are tried.
    public func offsets(in range: ClosedRange<Int>, around boundaries: some Sequence<Int>) -> [Int] {
        switch self {
        case .everyByte: return Array(range)
        case .sample(let count):
            let near = boundaries.flatMap { ($0 - 2)...($0 + 2) }
            // An odd step reaches every position within a cipher's block.
            let step = max(1, range.count / count) | 1
            let spread = stride(from: range.lowerBound, through: range.upperBound, by: step)
            return Set(near + spread).filter(range.contains).sorted()
        }
    }
}
