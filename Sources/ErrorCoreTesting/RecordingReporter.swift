public import ErrorCore

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
