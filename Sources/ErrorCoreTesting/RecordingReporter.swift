public import ErrorCore

/// A reporter that keeps what it is given.
public actor RecordingReporter: ErrorReporter {
    /// The records, in order.
    public private(set) var records: [ErrorRecord] = []

    /// A reporter with nothing yet.
    public init() {}

    /// Keeps a record.
    public func report(_ record: ErrorRecord) {
        records.append(record)
    }
}
