import Foundation

/// How much a run of the tests tries of what is long only because it tries everything.
public enum TestExtent: Sendable {
    /// A part, spread evenly over the whole.
    case sample
    /// All of it.
    case all

    /// SSH_TEST_EXTENT of the environment: `all`, which `scripts/test --thorough` sets; a sample otherwise.
    public static let ofThisRun: TestExtent = ProcessInfo.processInfo.environment["SSH_TEST_EXTENT"] == "all" ? .all : .sample

    /// What is meant for this run: a step, a count, a selection.
    public static func choose<Value>(sample: Value, all: Value) -> Value { ofThisRun == .all ? all : sample }
}
