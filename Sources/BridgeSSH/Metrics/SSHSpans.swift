#if Tracing
    internal import Tracing
#endif

/// Spans of swift-distributed-tracing, for packages that enable the trait `Tracing`.
///
/// | Span | Attributes |
/// |---|---|
/// | `ssh.connect` | `server.address`, `server.port`; `error.type` of a failure |
/// | `ssh.resolve`, `ssh.tcp_connect`, `ssh.banner`, `ssh.key_exchange`, `ssh.authentication` | none; children of `ssh.connect`, of all hops together |
/// | `ssh.command` | `server.address`, `server.port`; `process.exit.code` of a command that ended; `error.type` of a failure |
/// | `ssh.sftp` | `server.address`, `server.port`; `error.type` of a failure; all that a closure does with an SFTP client |
/// | `ssh.stream` | `server.address`, `server.port`; `network.peer.address`, `network.peer.port`, where the server connects to; `error.type` of a failure |
///
/// `error.type` is a failure's code. Commands, users, paths and output are in no span.
enum SSHSpans {
    /// Connects within a span.
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
        /// The stages, one after another: when each began follows from how long those before it took.
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

/// The span of what one channel is for: a command, an SFTP client, a stream.
struct ChannelSpan {
    #if Tracing
        private let span: any Span
    #endif

    /// It is about to be asked for.
    init(_ name: String, on endpoint: @autoclosure () -> SSHEndpoint) {
        #if Tracing
            span = startSpan(name, ofKind: .client)
            span.name(endpoint())
        #endif
    }

    /// A stream goes on to another place.
    func leads(to target: SSHEndpoint) {
        #if Tracing
            span.attributes["network.peer.address"] = target.host
            span.attributes["network.peer.port"] = target.port
        #endif
    }

    /// What it was for is done.
    func ended() {
        #if Tracing
            span.end()
        #endif
    }

    /// A command has ended by itself.
    func ended(_ termination: SSHTermination) {
        #if Tracing
            if case .exited(let status) = termination { span.attributes["process.exit.code"] = status }
            if !termination.isSuccess { span.setStatus(SpanStatus(code: .error)) }
            span.end()
        #endif
    }

    /// It did not come to its end, or not to its beginning.
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
