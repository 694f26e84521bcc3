/// Takes records of errors out of the process: to a crash report, an analytics service, a file.
public protocol ErrorReporter: Sendable {
    /// Takes a record. It does not throw: an error about an error helps nobody. It is awaited, so a slow service is queued.
    func report(_ record: ErrorRecord) async
}
