public import ErrorCore

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
