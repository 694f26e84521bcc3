package import NIOCore

/// Many deadlines on one timer of the event loop, for deadlines that rarely pass. Adding and removing one schedules nothing,
/// unless it comes before the timer fires. Confined to its event loop.
package final class SharedTimer {
    private let eventLoop: any EventLoop
    @exclusivity(unchecked) private var entries = OrderedTable<UInt64, (deadline: NIODeadline, expire: () -> Void)>()
    private var nextEntry: UInt64 = 0
    private var timer: Scheduled<Void>?
    private var firesAt = NIODeadline.distantFuture

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// - Returns: the token that cancels it.
    package func add(after delay: TimeAmount, _ expire: @escaping () -> Void) -> UInt64 {
        nextEntry += 1
        let deadline = eventLoop.now + delay
        entries.set(nextEntry, (deadline, expire))
        if deadline < firesAt { schedule(deadline) }
        return nextEntry
    }

    /// Cancels a deadline.
    package func remove(_ entry: UInt64) { entries.remove(entry) }

    func stop() {
        entries = .init()
        timer?.cancel()
        timer = nil
        firesAt = .distantFuture
    }

    private func schedule(_ deadline: NIODeadline) {
        timer?.cancel()
        firesAt = deadline
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleTask(deadline: deadline) { bound.value.fire() }
    }

    private func fire() {
        timer = nil
        firesAt = .distantFuture
        let now = eventLoop.now
        let passed = entries.entries.filter { $0.value.deadline <= now }.sorted { $0.value.deadline < $1.value.deadline }
        for (entry, _) in passed { remove(entry) }
        if let next = entries.entries.map(\.value.deadline).min() { schedule(next) }
        for (_, entry) in passed { entry.expire() }
    }
}
