internal import CoreMetrics

/// What a pool measures with swift-metrics.
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

    /// - Parameter factory: where they go; nil for the one that the app has bootstrapped.
    init(_ factory: (any MetricsFactory)?) {
        let factory = factory ?? MetricsSystem.factory
        connections = Gauge(label: "bridge_ssh_pool_connections", dimensions: [], factory: factory)
        waiting = Gauge(label: "bridge_ssh_pool_waiting", dimensions: [], factory: factory)
        wait = CoreMetrics.Timer(label: "bridge_ssh_pool_wait_duration", dimensions: [], factory: factory)
    }

    /// What the pool has now.
    func record(connections: Int, waiting: Int) {
        self.connections.record(connections)
        self.waiting.record(waiting)
    }

    /// A caller got its connection, or gave up.
    func waited(seconds: Double) { wait.recordNanoseconds(SSHMetrics.nanoseconds(seconds)) }
}
