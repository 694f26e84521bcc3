/// Decides what a helper does next: pure, without clock, sockets or tasks. Times are seconds on any one clock.
struct KeeperState: Equatable {
    enum Phase: Equatable {
        /// It connects; runs wait.
        case opening
        /// Runs are accepted.
        case ready
        /// No more runs are accepted; running commands may end.
        case leaving
    }

    enum Action: Equatable {
        /// Admits the runs that wait.
        case admit
        /// Gives up the socket and the lock, so that another helper may take its place, and dismisses waiting runs.
        case withdraw
        /// Starts keepalives, or stops them.
        case watchServer(Bool)
        /// Wakes us with ``KeeperState/timerFired(at:)`` at that time; replaces an earlier one.
        case wake(at: Double)
        /// Closes the connection and ends the process.
        case exit
    }

    private(set) var phase = Phase.opening
    /// Commands so far, those included that run.
    private(set) var runs = 0
    private(set) var running = 0
    /// Seconds to stay without a command.
    private(set) var keepFor: Double
    private(set) var startedAt: Double
    private(set) var idleSince: Double
    private var hasExited = false
    /// A server may allow more than we can keep threads for.
    static let mostAtOnce = 64

    init(keepFor: Double, at now: Double) {
        self.keepFor = keepFor
        startedAt = now
        idleSince = now
    }

    /// The connection is established.
    mutating func opened(at now: Double) -> [Action] {
        guard phase == .opening else { return [] }
        phase = .ready
        idleSince = now
        return [.admit] + becameIdle()
    }

    /// A run requests its command.
    ///
    /// - Returns: nil if it has to go elsewhere.
    mutating func begin(keepFor: Double) -> [Action]? {
        guard phase == .ready, running < Self.mostAtOnce else { return nil }
        self.keepFor = keepFor
        running += 1
        runs += 1
        return running == 1 ? [.watchServer(false)] : []
    }

    /// The end of a command has been reported to its run.
    mutating func ended(at now: Double) -> [Action] {
        running -= 1
        guard running == 0 else { return [] }
        idleSince = now
        return phase == .leaving ? exit() : becameIdle()
    }

    /// Connecting failed. ``leave()`` follows once the run that wanted the connection knows.
    mutating func failedToOpen() -> [Action] {
        guard phase == .opening else { return [] }
        phase = .leaving
        return [.withdraw]
    }

    /// The connection has ended, or the helper was asked to stop.
    mutating func leave() -> [Action] {
        let withdrawal: [Action] = phase == .leaving ? [] : [.withdraw]
        phase = .leaving
        return withdrawal + (running == 0 ? exit() : [])
    }

    mutating func timerFired(at now: Double) -> [Action] {
        guard phase == .ready, running == 0 else { return [] }
        return now >= idleSince + keepFor ? leave() : [.wake(at: idleSince + keepFor)]
    }

    private func becameIdle() -> [Action] { [.watchServer(true), .wake(at: idleSince + keepFor)] }

    private mutating func exit() -> [Action] {
        defer { hasExited = true }
        return hasExited ? [] : [.exit]
    }
}
