internal import Synchronization

/// Pieces of standard input between the task that makes them and the one that sends them, so that small ones are sent together.
///
/// A piece that finds the queue empty is sent at once; pieces that arrive while it is being sent wait and are sent together.
/// One maker, one sender.
final class InputQueue: Sendable {
    /// How many bytes may wait, in pieces of any size, before the maker is suspended.
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

    /// Adds a piece; returns once there is room for more.
    ///
    /// - Returns: false when no more is wanted.
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
        if isFull { await waitForRoom() }
        return !state.withLock { $0.isCancelled }
    }

    private func waitForRoom() async {
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

    /// No more pieces will come.
    func end() {
        wake { state in
            state.hasEnded = true
            return state.sender.take()
        }
    }

    /// The maker or the sender has stopped.
    func cancel() {
        for _ in 0..<2 {
            wake { state in
                state.isCancelled = true
                return state.sender.take() ?? state.maker.take()
            }
        }
    }

    /// Everything that waits; nil at the end.
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

    /// Changes the state, and resumes the affected task once the lock is free.
    private func wake(_ change: (inout sending State) -> CheckedContinuation<Void, Never>?) {
        state.withLock { change(&$0) }?.resume()
    }
}
