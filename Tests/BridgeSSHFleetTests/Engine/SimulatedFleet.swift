import BridgeSSHFleet
import ErrorCore
import HostSets

/// Scripted hosts, a clock, and a check of every decision: a forbidden decision is an error at once.
struct SimulatedFleet {
    /// The course of one attempt on a host.
    struct Attempt {
        var asksPassword = false
        var acceptsPassword = true
        /// Whether the server hangs up in place of an answer.
        var hangsUpAtPassword = false
        /// Whether the password that is offered is sent.
        var sendsPassword = true
        /// Whether it reaches the login, and then the command.
        var logsIn = true
        var arms = true
        var end = AttemptEnd(.ok)
    }

    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    private enum Step {
        case event(EngineEvent)
        /// The next step of an attempt.
        case go(host: Int, attempt: Int, stage: Int)
        case tick
    }

    private struct Entry {
        let at: Duration
        let number: Int
        let step: Step
    }

    let plan: EnginePlan
    /// The behaviour of a host's attempt with this number.
    let script: (_ host: Int, _ attempt: Int, _ now: Duration) -> Attempt
    private var engine: FleetEngine
    private var random: SplitMix64
    private var agenda: [Entry] = []
    private var added = 0
    private var now = Duration.zero

    private var underWay: [Int: (attempt: Int, script: Attempt, isLoggingIn: Bool, isArmed: Bool)] = [:]
    private var mayHaveRun: Set<Int> = []
    private var lastEnd: [Int: AttemptEnd] = [:]
    private var offered: Set<Int> = []
    private var accepted: Set<Int> = []
    private var refused: Set<Int> = []
    private var outstanding: Set<Int> = []
    private var lastStart: Duration?
    private var logins: [Int32: Int] = [:]
    private var batch = 0
    private var matched: [String: Int] = [:]
    private var cancelled: Set<Int> = []
    private var nextTick: Duration?

    // Results for the assertions.
    private(set) var outcomes: [Int: FleetHostOutcome] = [:]
    private(set) var attempts: [Int: Int] = [:]
    private(set) var retries = 0
    private(set) var mostRunning = 0
    private(set) var refusals = 0
    private(set) var acceptances = 0
    private(set) var stopped: (rule: String?, reason: String)?
    private(set) var stoppedAt: Int?
    private(set) var pauses: [String] = []
    private(set) var resumes = 0
    private(set) var completions = 0
    private(set) var events = 0
    private(set) var duration = Duration.zero
    private(set) var startTimes: [Duration] = []
    /// The answer between two batches.
    var between: (Int) -> String? = { _ in nil }

    init(_ plan: EnginePlan, seed: UInt64 = 1, script: @escaping (Int, Int, Duration) -> Attempt) {
        self.plan = plan
        self.script = script
        engine = FleetEngine(plan)
        random = SplitMix64(seed: seed)
    }

    var tally: [FleetHostOutcome: Int] { engine.tally }

    // MARK: Time

    mutating func schedule(_ event: EngineEvent, at time: Duration) { add(.event(event), at: time) }

    /// Sorted in descending order: the next one is last.
    private mutating func add(_ step: Step, at time: Duration) {
        added += 1
        let entry = Entry(at: time, number: added, step: step)
        var (low, high) = (0, agenda.count)
        while low < high {
            let middle = (low + high) / 2
            if agenda[middle].at > time { low = middle + 1 } else { high = middle }
        }
        agenda.insert(entry, at: low)
    }

    private mutating func soon() -> Duration { now + .milliseconds(Int.random(in: 0...40, using: &random)) }

    mutating func run() throws {
        try handle(.begin)
        while let entry = agenda.popLast() {
            now = max(now, entry.at)
            switch entry.step {
            case .event(let event):
                switch event {
                case .passwordAnswered(let host, _, _), .passwordUnused(let host, _): outstanding.remove(host)
                default: break
                }
                try handle(event)
            case .tick:
                if nextTick == entry.at { nextTick = nil }
                try handle(.tick)
            case .go(let host, let attempt, let stage): try go(host, attempt, stage)
            }
            events += 1
            guard events < 1_000_000 else { throw Violation(description: "the run does not end") }
        }
        duration = now
        try check(completions == 1, "completed \(completions) times")
        try check(engine.isCompleted, "not completed with an empty agenda")
        try check(outcomes.count == plan.hosts, "\(outcomes.count) of \(plan.hosts) hosts ended")
        try check(engine.running == 0, "\(engine.running) hosts run after the end")
        try check(engine.waiting == 0, "\(engine.waiting) hosts wait after the end")
        let counted = Dictionary(grouping: outcomes.values, by: { $0 }).mapValues(\.count)
        for outcome in FleetHostOutcome.allCases {
            try check(counted[outcome, default: 0] == engine.tally[outcome], "the sum of \(outcome) is wrong")
        }
        try check(plan.wait != nil || retries <= RetryBudget.size(hosts: plan.hosts), "\(retries) retries")
    }

