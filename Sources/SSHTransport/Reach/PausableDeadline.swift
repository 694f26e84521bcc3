internal import NIOConcurrencyHelpers
package import NIOCore
internal import NIOPosix

/// A deadline on an event loop that does not count the time while it is paused.
package final class PausableDeadline: Sendable {
    package let eventLoop: any EventLoop
    /// Runs the deadline's action on the event loop.
    package let executor: LoopExecutor
    /// The full duration.
    package let seconds: Double

    private struct State {
        var remaining: TimeAmount
        var startedAt: NIODeadline?
        var timer: Scheduled<Void>?
        var expire: (@Sendable () -> Void)?
        var pauses = 0
        var hasPassed = false
    }
    private let state: NIOLockedValueBox<State>

    package init(seconds: Double, on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()) {
        self.eventLoop = eventLoop
        executor = LoopExecutor.of(eventLoop)
        self.seconds = seconds
        state = NIOLockedValueBox(State(remaining: .seconds(seconds)))
    }

    /// Starts the time unless it runs, and sets the action for its end. If the time is already over, the action runs at once.
    package func start(_ expire: @escaping @Sendable () -> Void) {
        state.withLockedValue { state in
            state.expire = expire
            if state.hasPassed {
                eventLoop.execute(expire)
            } else if state.pauses == 0, state.timer == nil {
                schedule(&state)
            }
        }
    }

    package func pause() {
        state.withLockedValue { state in
            state.pauses += 1
            guard let startedAt = state.startedAt else { return }
            state.remaining = max(.zero, state.remaining - (NIODeadline.now() - startedAt))
            stop(&state)
        }
    }

    package func resume() {
        state.withLockedValue { state in
            state.pauses -= 1
            if state.pauses == 0, state.expire != nil, !state.hasPassed { schedule(&state) }
        }
    }

    /// Resets the deadline to its full duration; it runs again when it is started.
    package func renew() {
        state.withLockedValue { state in
            stop(&state)
            state.remaining = .seconds(seconds)
            state.hasPassed = false
        }
    }

    package func cancel() {
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
