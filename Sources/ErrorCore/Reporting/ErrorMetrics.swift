public import CoreMetrics
import Synchronization

/// Counts errors and measures recoveries, by code, with swift-metrics.
///
/// The codes are bounded: after ``codeLimit`` different ones, further ones count as `other`.
public final class ErrorMetrics: Sendable {
    /// The greatest number of different codes in a metric's dimension.
    public static let codeLimit = 200

    private let prefix: String
    private let factory: (any MetricsFactory)?
    private let codes = Mutex<Set<String>>([])

    /// Metrics whose labels begin with a prefix.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of every label.
    ///   - factory: The metrics factory; nil for the factory that the app has bootstrapped.
    public init(prefix: String = "app", factory: (any MetricsFactory)? = nil) {
        self.prefix = prefix
        self.factory = factory
    }

    /// Counts an error: `<prefix>_errors_total` by code, category and severity.
    func count(_ record: ErrorRecord) {
        let dimensions = [
            ("code", bounded(record.code)), ("category", bounded(record.category)), ("severity", record.severity.rawValue),
        ]
        Counter(label: "\(prefix)_errors_total", dimensions: dimensions, factory: factory ?? MetricsSystem.factory).increment()
    }

    /// Records how long a recovery took: `<prefix>_error_recovery` by code, option and outcome.
    func recordRecovery(code: String, option: ErrorRecoveryOption.ID, succeeded: Bool, took duration: Duration) {
        let dimensions = [
            ("code", bounded(code)), ("option", bounded(option.rawValue)), ("outcome", succeeded ? "succeeded" : "failed"),
        ]
        CoreMetrics.Timer(label: "\(prefix)_error_recovery", dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
            .recordNanoseconds(Int64(min(max(0, duration.inSeconds), 1e9) * 1e9))
    }

    private func bounded(_ code: String) -> String {
        codes.withLock { codes in
            if codes.contains(code) { return code }
            guard codes.count < Self.codeLimit else { return "other" }
            codes.insert(code)
            return code
        }
    }
}

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
