import NIOCore

/// Performs actions in the order in which they came, each after the same delay.
///
/// Lives on one event loop.
final class DelayLine {
    private let delay: TimeAmount
    private var waiting: [(due: NIODeadline, action: () -> Void)] = []
    private var next = 0

    init(_ delay: TimeAmount) { self.delay = delay }

    func add(on loop: any EventLoop, _ action: @escaping () -> Void) {
        guard delay > .zero else { return action() }
        waiting.append((.now() + delay, action))
        if waiting.count - next == 1 { schedule(on: loop) }
    }

    private func schedule(on loop: any EventLoop) {
        loop.assumeIsolated().scheduleTask(deadline: waiting[next].due) { self.fire(on: loop) }
    }

    private func fire(on loop: any EventLoop) {
        let now = NIODeadline.now()
        while next < waiting.count, waiting[next].due <= now {
            let action = waiting[next].action
            waiting[next].action = {}
            next += 1
            action()
        }
        // What has been done is dropped in one go now and then, not from the front each time.
        if next == waiting.count || next > 1024 {
            waiting.removeFirst(next)
            next = 0
        }
        if next < waiting.count { schedule(on: loop) }
    }
}
