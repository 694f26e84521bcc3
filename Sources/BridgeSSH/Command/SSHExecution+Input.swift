extension SSHExecution {
    /// Sends all of `input`, as fast as the command reads it, then the end of input.
    func feed(_ input: StandardInput) async {
        do {
            guard try await send(input) else { return }
            try await session.sendEOF(channel)
        } catch is Fault {
            // The reader of the output reports the session's end.
        } catch is CancellationError {
            // So is the end of the run.
        } catch {
            await interrupt(.inputFailed("\(error)"))
        }
    }

    /// While a piece is on its way the next are asked for, and go together.
    ///
    /// - Returns: false when the command does not read any more.
    private func send(_ input: StandardInput) async throws -> Bool {
        let queue = InputQueue()
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                defer { queue.end() }
                while let piece = try await input.next() {
                    guard await queue.append(piece) else { break }
                }
                return true
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
