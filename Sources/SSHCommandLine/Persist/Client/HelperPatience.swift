import Synchronization

/// How long a helper that was asked to end its command may take to report how that ended; one that hangs never does.
final class HelperPatience: Sendable {
    private enum State {
        case idle
        case waiting(Task<Void, Never>)
        case over
    }

    /// More than a command gets between its signal and the end of its channel.
    static let time = Duration.seconds(5)

    private let socket: FrameSocket
    private let state = Mutex(State.idle)

    init(_ socket: FrameSocket) {
        self.socket = socket
    }

    /// The request was sent. Hangs up when the time is over.
    func begin() {
        state.withLock { state in
            guard case .idle = state else { return }
            state = .waiting(
                Task { [socket] in
                    guard (try? await Task.sleep(for: Self.time)) != nil else { return }
                    socket.hangUp()
                })
        }
    }

    /// Its last frame has arrived.
    func end() {
        state.withLock { state in
            if case .waiting(let timer) = state { timer.cancel() }
            state = .over
        }
    }
}
