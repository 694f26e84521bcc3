import BridgeSSH
import Dispatch
import SSHRun
import Synchronization

/// Writes one output stream to an inherited descriptor, on a thread of its own: a reader that stalls blocks only this stream.
///
/// It never makes the descriptor non-blocking, because the process that passed it on shares it. It polls a descriptor that is
/// already non-blocking.
final class OutputWriter: OutputSink {
    typealias Failure = OutputFailure

    private struct State {
        var waiting: CheckedContinuation<Void, any Error>?
        var isAbandoned = false
        var lastMove = ContinuousClock.now
    }

    private let descriptor: Int32
    private let owner: OwnedDescriptor?
    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(descriptor: OwnedDescriptor) {
        self.descriptor = descriptor.number
        owner = descriptor
        queue = DispatchQueue(label: "output")
    }

    /// Leaves the descriptor open.
    init(borrowing descriptor: Int32) {
        self.descriptor = descriptor
        owner = nil
        queue = DispatchQueue(label: "output-\(descriptor)")
    }

    /// Whether ``abandon()`` was called. Later output would overtake the output that still waits for the stalled reader.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// How long ago the last piece was written; nil while one is being written.
    var idleTime: Duration? { state.withLock { $0.waiting == nil ? $0.lastMove.duration(to: .now) : nil } }

    /// Writes a whole piece. Only one call at a time.
    ///
    /// - Throws: `Failure`.
    func write(_ chunk: SSHOutputChunk) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let isAbandoned = state.withLock { state in
                if !state.isAbandoned { state.waiting = continuation }
                return state.isAbandoned
            }
            guard !isAbandoned else { return continuation.resume(throwing: Failure.abandoned) }
            queue.async { [self] in
                settle(chunk.withUnsafeBytes { Self.writeAll($0, to: descriptor) })
            }
        }
    }

    /// Resumes the task that waits for a stalled reader; its thread stays behind until the process ends.
    func abandon() {
        let waiting = state.withLock { state in
            state.isAbandoned = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(throwing: Failure.abandoned)
    }

    private func settle(_ failure: Failure?) {
        let waiting = state.withLock { state in
            state.lastMove = .now
            defer { state.waiting = nil }
            return state.waiting
        }
        if let failure { waiting?.resume(throwing: failure) } else { waiting?.resume() }
    }

    /// Blocks until all bytes are written; nil is success.
    ///
    /// - Parameter alarm: a descriptor that ends the wait for a reader when it becomes readable; only for a non-blocking
    ///   `descriptor`.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, unless alarm: Int32 = -1) -> Failure? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let written = writeBytes(descriptor, piece.baseAddress, piece.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                guard waitUntilReady(descriptor, Int32(POLLOUT), unless: alarm) else { return .abandoned }
            case EPIPE: return .closed
            case let number: return .system(number)
            }
        }
        return nil
    }
}
