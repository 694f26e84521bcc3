internal import BridgeSSH
internal import Synchronization

/// The two outputs of a command as sinks, where they are collected too.
struct StreamSinks {
    let output: any OutputSink
    let error: any OutputSink
    private let collecting: [CollectingSink]

    init(_ streams: RunStreams) {
        switch streams {
        case .passing(let output, let error): (self.output, self.error, collecting) = (output, error, [])
        case .collecting(let output, let error):
            let sinks = [CollectingSink(output), CollectingSink(error)]
            (self.output, self.error, collecting) = (sinks[0], sinks[1], sinks)
        }
    }

    /// The command that is ended where one of them passes its limit.
    func belong(to execution: SSHExecution) { for sink in collecting { sink.belong(to: execution) } }
}

/// Collects an output piece by piece, up to a limit that ends the command.
final class CollectingSink: OutputSink {
    private struct State {
        var execution: SSHExecution?
        var isAbandoned = false
    }

    private let collector: OutputCollector
    private let state = Mutex(State())

    init(_ collector: OutputCollector) { self.collector = collector }

    func belong(to execution: SSHExecution) { state.withLock { $0.execution = execution } }

    func write(_ chunk: SSHOutputChunk) async throws {
        guard !isAbandoned else { throw OutputFailure.abandoned }
        guard !collector.take(chunk) else { return }
        abandon()
        if let execution = state.withLock({ $0.execution }) { await collector.overflowed(execution) }
        throw OutputFailure.abandoned
    }

    func abandon() { state.withLock { $0.isAbandoned = true } }
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }
    /// Nothing of it waits for a reader.
    var idleTime: Duration? { .seconds(3600) }
}
