public import CoreMetrics
import Synchronization

/// Counts errors and measures recoveries by code, with swift-metrics.
///
/// The number of codes is bounded: after ``codeLimit`` different codes, others count as `other`.
public final class ErrorMetrics: Sendable {
    /// The greatest number of different codes in a metric.
    public static let codeLimit = 200

    private let prefix: String
    private let factory: (any MetricsFactory)?
    private let codes = Mutex<Set<String>>([])

    /// Metrics with this label prefix.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of every label.
    ///   - factory: The metrics factory; nil for the one that the app bootstrapped.
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

    /// Records the duration of a recovery: `<prefix>_error_recovery` by code, option and outcome.
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
