/// Takes errors out of the process: to a crash report, an analytics service, a file.
///
/// A reporter does not throw: an error about an error helps no one. It is awaited, so a slow service should queue.
public protocol ErrorReporter: Sendable {
    /// Takes the record of an error: text only, bounded and redacted.
    func report(_ record: ErrorRecord) async
    /// Takes the record together with the error, for a crash reporter that wants the `Error` itself. The error is not redacted.
    ///
    /// Default: ``report(_:)``.
    func report(_ record: ErrorRecord, of error: any Error) async
}

extension ErrorReporter {
    /// Takes the record alone.
    public func report(_ record: ErrorRecord, of error: any Error) async {
        await report(record)
    }
}
