internal import Synchronization

/// A queue for standard input, between the task that produces pieces and the task that sends them. Small pieces are
/// joined.
///
/// A piece that finds the queue empty is sent at once. Pieces that arrive while it is being sent wait, and are then sent
/// together. There is one producer and one sender.
final class InputQueue: Sendable {
    /// The greatest number of waiting bytes before the producer is suspended.
    static let capacity = 1 << 17
    /// Pieces up to this size are joined: a packet holds more, and copying them costs less than a packet each.
    static let joined = 1 << 14

    private struct State {
        var pieces: [InputPiece] = []
        var count = 0
        var hasEnded = false
        var isCancelled = false
        var sender: CheckedContinuation<Void, Never>?
        var maker: CheckedContinuation<Void, Never>?

        var isFull: Bool { count >= InputQueue.capacity && !isCancelled }
        var isOver: Bool { hasEnded || isCancelled }
    }
    private let state = Mutex(State())

    /// Adds a piece, and returns once there is space for more.
    ///
    /// - Returns: false if no more input is wanted.
    func append(_ piece: InputPiece) async -> Bool {
        let isFull = state.withLock { state in
            state.count += piece.count
            if piece.count <= Self.joined, let last = state.pieces.indices.last, state.pieces[last].count <= Self.joined {
                state.pieces[last].append(piece)
            } else if !piece.isEmpty {
                state.pieces.append(piece)
            }
            return state.isFull
        }
        wake { $0.count > 0 ? $0.sender.take() : nil }
        if isFull { await waitForSpace() }
        return !state.withLock { $0.isCancelled }
    }

    private func waitForSpace() async {
        await withTaskCancellationHandler {
            while state.withLock({ $0.isFull }) {
                await withCheckedContinuation { continuation in
                    wake { state in
                        guard state.isFull else { return continuation }
                        state.maker = continuation
                        return nil
                    }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Marks the end of the input.
    func end() {
        wake { state in
            state.hasEnded = true
            return state.sender.take()
        }
    }

    /// Called when the producer or the sender has stopped.
    func cancel() {
        for _ in 0..<2 {
            wake { state in
                state.isCancelled = true
                return state.sender.take() ?? state.maker.take()
            }
        }
    }

    /// All waiting pieces; nil at the end.
    func next(on session: isolated Session) async -> [InputPiece]? {
        while true {
            let (pieces, isOver) = state.withLock { state in
                defer { (state.pieces, state.count) = ([], 0) }
                return (state.pieces, state.isOver)
            }
            if !pieces.isEmpty {
                wake { $0.maker.take() }
                return pieces
            }
            if isOver { return nil }
            await waitForPieces(on: session)
        }
    }

    private func waitForPieces(on session: isolated Session) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wake { state in
                    guard state.pieces.isEmpty, !state.isOver else { return continuation }
                    state.sender = continuation
                    return nil
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Changes the state, then resumes the affected task outside the lock.
    private func wake(_ change: (inout sending State) -> CheckedContinuation<Void, Never>?) {
        state.withLock { change(&$0) }?.resume()
    }
}
