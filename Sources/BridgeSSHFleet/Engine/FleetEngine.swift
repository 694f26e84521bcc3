internal import DequeModule
internal import ErrorCore
internal import HeapModule
internal import HostSets
internal import SSHRun

/// Decides for a fleet run which hosts begin, which are retried, and when to stop. It is a pure state machine: timed events go
/// in, decisions come out; it performs nothing and has no clock.
///
/// An event takes constant time on average, or logarithmic time if a host has to wait. Only a stop visits every host.
package struct FleetEngine {
    private enum Phase: UInt8 {
        /// Never begun.
        case fresh
        /// Begun before, and waiting for a retry.
        case waiting
        case loggingIn
        case loggedIn
        /// The command may have run.
        case armed
        case ended

        var isRunning: Bool { self == .loggingIn || self == .loggedIn || self == .armed }
    }

    private struct HostState {
        var phase = Phase.fresh
        var attempts: Int32 = 0
        /// Attempts that failed for a cause on this machine; they do not count as retries.
        var localFailures: Int32 = 0
        /// Attempts that failed because the host does not accept logins yet; they do not count as retries.
        var waits: Int32 = 0
        /// When the first attempt began.
        var begunAt = Duration.zero
        /// The pause's count of successes at the first local failure.
        var successesBefore: UInt32 = 0
        var generation: UInt32 = 0
        var isProbe = false
        var lastOutcome = FleetHostOutcome.error
    }

    private let plan: EnginePlan
    private let batches: [Range<Int>]
    private var hosts: [HostState]
    private var parallelism: AdaptiveParallelism
    private var gate: LoginGate
    private var quarantines: [PasswordUse: PasswordQuarantine]
    private var pause: LocalPause
    private var budget: RetryBudget
    private var stopCounters: StopCounters
    private var generator: SplitMix64

    /// Hosts of the batch that were not considered yet, in order.
    private var fresh = 0..<0
    /// Hosts that may begin at once.
    private var ready = Deque<Int>()
    /// Hosts that wait until a time.
    private var timers = HostTimers()
    private var nextBatch = 0
    private var batchLeft = 0
    private var waitsBetween = false
    private var nextStart = Duration.zero
    private var probes = 0
    /// The number of steps towards the end that a person or signals have requested.
    package private(set) var interrupts = 0
    private var decisions: [EngineDecision] = []

    /// Hosts with an attempt in progress.
    package private(set) var running = 0
    /// Hosts that have failed and will be tried again.
    package private(set) var waiting = 0
    /// The number of hosts for each outcome.
    package private(set) var tally: [FleetHostOutcome: Int] = [:]
    /// Hosts that have their outcome.
    package private(set) var endedCount = 0
    /// Whether no further host is begun.
    package private(set) var isStopped = false

    package init(_ plan: EnginePlan) {
        self.plan = plan
        batches = BatchPlan(plan.batches, hosts: plan.hosts).ranges
        hosts = Array(repeating: HostState(), count: plan.hosts)
        parallelism = AdaptiveParallelism(fixed: plan.parallel, ceiling: plan.ceiling)
        gate = LoginGate(addresses: Int(plan.addresses.max() ?? -1) + 1, limit: plan.loginsPerAddress)
        quarantines = Dictionary(uniqueKeysWithValues: PasswordUse.allCases.map { ($0, PasswordQuarantine()) })
        pause = LocalPause(limit: plan.pauseLimit)
        budget = RetryBudget(hosts: plan.hosts)
        stopCounters = StopCounters(plan.stop)
        generator = SplitMix64(seed: plan.seed)
        for outcome in FleetHostOutcome.allCases { tally[outcome] = 0 }
    }

    /// Whether every host has its outcome.
    package var isCompleted: Bool { endedCount == plan.hosts }
    /// How many hosts may run at once now.
    package var parallel: Int { parallelism.limit }
    /// How many hosts run at once if there is no trouble.
    package var maximumAtOnce: Int { parallelism.expectedLimit }

    /// The time of the next tick that the engine needs; nil for none.
    package var nextWake: Duration? {
        guard !isStopped, !isCompleted else { return nil }
        var times = [timers.next].compactMap(\.self)
        if pause.isActive {
            times.append(pause.end)
            if probes == 0, hasCandidate { times.append(pause.nextProbe) }
        } else if plan.rate != nil, hasCandidate, running < parallel {
            times.append(nextStart)
        }
        return times.min()
    }

    /// Handles an event.
    ///
    /// - Parameter now: the time since the start of the run; it never decreases.
    package mutating func handle(_ event: EngineEvent, at now: Duration) -> [EngineDecision] {
        switch event {
        case .begin:
            if plan.hosts == 0 { decisions.append(.completed) } else { beginBatch(now) }
        case .tick: break
        case .loggedIn(let host): loggedIn(host, now)
        case .armed(let host): if hosts[host].phase == .loggedIn { hosts[host].phase = .armed }
        case .passwordWanted(let host, let use): wantsPassword(host, use)
        case .passwordAnswered(let host, let use, let accepted):
            tell(quarantines[use]?.answered(by: host, accepted: accepted), use)
        case .passwordUnused(let host, let use): tell(quarantines[use]?.unused(by: host), use)
        case .attemptEnded(let host, let end): attemptEnded(host, end, now)
        case .betweenEnded(let problem): betweenEnded(problem, now)
        case .parallel(let wanted): parallelism.set(wanted)
        case .interrupted(let reason): interrupted(reason)
        case .broken(let reason): stop(rule: nil, reason)
        }
        advance(now)
        defer { decisions = [] }
        return decisions
    }

    // MARK: Beginning

    private mutating func beginBatch(_ now: Duration) {
        let range = batches[nextBatch]
        nextBatch += 1
        batchLeft = range.count
        if batches.count > 1 { decisions.append(.batch(number: nextBatch, of: batches.count, hosts: range.count)) }
        guard plan.splay > .zero else {
            fresh = range
            return
        }
        for host in range { timers.add(host, due: now + plan.splay * Double.random(in: 0..<1, using: &generator)) }
    }

    private mutating func advance(_ now: Duration) {
        guard !isStopped else { return }
        while let host = timers.popDue(at: now) { ready.append(host) }
        if let reason = pause.reason, now >= pause.end {
            return stop(rule: nil, "\(reason), and it was not over within \(plan.pauseLimit.components.seconds) s")
        }
        while let host = nextToBegin(now) { start(host, now) }
    }

    private var hasCandidate: Bool { !fresh.isEmpty || !ready.isEmpty }

    private mutating func nextToBegin(_ now: Duration) -> Int? {
        guard running < parallel, !waitsBetween else { return nil }
        if pause.isActive, probes > 0 || now < pause.nextProbe { return nil }
        if plan.rate != nil, now < nextStart { return nil }
        while let host = candidate() {
            if plan.addresses.isEmpty || gate.enter(host, at: Int(plan.addresses[host])) { return host }
        }
        return nil
    }

    /// During a pause, hosts that have not failed yet come first: one that failed may be unreachable from this machine.
    private mutating func candidate() -> Int? {
        if pause.isActive, let host = fresh.popFirst() { return host }
        return ready.popFirst() ?? fresh.popFirst()
    }

    private mutating func start(_ host: Int, _ now: Duration) {
        running += 1
        if hosts[host].phase == .waiting { waiting -= 1 }
        hosts[host].phase = .loggingIn
        if hosts[host].attempts == 0 { hosts[host].begunAt = now }
        hosts[host].attempts += 1
        hosts[host].generation = parallelism.generation
        hosts[host].isProbe = pause.isActive
        if pause.isActive { probes += 1 }
        if let rate = plan.rate { nextStart = max(nextStart, now) + .seconds(1) / rate }
        decisions.append(.start(host: host, attempt: Int(hosts[host].attempts)))
    }

    // MARK: An attempt

    private mutating func loggedIn(_ host: Int, _ now: Duration) {
        guard hosts[host].phase == .loggingIn else { return }
        hosts[host].phase = .loggedIn
        leaveGate(host)
        parallelism.loggedIn()
        hostSucceeded(host, now)
    }

    private mutating func leaveGate(_ host: Int) {
        guard !plan.addresses.isEmpty, let next = gate.leave(Int(plan.addresses[host])) else { return }
        if hosts[next].phase != .ended { ready.append(next) }
    }

    /// A host was reached. During a pause only attempts that began after it count.
    private mutating func hostSucceeded(_ host: Int, _ now: Duration) {
        guard !pause.isActive || hosts[host].isProbe else { return }
        if let reason = pause.hostSucceeded(at: now), !isStopped { decisions.append(.resumed(reason: reason)) }
    }

    private mutating func attemptEnded(_ host: Int, _ end: AttemptEnd, _ now: Duration) {
        let phase = hosts[host].phase
        guard phase.isRunning else { return }
        running -= 1
        if phase == .loggingIn { leaveGate(host) }
        if hosts[host].isProbe { probes -= 1 }
        for use in PasswordUse.allCases { tell(quarantines[use]?.left(by: host), use) }
        parallelism.ended(end.sharedProblem, begun: hosts[host].generation)
        hosts[host].lastOutcome = end.outcome
        if let reason = end.localReason, end.outcome == .error {
            failedLocally(host, reason, end, now)
        } else {
            if phase == .loggingIn { hostSucceeded(host, now) }
            if !retry(host, end, now) { finish(host, end, now) }
        }
    }

    /// An attempt failed for a cause on this machine. The host is not to blame and will be retried.
    private mutating func failedLocally(_ host: Int, _ reason: String, _ end: AttemptEnd, _ now: Duration) {
        let isOwn = hosts[host].localFailures > 0 && pause.isHostFault(since: hosts[host].successesBefore, at: now)
        if isStopped || isOwn && !pause.isActive { return finish(host, end, now) }
        if case .unresolved = end.sharedProblem, !pause.isActive, pause.isHostNameFault(isLastHost: fresh.isEmpty, at: now) {
            if hosts[host].localFailures > 0 { return finish(host, end, now) }
        } else if pause.failed(reason, left: plan.hosts - endedCount, at: now) {
            decisions.append(.paused(reason: reason))
        }
        if hosts[host].localFailures == 0 { hosts[host].successesBefore = pause.successes }
        hosts[host].localFailures += 1
        wait(host, until: now + LocalPause.retryDelay)
    }

    /// - Returns: whether the host will be retried.
    private mutating func retry(_ host: Int, _ end: AttemptEnd, _ now: Duration) -> Bool {
        let attempt = Int(hosts[host].attempts - hosts[host].localFailures)
        if let delay = waitingDelay(host, end, now) {
            hosts[host].waits += 1
            wait(host, until: now + delay)
            decisions.append(.retry(host: host, after: delay))
            return true
        }
        guard !isStopped, end.outcome == .error || end.outcome == .unknown && plan.retry.isIdempotent, end.retry.allowsRetry,
            attempt - Int(hosts[host].waits) < plan.retry.maxAttempts, budget.take()
        else { return false }
        let delay = plan.retry.delay(afterAttempt: attempt, advice: end.retry, using: &generator)
        wait(host, until: now + delay)
        decisions.append(.retry(host: host, after: delay))
        return true
    }

    /// The delay before the next attempt on a host that accepts no logins yet; nil if the wait is over or the run does not wait.
    private func waitingDelay(_ host: Int, _ end: AttemptEnd, _ now: Duration) -> Duration? {
        guard !isStopped, let wait = plan.wait, end.outcome == .error, wait.passes(end.reason) else { return nil }
        let delay = max(
            LoginWait.pace.delayCeiling(afterAttempt: Int(hosts[host].waits) + 1), end.retry.minimumWait ?? .zero)
        return now + delay - hosts[host].begunAt <= wait.time ? delay : nil
    }

    private mutating func wait(_ host: Int, until due: Duration) {
        hosts[host].phase = .waiting
        waiting += 1
        timers.add(host, due: due)
    }

    // MARK: Passwords

    private mutating func wantsPassword(_ host: Int, _ use: PasswordUse) {
        guard hosts[host].phase.isRunning, let turn = quarantines[use]?.wanted(by: host) else { return }
        decisions.append(.password(host: host, use, turn))
    }

    private mutating func tell(_ turns: [(host: Int, turn: PasswordTurn)]?, _ use: PasswordUse) {
        for (host, turn) in turns ?? [] { decisions.append(.password(host: host, use, turn)) }
    }

    // MARK: Ending

    private mutating func finish(_ host: Int, _ end: AttemptEnd, _ now: Duration) {
        finish(host, .result)
        if let (rule, number) = stopCounters.count(end), !isStopped {
            stop(rule: rule.description, number == 1 ? "1 host matched" : "\(number) hosts matched")
            if plan.stopEndsRunningCommands { cancelRunning() }
        } else if batchLeft == 0, !isStopped, nextBatch < batches.count {
            if plan.waitsBetween {
                waitsBetween = true
                decisions.append(.between(after: nextBatch))
            } else {
                beginBatch(now)
            }
        }
    }

    private mutating func finish(_ host: Int, _ ending: EngineEnding) {
        if hosts[host].phase == .waiting { waiting -= 1 }
        hosts[host].phase = .ended
        batchLeft -= 1
        endedCount += 1
        let outcome: FleetHostOutcome =
            switch ending {
            case .result: hosts[host].lastOutcome
            case .skipped: .skipped
            case .abandoned(let mayHaveRun): mayHaveRun ? .unknown : .error
            }
        tally[outcome, default: 0] += 1
        decisions.append(.finish(host: host, ending))
        if isCompleted { decisions.append(.completed) }
    }

    private mutating func betweenEnded(_ problem: String?, _ now: Duration) {
        guard waitsBetween else { return }
        waitsBetween = false
        if isStopped { return }
        if let problem { return stop(rule: nil, problem) }
        beginBatch(now)
    }

    private mutating func stop(rule: String?, _ reason: String) {
        guard !isStopped, !isCompleted else { return }
        isStopped = true
        decisions.append(.stopped(rule: rule, reason: reason))
        timers.removeAll()
        ready = []
        fresh = 0..<0
        for host in hosts.indices {
            switch hosts[host].phase {
            case .fresh: finish(host, .skipped)
            case .waiting: finish(host, .result)
            case .loggingIn, .loggedIn, .armed, .ended: break
            }
        }
    }

    private mutating func cancelRunning() {
        for host in hosts.indices where hosts[host].phase.isRunning { decisions.append(.cancel(host: host)) }
    }

    private mutating func interrupted(_ reason: String) {
        // If a rule has already stopped the run, no more hosts begin, so the first step is skipped.
        interrupts += interrupts == 0 && isStopped ? 2 : 1
        switch interrupts {
        case 1: stop(rule: nil, reason)
        case 2: cancelRunning()
        default:
            for host in hosts.indices where hosts[host].phase.isRunning {
                running -= 1
                finish(host, .abandoned(mayHaveRun: hosts[host].phase == .armed))
            }
        }
    }
}

/// Times at which hosts are due. Hosts with equal times keep the order in which they were added.
struct HostTimers {
    private struct Entry: Comparable {
        let due: Duration
        let number: UInt64
        let host: Int32

        static func < (one: Entry, other: Entry) -> Bool {
            one.due == other.due ? one.number < other.number : one.due < other.due
        }
    }

    private var entries = Heap<Entry>()
    private var added: UInt64 = 0

    /// The time at which the first waiting host is due.
    var next: Duration? { entries.min?.due }

    mutating func add(_ host: Int, due: Duration) {
        added += 1
        entries.insert(Entry(due: due, number: added, host: Int32(host)))
    }

    /// Removes and returns the earliest host, if it is due.
    mutating func popDue(at now: Duration) -> Int? {
        guard let first = entries.min, first.due <= now else { return nil }
        return entries.popMin().map { Int($0.host) }
    }

    mutating func removeAll() { entries = [] }
}
