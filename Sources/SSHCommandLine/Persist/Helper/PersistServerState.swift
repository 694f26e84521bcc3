/// What a helper does next: pure, without clock, sockets or tasks. Times are seconds on any one clock.
struct PersistServerState: Equatable {
    enum Phase: Equatable {
        /// It connects; runs wait.
        case opening
        /// Runs are taken.
        case ready
        /// No more runs are taken; those that run may end.
        case leaving
    }

    enum Action: Equatable {
        /// Lets in the runs that wait.
        case admit
        /// Gives up the socket and the lock, so that another helper may take the place, and sends waiting runs away.
        case withdraw
        /// Asks the silent server for signs of life, or no longer.
        case watchServer(Bool)
        /// Wakes us with ``PersistServerState/timerFired(at:)`` at that time; replaces an earlier one.
        case wake(at: Double)
        /// Closes the connection and ends the process.
        case exit
    }

    private(set) var phase = Phase.opening
    /// Commands so far, those included that run.
    private(set) var runs = 0
    private(set) var running = 0
    /// Of these, those that do not wait for a server that is gone.
    private var watching = 0
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

    /// The connection is there.
    mutating func opened(at now: Double) -> [Action] {
        guard phase == .opening else { return [] }
        phase = .ready
        idleSince = now
        return [.admit] + becameIdle()
    }

    /// A run asks for its command to be run.
    ///
    /// - Returns: nil if it has to go elsewhere.
    mutating func begin(keepFor: Double, watchesServer: Bool = false) -> [Action]? {
        guard phase == .ready, running < Self.mostAtOnce else { return nil }
        self.keepFor = keepFor
        let wasWatched = isWatched
        running += 1
        runs += 1
        watching += watchesServer ? 1 : 0
        return wasWatched == isWatched ? [] : [.watchServer(isWatched)]
    }

    /// The end of a command has been reported to its run.
    mutating func ended(at now: Double, watchesServer: Bool = false) -> [Action] {
        let wasWatched = isWatched
        running -= 1
        watching -= watchesServer ? 1 : 0
        guard running == 0 else { return wasWatched == isWatched ? [] : [.watchServer(isWatched)] }
        idleSince = now
        return phase == .leaving ? exit() : becameIdle()
    }

    /// The connection did not come about. ``leave()`` follows once the run that wanted it knows.
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

    /// Whether a silent server is to be asked whether it is there.
    var isWatched: Bool { running == 0 || watching > 0 }

    private func becameIdle() -> [Action] { [.watchServer(true), .wake(at: idleSince + keepFor)] }

    private mutating func exit() -> [Action] {
        defer { hasExited = true }
        return hasExited ? [] : [.exit]
    }
}
