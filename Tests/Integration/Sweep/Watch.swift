import Synchronization

/// Gives up work that hangs, even if it ignores cancellation.
enum Watch {
    struct Hangs: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the result of `work`, or throws ``Hangs`` after `limit` and abandons the work.
    static func within<Value: Sendable>(
        _ limit: Duration, _ what: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (results, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
        let worker = Task {
            do { continuation.yield(try await work()) } catch { continuation.finish(throwing: error) }
        }
        let guardian = Task {
            try await Task.sleep(for: limit)
            continuation.finish(throwing: Hangs(description: "\(what): still running after \(limit)"))
            worker.cancel()
        }
        defer { guardian.cancel() }
        for try await result in results { return result }
        throw CancellationError()
    }
}
