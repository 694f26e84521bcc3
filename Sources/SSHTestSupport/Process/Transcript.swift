import Synchronization

/// Bytes that arrive over time, with a way to wait for a text.
///
/// For the output of a process or terminal, or the log of sshd. Waiting depends on the arrival of bytes, never on the clock.
public final class Transcript: Sendable {
    /// The bytes ended without the awaited text.
    public struct Ended: Error, CustomStringConvertible {
        /// The awaited text.
        public let awaited: String
        /// The bytes that came instead, as text.
        public let text: String

        /// The error of a wait for text that never came.
        public init(awaited: String, text: String) { (self.awaited, self.text) = (awaited, text) }

        /// The awaited text and the bytes, for a test's failure message.
        public var description: String { "\"\(awaited)\" never came; what came is:\n\(text)" }
    }

    private struct Waiter {
        let pattern: [UInt8]
        var searched: Int
        let continuation: CheckedContinuation<Int, any Error>
    }

    private struct State {
        var bytes: [UInt8] = []
        var total = 0
        var ended = false
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// An empty transcript that keeps the first `limit` bytes and counts the rest.
    public init(keeping limit: Int = .max) {
        self.limit = limit
    }

    /// The bytes kept so far.
    public var bytes: [UInt8] { state.withLock { $0.bytes } }
    /// The bytes kept so far as text, with replacement characters for invalid UTF-8.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The number of bytes so far, kept or not.
    public var byteCount: Int { state.withLock { $0.total } }

    /// Whether the bytes have ended.
    public var hasEnded: Bool { state.withLock { $0.ended } }

    package func append(_ new: some Collection<UInt8>) {
        let done = state.withLock { state -> [(CheckedContinuation<Int, any Error>, Int)] in
            state.total += new.count
            state.bytes.append(contentsOf: new.prefix(limit - state.bytes.count))
            return Self.matched(in: &state)
        }
        for (continuation, offset) in done { continuation.resume(returning: offset) }
    }

    package func finish() {
        let left = state.withLock { state -> [Waiter] in
            state.ended = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in left { waiter.continuation.resume(throwing: ended(waiter.pattern)) }
    }

    /// Waits until `text` has come after the byte at `offset`, and returns the offset after it.
    ///
    /// - Throws: ``Ended`` if the bytes end first, `CancellationError` if the task is cancelled.
    @discardableResult
    public func wait(for text: String, after offset: Int = 0) async throws -> Int {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(pattern: Array(text.utf8), searched: offset, continuation: continuation), as: id)
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private enum Answer { case found(Int), ended, later }

    private func add(_ waiter: Waiter, as id: UInt64) {
        // If the task was cancelled before this point, its cancellation handler has already run and found no waiter.
        if Task.isCancelled { return waiter.continuation.resume(throwing: CancellationError()) }
        let answer = state.withLock { state -> Answer in
            var waiter = waiter
            if let end = Self.search(&waiter, in: state.bytes) { return .found(end) }
            if state.ended { return .ended }
            state.waiters[id] = waiter
            return .later
        }
        switch answer {
        case .found(let end): waiter.continuation.resume(returning: end)
        case .ended: waiter.continuation.resume(throwing: ended(waiter.pattern))
        case .later:
            guard Task.isCancelled else { return }
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func ended(_ pattern: [UInt8]) -> Ended {
        Ended(awaited: String(decoding: pattern, as: UTF8.self), text: text)
    }

    private static func matched(in state: inout State) -> [(CheckedContinuation<Int, any Error>, Int)] {
        var done: [(CheckedContinuation<Int, any Error>, Int)] = []
        for (id, var waiter) in state.waiters {
            if let end = search(&waiter, in: state.bytes) {
                done.append((waiter.continuation, end))
                state.waiters[id] = nil
            } else {
                state.waiters[id] = waiter
            }
        }
        return done
    }

    private static func search(_ waiter: inout Waiter, in bytes: [UInt8]) -> Int? {
        let start = min(waiter.searched, bytes.count)
        if let range = bytes[start...].firstRange(of: waiter.pattern) { return range.upperBound }
        // The text may be split between this arrival and the next.
        waiter.searched = max(waiter.searched, bytes.count - waiter.pattern.count + 1)
        return nil
    }
}
