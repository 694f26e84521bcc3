internal import CoreMetrics

/// Counters and timers, through swift-metrics. Every label has few values: outcomes are `ok`, `failed` and failure codes. No
/// label contains a host or user.
///
/// | Metric | Kind | Labels |
/// |---|---|---|
/// | `bridge_ssh_connections_total` | counter | `outcome` |
/// | `bridge_ssh_connect_duration` | timer | |
/// | `bridge_ssh_commands_total` | counter | `outcome` |
/// | `bridge_ssh_command_duration` | timer | |
struct SSHMetrics: Sendable {
    private let factory: any MetricsFactory
    // Created once per connection, because every command uses them.
    private let succeeded: Counter
    private let commandDuration: CoreMetrics.Timer

    /// - Parameter factory: the metrics factory; nil for the one that the app bootstrapped.
    init(_ factory: (any MetricsFactory)?) {
        self.factory = factory ?? MetricsSystem.factory
        succeeded = Self.counter("commands", "ok", self.factory)
        commandDuration = CoreMetrics.Timer(label: "bridge_ssh_command_duration", dimensions: [], factory: self.factory)
    }

    private static func counter(_ name: String, _ outcome: String, _ factory: any MetricsFactory) -> Counter {
        Counter(label: "bridge_ssh_\(name)_total", dimensions: [("outcome", outcome)], factory: factory)
    }

    /// Records a connection that was made, or that failed.
    func connected(_ error: (any Error)?, seconds: Double) {
        Self.counter("connections", Self.outcome(of: error), factory).increment()
        if error == nil { record("bridge_ssh_connect_duration", seconds) }
    }

    /// Records a command that ended on its own.
    func ended(_ termination: SSHTermination, seconds: Double) {
        if termination.isSuccess { succeeded.increment() } else { Self.counter("commands", "failed", factory).increment() }
        commandDuration.recordNanoseconds(Self.nanoseconds(seconds))
    }

    /// Records a command that did not start, or did not end on its own.
    func failed(_ error: any Error) { Self.counter("commands", Self.outcome(of: error), factory).increment() }

    private func record(_ label: String, _ seconds: Double) {
        CoreMetrics.Timer(label: label, dimensions: [], factory: factory).recordNanoseconds(Self.nanoseconds(seconds))
    }

    static func nanoseconds(_ seconds: Double) -> Int64 { Int64(min(max(0, seconds), 1e9) * 1e9) }

    static func outcome(of error: (any Error)?) -> String {
        switch error {
        case nil: "ok"
        case let error as SSHError: error.code.rawValue
        case is CancellationError: SSHError.Code.localCancelled.rawValue
        default: "other"
        }
    }
}

/// The metrics of a pool, through swift-metrics.
///
/// | Metric | Kind |
/// |---|---|
/// | `bridge_ssh_pool_connections` | gauge |
/// | `bridge_ssh_pool_waiting` | gauge |
/// | `bridge_ssh_pool_wait_duration` | timer |
struct PoolMetrics: Sendable {
    private let connections: Gauge
    private let waiting: Gauge
    private let wait: CoreMetrics.Timer

    /// - Parameter factory: the metrics factory; nil for the one that the app bootstrapped.
    init(_ factory: (any MetricsFactory)?) {
        let factory = factory ?? MetricsSystem.factory
        connections = Gauge(label: "bridge_ssh_pool_connections", dimensions: [], factory: factory)
        waiting = Gauge(label: "bridge_ssh_pool_waiting", dimensions: [], factory: factory)
        wait = CoreMetrics.Timer(label: "bridge_ssh_pool_wait_duration", dimensions: [], factory: factory)
    }

    /// Records the present state of the pool.
    func record(connections: Int, waiting: Int) {
        self.connections.record(connections)
        self.waiting.record(waiting)
    }

    /// Records that a caller got its connection, or gave up.
    func waited(seconds: Double) { wait.recordNanoseconds(SSHMetrics.nanoseconds(seconds)) }
}
