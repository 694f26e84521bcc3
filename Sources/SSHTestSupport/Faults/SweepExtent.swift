import Foundation

/// How many of a session's bytes a sweep tries.
public enum SweepExtent: Sendable, Hashable {
    /// Each of them.
    case everyByte
    /// Those around every boundary in the stream, and this many more, evenly spread.
    case sample(Int)

    /// SSH_SWEEP of the environment: `all` for every byte; a sample that keeps the sweep honest otherwise.
    public static let ofThisRun: SweepExtent =
        ProcessInfo.processInfo.environment["SSH_SWEEP"] == "all" ? .everyByte : .sample(40)

    /// The offsets to try, of `range`, in order.
    ///
    /// - Parameter boundaries: places where something in the stream begins or ends; two bytes on both sides of each are tried.
    public func offsets(in range: ClosedRange<Int>, around boundaries: some Sequence<Int>) -> [Int] {
        switch self {
        case .everyByte: return Array(range)
        case .sample(let count):
            let near = boundaries.flatMap { ($0 - 2)...($0 + 2) }
            // Odd, so that it falls on every place of a cipher's block.
            let step = max(1, range.count / count) | 1
            let spread = stride(from: range.lowerBound, through: range.upperBound, by: step)
            return Set(near + spread).filter(range.contains).sorted()
        }
    }
}
