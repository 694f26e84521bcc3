public import ErrorCore
import Logging
import Synchronization

/// A responder that keeps the errors that it is asked about and answers as a test says.
public final class RecordingResponder: ErrorResponder {
    private struct State: Sendable {
        weak var parent: (any ErrorResponder)?
        var answers: [ErrorDisposition?]
        var errors: [any Error] = []
    }

    private let state: Mutex<State>

    /// A responder.
    ///
    /// - Parameters:
    ///   - answers: What it answers, one after another; nil, and everything after the last, passes the error on.
    ///   - parent: The responder that is asked next; held weakly.
    public init(answering answers: [ErrorDisposition?] = [], parent: (any ErrorResponder)? = nil) {
        state = Mutex(State(parent: parent, answers: answers))
    }

    /// The errors that it was asked about, in order.
    public var errors: [any Error] { state.withLock { $0.errors } }

    /// The responder that is asked next.
    public var parentResponder: (any ErrorResponder)? { state.withLock { $0.parent } }

    /// The next answer.
    public func response(to error: any Error, context: ErrorContext) async -> ErrorDisposition? {
        state.withLock { state in
            state.errors.append(error)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
    }
}

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

/// A reporter that keeps what it is given.
public actor RecordingReporter: ErrorReporter {
    /// The records, in order.
    public private(set) var records: [ErrorRecord] = []
    /// The errors themselves, in order.
    public private(set) var errors: [any Error] = []

    /// A reporter with nothing yet.
    public init() {}

    /// Keeps a record.
    public func report(_ record: ErrorRecord) {
        records.append(record)
    }

    /// Keeps a record and its error.
    public func report(_ record: ErrorRecord, of error: any Error) {
        errors.append(error)
        report(record)
    }
}
