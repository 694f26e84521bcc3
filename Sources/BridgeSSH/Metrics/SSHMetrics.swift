internal import CoreMetrics

#if Tracing
    internal import Tracing
#endif

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

/// Spans, through swift-distributed-tracing, for packages that enable the trait `Tracing`.
///
/// | Span | Attributes |
/// |---|---|
/// | `ssh.connect` | `server.address`, `server.port`; `error.type` of a failure |
/// | `ssh.resolve`, `ssh.tcp_connect`, `ssh.banner`, `ssh.key_exchange`, `ssh.authentication` | none; children of `ssh.connect`, for all hops together |
/// | `ssh.command` | `server.address`, `server.port`; `process.exit.code` of a command that ended; `error.type` of a failure |
/// | `ssh.sftp` | `server.address`, `server.port`; `error.type` of a failure. It covers everything that a closure does with an SFTP client |
/// | `ssh.stream` | `server.address`, `server.port`; `network.peer.address`, `network.peer.port`: the stream's target; `error.type` of a failure |
///
/// `error.type` is the failure's code. No span contains commands, users, paths or output.
enum SSHSpans {
    /// Connects inside a span.
    static func connect<Value>(
        to endpoint: SSHEndpoint, _ timeline: Timeline, _ body: () async throws -> Value
    ) async throws -> Value {
        #if Tracing
            try await withSpan("ssh.connect", ofKind: .client) { span in
                span.name(endpoint)
                let start = DefaultTracerClock.now.nanosecondsSinceEpoch
                defer { addStages(timeline.timings, since: start) }
                do {
                    return try await body()
                } catch {
                    span.setStatus(SpanStatus(code: .error))
                    span.attributes["error.type"] = SSHMetrics.outcome(of: error)
                    throw error
                }
            }
        #else
            try await body()
        #endif
    }

    #if Tracing
        /// Adds the stages one after another. The start of each follows from the durations of the earlier ones.
        private static func addStages(_ timings: SSHStageTimings, since start: UInt64) {
            var at = start
            let stages = [
                ("ssh.resolve", timings.seconds.resolve), ("ssh.tcp_connect", timings.seconds.connect),
                ("ssh.banner", timings.seconds.banner),
                ("ssh.key_exchange", timings.seconds.keyExchange), ("ssh.authentication", timings.seconds.authentication),
            ]
            for (name, seconds) in stages where seconds > 0 {
                let end = at + UInt64(SSHMetrics.nanoseconds(seconds))
                startSpan(name, at: Instant(at), ofKind: .internal).end(at: Instant(end))
                at = end
            }
        }

        private struct Instant: TracerInstant {
            let nanosecondsSinceEpoch: UInt64

            init(_ nanoseconds: UInt64) { nanosecondsSinceEpoch = nanoseconds }

            static func < (one: Self, other: Self) -> Bool { one.nanosecondsSinceEpoch < other.nanosecondsSinceEpoch }
        }
    #endif
}

/// The span for the use of one channel: a command, an SFTP client, or a stream.
struct ChannelSpan {
    #if Tracing
        private let span: any Span
    #endif

    /// Starts the span, before the channel is requested.
    init(_ name: String, on endpoint: @autoclosure () -> SSHEndpoint) {
        #if Tracing
            span = startSpan(name, ofKind: .client)
            span.name(endpoint())
        #endif
    }

    /// Records the target of a stream.
    func leads(to target: SSHEndpoint) {
        #if Tracing
            span.attributes["network.peer.address"] = target.host
            span.attributes["network.peer.port"] = target.port
        #endif
    }

    /// Ends the span: the channel is no longer used.
    func ended() {
        #if Tracing
            span.end()
        #endif
    }

    /// Ends the span: a command has ended on its own.
    func ended(_ termination: SSHTermination) {
        #if Tracing
            if case .exited(let status) = termination { span.attributes["process.exit.code"] = status }
            if !termination.isSuccess { span.setStatus(SpanStatus(code: .error)) }
            span.end()
        #endif
    }

    /// Ends the span: the use of the channel did not start, or failed.
    func failed(_ error: any Error) {
        #if Tracing
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error))
            span.attributes["error.type"] = SSHMetrics.outcome(of: error)
            span.end()
        #endif
    }
}

#if Tracing
    extension Span {
        fileprivate func name(_ endpoint: SSHEndpoint) {
            attributes["server.address"] = endpoint.host
            attributes["server.port"] = endpoint.port
        }
    }
#endif
