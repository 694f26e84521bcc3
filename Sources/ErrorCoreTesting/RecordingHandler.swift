public import ErrorCore
import Logging

/// A real ``ErrorHandler`` that logs nowhere and keeps what it handled.
public struct RecordingHandler: Sendable {
    /// The handler to inject.
    public let handler: ErrorHandler
    private let reporter = RecordingReporter()

    /// A handler with nothing yet.
    public init() {
        handler = ErrorHandler(
            logger: Logger(label: "recording") { _ in SwiftLogNoOpLogHandler() }, reporters: [reporter],
            clock: ManualClock(skipping: true))
    }

    /// The records of what it handled, in order.
    public var records: [ErrorRecord] {
        get async { await reporter.records }
    }

    /// The errors that it handled, in order.
    public var errors: [any Error] {
        get async { await reporter.errors }
    }

    /// The codes of what it handled, in order.
    public var codes: [String] {
        get async { await reporter.records.map(\.code) }
    }
}
