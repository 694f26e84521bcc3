import BridgeSSH

/// Where the command's output goes: on to our own, or into memory.
enum RunStreams: Sendable {
    case passing(OutputWriter, OutputWriter)
    case collecting(Collector, Collector)

    static func passing() -> RunStreams { .passing(OutputWriter(borrowing: 1), OutputWriter(borrowing: 2)) }

    static func collecting(limit: Int) -> RunStreams {
        .collecting(Collector(.standardOutput, limit: limit), Collector(.standardError, limit: limit))
    }

    /// Standard output and standard error, as far as they were collected.
    var collected: ([UInt8], [UInt8]) {
        if case .collecting(let output, let error) = self { return (output.bytes, error.bytes) }
        return ([], [])
    }

    /// The streams of the next attempt: output that was passed on stays, collected output is discarded.
    func again(limit: Int) -> RunStreams {
        if case .collecting = self { return .collecting(limit: limit) }
        return self
    }

    /// Whether a reader of our output stalled until it was given up.
    var isAbandoned: Bool {
        guard case .passing(let output, let error) = self else { return false }
        return output.isAbandoned || error.isAbandoned
    }

    /// How long the output may stay open in silence after the exit status before a note is printed.
    private static let patience = Duration.seconds(2)

    /// Moves both streams to their end.
    ///
    /// - Parameter waiting: called once if the command has ended and its output stays open.
    /// - Throws: `OutputWriter.Failure` or `LostOutput` for standard output; what the streams throw.
    func move(_ execution: SSHExecution, waiting: (@Sendable (Termination) -> Void)?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { watchers in
            defer { watchers.cancelAll() }
            if case .passing(let output, let error) = self {
                // Once the command was ended, a stalled reader must not block us.
                watchers.addTask {
                    await execution.interrupted()
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                    output.abandon()
                    error.abandon()
                }
            }
            if let waiting {
                watchers.addTask { await tellIfOpen(execution, waiting) }
            }
            try await moveBoth(execution)
        }
    }

    private func moveBoth(_ execution: SSHExecution) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            switch self {
            case .passing(let output, let error):
                group.addTask {
                    do {
                        try await Self.pass(execution.standardOutput, to: output)
                    } catch OutputWriter.Failure.system(let number) {
                        throw await LostOutput(systemError: number, of: execution)
                    }
                }
                group.addTask {
                    do {
                        try await Self.pass(execution.standardError, to: error)
                    } catch is OutputWriter.Failure {
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

    private static func pass(_ stream: SSHOutput, to writer: OutputWriter) async throws {
        do {
            for try await chunk in stream { try await writer.write(chunk) }
        } catch OutputWriter.Failure.abandoned {
            // The verdict comes from what ended the command.
        }
    }

    private func tellIfOpen(_ execution: SSHExecution, _ tell: @Sendable (Termination) -> Void) async {
        guard let termination = await execution.exit() else { return }
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            if isSilent { return tell(termination) }
        }
    }

    /// Whether nothing has been written for a while, and nothing waits for a slow reader.
    private var isSilent: Bool {
        guard case .passing(let output, let error) = self else { return true }
        return [output, error].allSatisfy { writer in
            guard let since = writer.idleSince else { return false }
            return since.duration(to: .now) >= Self.patience
        }
    }
}
