internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// A deadline on an event loop that does not count the time for which it is paused.
final class PausableDeadline: Sendable {
    let eventLoop: any EventLoop
    /// Runs what the deadline is for where it is kept: on the event loop.
    let executor: LoopExecutor
    /// Its whole length.
    let seconds: Double

    private struct State {
        var remaining: TimeAmount
        var startedAt: NIODeadline?
        var timer: Scheduled<Void>?
        var expire: (@Sendable () -> Void)?
        var pauses = 0
        var hasPassed = false
    }
    private let state: NIOLockedValueBox<State>

    init(seconds: Double, on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()) {
        self.eventLoop = eventLoop
        executor = LoopExecutor.of(eventLoop)
        self.seconds = seconds
        state = NIOLockedValueBox(State(remaining: .seconds(seconds)))
    }

    /// Lets the time run, if it does not yet, and says what happens when it is over; at once, if it is over already.
    func start(_ expire: @escaping @Sendable () -> Void) {
        state.withLockedValue { state in
            state.expire = expire
            if state.hasPassed {
                eventLoop.execute(expire)
            } else if state.pauses == 0, state.timer == nil {
                schedule(&state)
            }
        }
    }

    func pause() {
        state.withLockedValue { state in
            state.pauses += 1
            guard let startedAt = state.startedAt else { return }
            state.remaining = max(.zero, state.remaining - (NIODeadline.now() - startedAt))
            stop(&state)
        }
    }

    func resume() {
        state.withLockedValue { state in
            state.pauses -= 1
            if state.pauses == 0, state.expire != nil, !state.hasPassed { schedule(&state) }
        }
    }

    /// Lets nothing happen any more.
    func cancel() {
        state.withLockedValue { state in
            state.expire = nil
            stop(&state)
        }
    }

    private func schedule(_ state: inout State) {
        state.startedAt = .now()
        state.timer = eventLoop.scheduleTask(in: state.remaining) { [self] in
            let expire = self.state.withLockedValue { state in
                state.hasPassed = true
                return state.expire
            }
            expire?()
        }
    }

    private func stop(_ state: inout State) {
        state.timer?.cancel()
        state.timer = nil
        state.startedAt = nil
    }
}
