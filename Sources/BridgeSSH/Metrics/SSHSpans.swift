#if Tracing
    internal import Tracing
#endif

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
