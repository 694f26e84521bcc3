internal import Synchronization

/// Reading the output streams.
extension SSHExecution {
    func next(_ stream: SSHEvidence.OutputStream) async throws -> SSHOutputChunk? {
        try await checkLent()
        switch readings.withLock({ $0[stream].begin() }) {
        case .chunk(let rest): return rest
        case .refused(let refusal): throw await failure(Self.fault(of: refusal, stream))
        case .receive: break
        }
        do {
            let chunk = try await receive(stream)
            readings.withLock { $0[stream].received(isAtEnd: chunk == nil) }
            return chunk
        } catch {
            readings.withLock { $0[stream].received(isAtEnd: false) }
            throw error
        }
    }

    /// - Parameter limit: the most bytes that the line may have.
    func nextLine(_ stream: SSHEvidence.OutputStream, limit: Int) async throws -> String? {
        try await checkLent()
        var buffer: LineBuffer
        switch readings.withLock({ $0[stream].beginLine(limit: limit) }) {
        case .line(let line): return line
        case .end: return nil
        case .tooLong: throw await failure(Self.tooLong(stream, limit))
        case .refused(let refusal): throw await failure(Self.fault(of: refusal, stream))
        case .receive(let pending): buffer = pending
        }
        var isAtEnd = false
        defer { readings.withLock { [buffer, isAtEnd] in $0[stream].received(buffer, isAtEnd: isAtEnd) } }
        while true {
            let chunk = try await receive(stream)
            if let chunk { buffer.append(chunk) } else { isAtEnd = true }
            switch buffer.take(limit: limit, isAtEnd: isAtEnd) {
            case .line(let line): return line
            case .tooLong: throw await failure(Self.tooLong(stream, limit))
            case .incomplete: if isAtEnd { return nil }
            }
        }
    }

    /// - Throws: `ssh.local.closed` once the closure that it was lent to has returned.
    private func checkLent() async throws {
        guard isOver else { return }
        let problem = "the output of a command was read after the closure that it was lent to had returned"
        throw await recorder.error(Fault(.closed(problem: problem), stage: .local))
    }

    private func receive(_ stream: SSHEvidence.OutputStream) async throws -> SSHOutputChunk? {
        do {
            return try await session.read(channel, stream: stream == .standardOutput ? 0 : 1)
        } catch {
            if Task.isCancelled, case .cancelled = error.event { throw CancellationError() }
            // An interruption closes the channel under its readers: for them that is the end.
            if isInterrupted { return nil }
            throw await failure(error)
        }
    }

    private static func tooLong(_ stream: SSHEvidence.OutputStream, _ limit: Int) -> Fault {
        Fault(.lineTooLong(stream: stream, limit: limit), stage: .command)
    }

    private static func fault(of refusal: StreamReading.Refusal, _ stream: SSHEvidence.OutputStream) -> Fault {
        let field = stream == .standardOutput ? "standard output" : "standard error"
        let problem =
            switch refusal {
            case .notCollected: "only its tail is kept; to read it, call execute with standardError: .stream"
            case .isBeingRead: "another task is reading it; a stream has one reader at a time"
            }
        return Fault(.usage(field: field, problem: problem), stage: .local)
    }
}

extension SSHExecution {
    /// Sends all that a source has, as fast as the command reads it, then the end of input.
    func feed(_ source: @escaping SSHStandardInput.Source) async {
        do {
            guard try await send(source) else { return }
            try await session.sendEOF(channel)
        } catch let failure as SourceFailure {
            // The end of the run cancels this task, and with it the source.
            if !Task.isCancelled { await interrupt(.inputFailed(failure.error)) }
        } catch {
            // The reader of the output reports the session's end.
        }
    }

    private struct SourceFailure: Error {
        let error: any Error
    }

    /// While one piece is being sent the next are requested, and are sent together.
    ///
    /// - Returns: false when the command does not read any more.
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
            // Whatever the source does when it is cancelled, its bytes are no longer wanted.
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

/// A value that is handed out once.
final class OneShot<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
