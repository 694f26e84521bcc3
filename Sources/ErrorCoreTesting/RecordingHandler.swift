public import ErrorCore
import Logging

/// A real `ErrorHandler` that logs nothing and records what it handled.
public struct RecordingHandler: Sendable {
    /// The handler to inject.
    public let handler: ErrorHandler
    private let reporter = RecordingReporter()

    /// A handler without records.
    public init() {
        handler = ErrorHandler(
            logger: Logger(label: "recording") { _ in SwiftLogNoOpLogHandler() }, reporters: [reporter],
            clock: ManualClock(skipping: true))
    }

    /// The records of the handled errors, in order.
    public var records: [ErrorRecord] {
        get async { await reporter.records }
    }

    /// The handled errors, in order.
    public var errors: [any Error] {
        get async { await reporter.errors }
    }

    /// The codes of the handled errors, in order.
    public var codes: [String] {
        get async { await reporter.records.map(\.code) }
    }
}

/// A reporter that stores what it receives.
public actor RecordingReporter: ErrorReporter {
    /// The records, in order.
    public private(set) var records: [ErrorRecord] = []
    /// The errors, in order.
    public private(set) var errors: [any Error] = []

    /// A reporter without records.
    public init() {}

    /// Stores a record.
    public func report(_ record: ErrorRecord) {
        records.append(record)
    }

    /// Stores a record and its error.
    public func report(_ record: ErrorRecord, of error: any Error) {
        errors.append(error)
        report(record)
    }
}