    private func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        guard condition else { throw Violation(description: "\(what()) (at \(now))") }
    }

    // MARK: The engine

    private mutating func handle(_ event: EngineEvent) throws {
        for decision in engine.handle(event, at: now) { try perform(decision) }
        guard let wake = engine.nextWake.map({ max($0, now + .microseconds(1)) }), wake < nextTick ?? .seconds(1 << 40) else {
            return
        }
        nextTick = wake
        add(.tick, at: wake)
    }

    private mutating func perform(_ decision: EngineDecision) throws {
        try check(completions == 0, "\(decision) after the end")
        switch decision {
        case .batch(let number, _, _):
            batch = number
            try check(underWay.isEmpty, "batch \(number) begins while hosts run")
        case .between(let number): add(.event(.betweenEnded(problem: between(number))), at: soon())
        case .start(let host, let attempt): try start(host, attempt)
        case .password(let host, let use, let turn): try password(host, use, turn)
        case .retry(let host, let delay):
            retries += 1
            try check(outcomes[host] == nil && delay >= .zero, "a retry of an ended host")
        case .finish(let host, let ending): try finish(host, ending)
        case .cancel(let host):
            try check(underWay[host] != nil, "host \(host) is ended and does not run")
            cancelled.insert(host)
            if Bool.random(using: &random) { add(.go(host: host, attempt: attempts[host] ?? 0, stage: 9), at: soon()) }
        case .paused(let reason): pauses.append(reason)
        case .resumed: resumes += 1
        case .stopped(let rule, let reason):
            try check(stopped == nil, "stopped twice")
            stopped = (rule, reason)
            stoppedAt = rule.flatMap { matched[$0] }
            if let rule {
                try check(
                    plan.stop.contains { $0.rule.description == rule && $0.at == stoppedAt }, "stopped at \(stoppedAt ?? -1)")
            }
        case .completed: completions += 1
        }
    }

    private mutating func start(_ host: Int, _ attempt: Int) throws {
        try check(stopped == nil, "host \(host) begins after the stop")
        try check(outcomes[host] == nil, "host \(host) begins after its end")
        try check(underWay[host] == nil, "host \(host) begins twice")
        try check(attempt == attempts[host, default: 0] + 1, "attempt \(attempt) of host \(host)")
        if mayHaveRun.contains(host) { try check(plan.retry.isIdempotent, "host \(host) may have run and begins again") }
        if let last = lastEnd[host] {
            try check(last.outcome == .error || last.outcome == .unknown, "host \(host) was \(last.outcome)")
        }
        if let rate = plan.rate {
            if let lastStart { try check(now - lastStart >= .seconds(0.999 / rate), "two starts within \(now - lastStart)") }
            lastStart = now
        }
        let sizes = BatchPlan(plan.batches, hosts: plan.hosts).ranges
        if sizes.count > 1 { try check(sizes[batch - 1].contains(host), "host \(host) is not in batch \(batch)") }
        attempts[host] = attempt
        startTimes.append(now)
        underWay[host] = (attempt, script(host, attempt, now), true, false)
        mostRunning = max(mostRunning, underWay.count)
        try check(underWay.count <= engine.parallel, "\(underWay.count) run, \(engine.parallel) may")
        if !plan.addresses.isEmpty {
            logins[plan.addresses[host], default: 0] += 1
            let count = logins[plan.addresses[host], default: 0]
            try check(count <= plan.loginsPerAddress, "\(count) logins at one address")
        }
        add(.go(host: host, attempt: attempt, stage: 0), at: soon())
    }

    /// The next step of an attempt: the password, the login, the command, the end.
    private mutating func go(_ host: Int, _ attempt: Int, _ stage: Int) throws {
        guard var work = underWay[host], work.attempt == attempt else { return }
        switch stage {
        case 0 where work.script.asksPassword: try handle(.passwordWanted(host: host, .login))
        case 0, 1:
            guard work.script.logsIn else { return try end(host, work.script.end) }
            endLogin(host)
            work.isLoggingIn = false
            underWay[host] = work
            try handle(.loggedIn(host: host))
            add(.go(host: host, attempt: attempt, stage: 2), at: soon())
        case 2:
            guard work.script.arms else { return try end(host, work.script.end) }
            work.isArmed = true
            underWay[host] = work
            mayHaveRun.insert(host)
            try handle(.armed(host: host))
            add(.go(host: host, attempt: attempt, stage: 3), at: soon())
        case 9: try end(host, AttemptEnd(work.isArmed ? .unknown : .error, code: "ssh.local.cancelled"))
        default: try end(host, work.script.end)
        }
    }

    private mutating func endLogin(_ host: Int) {
        if underWay[host]?.isLoggingIn == true, !plan.addresses.isEmpty { logins[plan.addresses[host], default: 0] -= 1 }
    }

    private mutating func end(_ host: Int, _ end: AttemptEnd) throws {
        endLogin(host)
        underWay[host] = nil
        // The server received it, and did not accept it.
        if outstanding.remove(host) != nil, !accepted.contains(host) {
            refusals += 1
            refused.insert(host)
        }
        lastEnd[host] = end
        try handle(.attemptEnded(host: host, end))
    }

    private mutating func password(_ host: Int, _ use: PasswordUse, _ turn: PasswordTurn) throws {
        guard let work = underWay[host] else { throw Violation(description: "a password for host \(host), which does not run") }
        if accepted.contains(host) { try check(turn == .offered, "host \(host) has accepted it and gets it no more") }
        guard turn == .offered else {
            try check((turn == .refusedHere) == refused.contains(host), "host \(host) is refused as \(turn)")
            // Not at once: the engine's earlier decisions come first.
            underWay[host]?.script.logsIn = false
            underWay[host]?.script.end = AttemptEnd(.error, code: "ssh.auth.no-credentials")
            return add(.go(host: host, attempt: work.attempt, stage: 1), at: now)
        }
        let isFirst = offered.insert(host).inserted
        try check(isFirst || accepted.contains(host), "host \(host) is offered the password twice")
        if acceptances == 0 {
            try check(outstanding.isEmpty, "two hosts are offered an unproved password")
            try check(refusals < 3, "it is offered after three refusals")
        }
        outstanding.insert(host)
        // The answer takes some time, during which other hosts may ask for the password.
        if !work.script.sendsPassword {
            offered.remove(host)
            if accepted.contains(host) { offered.insert(host) }
            add(.event(.passwordUnused(host: host, use)), at: now + .milliseconds(5))
            return add(.go(host: host, attempt: work.attempt, stage: 1), at: now + .milliseconds(6))
        }
        if work.script.hangsUpAtPassword {
            underWay[host]?.script.logsIn = false
            underWay[host]?.script.end = AttemptEnd(.error, code: "ssh.auth.connection-dropped", retry: .backoff())
            return add(.go(host: host, attempt: work.attempt, stage: 1), at: now + .milliseconds(6))
        }
        let accepts = work.script.acceptsPassword
        if !accepts {
            refusals += 1
            refused.insert(host)
        } else if accepted.insert(host).inserted {
            acceptances += 1
        }
        add(.event(.passwordAnswered(host: host, use, accepted: accepts)), at: now + .milliseconds(5))
        if accepts {
            add(.go(host: host, attempt: work.attempt, stage: 1), at: now + .milliseconds(6))
        } else {
            underWay[host]?.script.logsIn = false
            underWay[host]?.script.end = AttemptEnd(.error, code: "ssh.auth.password-rejected")
            add(.go(host: host, attempt: work.attempt, stage: 1), at: now + .milliseconds(6))
        }
    }

    private mutating func finish(_ host: Int, _ ending: EngineEnding) throws {
        let outcome: FleetHostOutcome
        switch ending {
        case .result:
            guard let end = lastEnd[host] else { throw Violation(description: "host \(host) has no result") }
            try check(underWay[host] == nil, "host \(host) ends while it runs")
            outcome = end.outcome
            for (rule, _) in plan.stop where stopped == nil && matches(rule, end) { matched[rule.description, default: 0] += 1 }
        case .skipped:
            try check(attempts[host] == nil, "host \(host) was begun and is skipped")
            try check(stopped != nil, "host \(host) is skipped without a stop")
            outcome = .skipped
        case .abandoned(let mayHaveRun):
            let work = underWay.removeValue(forKey: host)
            try check(work != nil, "host \(host) is abandoned and does not run")
            try check(mayHaveRun == work?.isArmed, "host \(host) is abandoned wrongly")
            outcome = mayHaveRun ? .unknown : .error
        }
        try check(outcomes.updateValue(outcome, forKey: host) == nil, "host \(host) ends twice")
    }

    private func matches(_ rule: StopRule, _ end: AttemptEnd) -> Bool {
        switch rule.description.split(separator: "=")[0] {
        case "any": end.outcome != .ok
        case "failed": end.outcome == .failed
        case "error": end.outcome == .error
        case "unknown": end.outcome == .unknown
        case "ssh.auth.*": end.code?.hasPrefix("ssh.auth.") ?? false
        default: false
        }
    }
}
