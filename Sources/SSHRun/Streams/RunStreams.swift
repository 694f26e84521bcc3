package import BridgeSSH
internal import Synchronization

/// Where a command's two outputs go: on to their readers, or into memory.
package enum RunStreams: Sendable {
    case passing(any OutputSink, any OutputSink)
    case collecting(OutputCollector, OutputCollector)

    package static func collecting(limit: Int) -> RunStreams {
        .collecting(OutputCollector(.standardOutput, limit: limit), OutputCollector(.standardError, limit: limit))
    }

    /// Standard output and standard error, as far as they were collected.
    package var collected: ([UInt8], [UInt8]) {
        if case .collecting(let output, let error) = self { return (output.bytes, error.bytes) }
        return ([], [])
    }

    /// The streams of the next attempt: output that was passed on stays, collected output is discarded.
    package func again(limit: Int) -> RunStreams {
        if case .collecting = self { return .collecting(limit: limit) }
        return self
    }

    /// Whether a reader of the output stalled until it was given up.
    package var isAbandoned: Bool {
        guard case .passing(let output, let error) = self else { return false }
        return output.isAbandoned || error.isAbandoned
    }

    /// How long the output may stay open in silence after the exit status before a note is printed.
    private static let patience = Duration.seconds(2)

    /// Moves both streams to their end.
    ///
    /// - Parameters:
    ///   - clock: what waiting for stalled readers and silent output is measured by.
    ///   - waiting: called once if the command has ended and its output stays open.
    /// - Throws: `OutputFailure` or `LostOutput` for standard output; what the streams throw.
    package func move(
        _ execution: SSHExecution, clock: any Clock<Duration>, waiting: (@Sendable (SSHTermination) -> Void)?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { watchers in
            defer { watchers.cancelAll() }
            if case .passing(let output, let error) = self {
                // Once the command was ended, a stalled reader must not block us.
                watchers.addTask {
                    await execution.interrupted()
                    guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
                    output.abandon()
                    error.abandon()
                }
            }
            if let waiting {
                watchers.addTask { await reportIfOpen(execution, clock, waiting) }
            }
            try await moveBoth(execution, clock)
        }
    }

    private func moveBoth(_ execution: SSHExecution, _ clock: any Clock<Duration>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            switch self {
            case .passing(let output, let error):
                group.addTask {
                    do {
                        try await Self.pass(execution.standardOutput, to: output)
                    } catch OutputFailure.system(let number) {
                        throw await LostOutput(systemError: number, of: execution, clock)
                    }
                }
                group.addTask {
                    do {
                        try await Self.pass(execution.standardError, to: error)
                    } catch is OutputFailure {
                        // Output without a reader is discarded; the command goes on.
                        for try await _ in execution.standardError {}
                    }
                }
            case .collecting(let output, let error):
                group.addTask { try await output.collect(from: execution) }
                group.addTask { try await error.collect(from: execution) }
            }
            // Not waitForAll, which would wait for the other stream before it throws.
            for try await _ in group {}
        }
    }

    /// Takes a piece of an output that does not come from a connection of ours.
    ///
    /// - Returns: false where it is more than is collected.
    /// - Throws: `OutputFailure`.
    package func take(_ chunk: SSHOutputChunk) async throws -> Bool {
        let isOutput = chunk.stream == .standardOutput
        switch self {
        case .passing(let output, let error):
            do { try await (isOutput ? output : error).write(chunk) } catch OutputFailure.abandoned {}
            return true
        case .collecting(let output, let error): return (isOutput ? output : error).take(chunk)
        }
    }

    private static func pass(_ stream: SSHOutput, to sink: some OutputSink) async throws {
        do {
            for try await chunk in stream { try await sink.write(chunk) }
        } catch OutputFailure.abandoned {
            // The verdict comes from what ended the command.
        }
    }

    private func reportIfOpen(
        _ execution: SSHExecution, _ clock: any Clock<Duration>, _ report: @Sendable (SSHTermination) -> Void
    ) async {
        guard let termination = await execution.exit() else { return }
        while !Task.isCancelled {
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            if isSilent { return report(termination) }
        }
    }

    /// Whether nothing has been written for a while, and nothing waits for a slow reader.
    private var isSilent: Bool {
        guard case .passing(let output, let error) = self else { return true }
        return [output, error].allSatisfy { $0.idleTime.map { $0 >= Self.patience } ?? false }
    }
}

/// Where one output of a command goes. Handed in.
package protocol OutputSink: Sendable {
    /// Takes all of a piece, one at a time; returns when the next may come.
    ///
    /// - Throws: `OutputFailure`.
    func write(_ chunk: SSHOutputChunk) async throws

    /// Ends the waiting for a reader that has stalled. Nothing more is taken.
    func abandon()

    /// Whether it was given up with a reader that had stalled: what came later would overtake what that one still has to get.
    var isAbandoned: Bool { get }

    /// How long ago the last piece was taken; nil while one is being taken.
    var idleTime: Duration? { get }
}

/// Why an output takes nothing more.
package enum OutputFailure: Error, Equatable {
    /// Nothing reads it any more.
    case closed
    /// The system refused, with another errno.
    case system(Int32)
    /// The run was given up while the reader stalled.
    case abandoned
}

/// Where an output goes that nothing shows: it is read, so that it cannot block the channel.
package struct NoOutput: OutputSink {
    package init() {}
    package var isAbandoned: Bool { false }
    package var idleTime: Duration? { .zero }
    package func write(_ chunk: SSHOutputChunk) {}
    package func abandon() {}
}

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
