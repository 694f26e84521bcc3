internal import Synchronization

/// Reading the output streams.
extension SSHExecution: SharedOutputSource {
    package func withReadings<Result>(_ body: (inout StreamReadings) -> Result) -> Result { readings.withLock { body(&$0) } }

    /// - Throws: `ssh.local.closed` after the closure that borrowed the command has returned.
    package func checkLent() async throws {
        guard isOver else { return }
        let problem = "the output of a command was read after the closure that it was lent to had returned"
        throw await recorder.error(Fault(.closed(problem: problem), stage: .local))
    }

    package func receive(_ stream: SSHEvidence.OutputStream) async throws -> SSHOutputChunk? {
        do {
            return try await session.read(channel, stream: stream == .standardOutput ? 0 : 1)
        } catch {
            if Task.isCancelled, case .cancelled = error.event { throw CancellationError() }
            // An interruption closes the channel. Its readers see the end of the stream.
            if isInterrupted { return nil }
            throw await failure(error)
        }
    }
}

extension SSHExecution: InputTarget {
    package func send(_ piece: InputPiece) async throws(Fault) -> Bool { try await session.write(channel, [piece]) }
    package func endInput() async throws(Fault) { try await session.sendEOF(channel) }
}

extension SSHExecution {
    /// Sends all input from a source as fast as the command reads it, then the end of input.
    func feed(_ source: @escaping SSHStandardInput.Source) async {
        do {
            guard try await send(source) else { return }
            try await session.sendEOF(channel)
        } catch let failure as SourceFailure {
            // The end of the run cancels this task and the source; that is not an input failure.
            if !Task.isCancelled { await interrupt(.inputFailed(failure.error)) }
        } catch {
            // The reader of the output reports the end of the session.
        }
    }

    private struct SourceFailure: Error {
        let error: any Error
    }

    /// Requests the next pieces while one is being sent, so that they can be sent together.
    ///
    /// - Returns: false if the command reads no more input.
    private func send(_ source: @escaping SSHStandardInput.Source) async throws -> Bool {
        let queue = InputQueue()
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                defer { queue.end() }
                do {
                    while let piece = try await source() {
                        guard await queue.append(piece) else { break }
                    }
                    return true
                } catch {
                    throw SourceFailure(error: error)
                }
            }
            group.addTask(executorPreference: session.executor) { try await self.send(queue, on: self.session) }
            // The source's bytes are no longer wanted, whatever it does on cancellation.
            defer { group.cancelAll() }
            while let isWanted = try await group.next() {
                guard isWanted else { return false }
            }
            return true
        }
    }

    private func send(_ queue: InputQueue, on session: isolated Session) async throws -> Bool {
        while let pieces = await queue.next(on: session) {
            guard try await session.write(channel, pieces) else { return false }
        }
        return true
    }
}

/// A value that can be taken once.
package final class OneTimeValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    package init(_ value: Value?) { self.value = Mutex(value) }

    package func take() -> Value? { value.withLock { $0.take() } }
}
