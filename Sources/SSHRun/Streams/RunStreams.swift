package import BridgeSSH
internal import Synchronization

/// The targets of a command's two outputs: their readers, or memory.
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

    /// The streams for the next attempt. Output that was passed on stays; collected output is discarded.
    package func again(limit: Int) -> RunStreams {
        if case .collecting = self { return .collecting(limit: limit) }
        return self
    }

    /// Stops waiting for stalled readers of the output.
    package func abandon() {
        guard case .passing(let output, let error) = self else { return }
        output.abandon()
        error.abandon()
    }

    /// Whether a reader of the output stalled and was given up.
    package var isAbandoned: Bool {
        guard case .passing(let output, let error) = self else { return false }
        return output.isAbandoned || error.isAbandoned
    }

    /// How long the output may stay open and silent after the exit status, before a note is printed.
    private static let timeLimit = Duration.seconds(2)

    /// Passes on both streams to their end.
    ///
    /// - Parameters:
    ///   - clock: measures the waits for stalled readers and silent output.
    ///   - waiting: called once, if the command has ended but its output stays open.
    /// - Throws: `OutputFailure` or `UnwritableOutput` for standard output; errors of the streams.
    package func move(
        _ execution: SSHExecution, clock: any Clock<Duration>, waiting: (@Sendable (SSHTermination) -> Void)?
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { watchers in
            defer { watchers.cancelAll() }
            if case .passing(let output, let error) = self {
                // After the command was ended, a stalled reader must not block the run.
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
            try await moveBothStreams(execution, clock)
        }
    }

    private func moveBothStreams(_ execution: SSHExecution, _ clock: any Clock<Duration>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            switch self {
            case .passing(let output, let error):
                group.addTask {
                    do {
                        try await Self.pass(execution.standardOutput, to: output)
                    } catch OutputFailure.system(let number) {
                        throw await UnwritableOutput(systemError: number, of: execution, clock)
                    }
                }
                group.addTask {
                    do {
                        try await Self.pass(execution.standardError, to: error)
                    } catch is OutputFailure {
                        // Output without a reader is discarded; the command continues.
                        for try await _ in execution.standardError {}
                    }
                }
            case .collecting(let output, let error):
                group.addTask { try await output.collect(from: execution) }
                group.addTask { try await error.collect(from: execution) }
            }
            // Don't use waitForAll: it would wait for the other stream before it throws.
            for try await _ in group {}
        }
    }

    /// Passes on a piece of output that does not come from this process's own connection.
    ///
    /// - Returns: false if it exceeds the limit for collected output.
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
            // The verdict depends on what ended the command.
        }
    }

    private func reportIfOpen(
        _ execution: SSHExecution, _ clock: any Clock<Duration>, _ report: @Sendable (SSHTermination) -> Void
    ) async {
        guard let termination = await execution.exit() else { return }
        while !Task.isCancelled {
            guard (try? await clock.sleep(for: Self.timeLimit)) != nil else { return }
            if isSilent { return report(termination) }
        }
    }

    /// Whether nothing was written for a while, and no slow reader has output pending.
    private var isSilent: Bool {
        guard case .passing(let output, let error) = self else { return true }
        return [output, error].allSatisfy { $0.idleTime.map { $0 >= Self.timeLimit } ?? false }
    }
}

/// The destination of one output of a command. The caller provides it.
package protocol OutputSink: Sendable {
    /// Takes a whole piece, one at a time, and returns when it is ready for the next.
    ///
    /// - Throws: `OutputFailure`.
    func write(_ chunk: SSHOutputChunk) async throws

    /// Stops waiting for a stalled reader. Output that comes later is discarded.
    func abandon()

    /// Whether a stalled reader was given up. Later output must not be written then: the reader may still get earlier output.
    var isAbandoned: Bool { get }

    /// The time since the last piece was taken; nil while one is being taken.
    var idleTime: Duration? { get }
}

/// Why an output accepts no more data.
package enum OutputFailure: Error, Equatable {
    /// The reader closed it.
    case closed
    /// The system reported another errno.
    case system(Int32)
    /// The run ended while the reader was stalled.
    case abandoned
    /// Collected output exceeds its limit, and the caller has to end the command.
    case overLimit
}

/// Discards output that is not shown. The output must still be read, because unread output would block the channel.
package struct NoOutput: OutputSink {
    package init() {}
    package var isAbandoned: Bool { false }
    package var idleTime: Duration? { .zero }
    package func write(_ chunk: SSHOutputChunk) {}
    package func abandon() {}
}

/// The two outputs of a command as sinks, for output that is also collected.
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

    /// Sets the command to end when a sink exceeds its limit.
    func attach(to execution: SSHExecution) { for sink in collecting { sink.attach(to: execution) } }
}

/// Collects an output piece by piece, up to a limit. Exceeding the limit ends the command to which it belongs.
final class CollectingSink: OutputSink {
    private struct State {
        var execution: SSHExecution?
        var isAbandoned = false
    }

    private let collector: OutputCollector
    private let state = Mutex(State())

    init(_ collector: OutputCollector) { self.collector = collector }

    func attach(to execution: SSHExecution) { state.withLock { $0.execution = execution } }

    func write(_ chunk: SSHOutputChunk) async throws {
        guard !isAbandoned else { throw OutputFailure.abandoned }
        guard !collector.take(chunk) else { return }
        abandon()
        guard let execution = state.withLock({ $0.execution }) else { throw OutputFailure.overLimit }
        await collector.overflowed(execution)
        throw OutputFailure.abandoned
    }

    func abandon() { state.withLock { $0.isAbandoned = true } }
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }
    /// No reader has output pending.
    var idleTime: Duration? { .seconds(3600) }
}

/// Standard output of this process could not be written while a command ran. Says what happened to the command.
package struct UnwritableOutput: Error {
    private let systemError: Int32
    private let termination: SSHTermination?

    /// How long to wait for the exit status of a command whose output is lost.
    private static let timeLimit = Duration.seconds(1)

    /// Waits briefly for the command's end, and discards its output.
    init(systemError: Int32, of execution: SSHExecution, _ clock: any Clock<Duration>) async {
        self.systemError = systemError
        termination = await Self.end(of: execution, clock)
    }

    private static func end(of execution: SSHExecution, _ clock: any Clock<Duration>) async -> SSHTermination? {
        await withTaskGroup(of: SSHTermination?.self) { group in
            group.addTask {
                do { for try await _ in execution.standardOutput {} } catch { return nil }
                return await execution.exit()
            }
            group.addTask {
                try? await clock.sleep(for: timeLimit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    func verdict(on command: String, at endpoint: SSHEndpoint) -> SSHError {
        var evidence = SSHEvidence(local: .outputUnwritable(systemError: systemError), endpoint: endpoint)
        evidence.command = SSHCommandEvidence(command: command, ended: termination)
        if termination == nil { evidence.command?.teardown = .channelClosed }
        return SSHFailureClassifier.classify(evidence)
    }
}

extension SSHCommandEvidence {
    /// For a command that was started.
    ///
    /// - Parameter termination: nil if its end is unknown.
    package init(command: String, ended termination: SSHTermination?) {
        self.init(command: command)
        progress = .accepted
        switch termination {
        case .exited(let status): exitStatus = status
        case .signalled(let signal): exitSignal = signal
        case .unknown, nil: break
        }
    }
}
