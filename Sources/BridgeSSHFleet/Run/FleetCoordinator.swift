internal import BridgeSSH
internal import ErrorCore
internal import HostSets
package import SSHRun

/// Carries out a run: asks the engine, starts attempts, and reports results to the journal and to the reader of the events.
///
/// It is an actor, so the engine gets one event at a time and its decisions are carried out in order.
package actor FleetCoordinator {
    /// Concurrent work of the coordinator, each piece in its own task.
    enum Job {
        case attempt(host: Int, number: Int)
        case record(FleetHostResult, OutputMemoryBudget.SharedHold?)
        case between(after: Int)
    }

    struct Attempt {
        let control: RunControl
        let beganAt: Duration
        var isArmed = false
        /// Continuations that wait for the host's turn with a password.
        var turns: [PasswordUse: CheckedContinuation<PasswordTurn?, Never>] = [:]
    }

    /// The state of a host that has begun and has no outcome yet. A class, because it is large: each use of a part of a struct
    /// would keep a copy in the frame of an attempt.
    final class StartedHost {
        let beganAt: Duration
        var attempts = 0
        /// The last attempt that ended. Most hosts end with their first attempt, and so have none.
        var last: Boxed<(AttemptReport, AttemptConclusion)>?
        var output: (HostOutput, HostOutput)?
        var share: OutputMemoryBudget.Share?
        var finished: SFTPFinishedFiles?

        init(beganAt: Duration) { self.beganAt = beganAt }
    }

    let configuration: FleetRunConfiguration
    let queue: FleetEventQueue
    let budget: OutputMemoryBudget
    let clock = ContinuousClock()
    let start: ContinuousClock.Instant
    var engine: FleetEngine
    var windows: WindowBudget
    var underWay: [Int: Attempt] = [:]
    var startedHosts: [Int: StartedHost] = [:]
    var tally: FleetTally
    /// The whole run, with its earlier results; nil if the run was not resumed.
    var whole: WholeRun?
    var wake: Task<Void, Never>?
    /// The task that records the hosts' input in the journal.
    var inputRecord: Task<Void, Never>?
    var wakeAt: Duration?
    var records = 0
    var isStopped = false
    var signal: String?
    var batch = 1
    /// The task that runs between two batches, while it runs.
    var gate: Task<String?, Never>?
    /// The duration of the whole run, once it is over.
    var duration: Duration?
    let jobs: AsyncStream<Job>
    let addJob: AsyncStream<Job>.Continuation

    init(_ configuration: FleetRunConfiguration, _ queue: FleetEventQueue) {
        self.configuration = configuration
        self.queue = queue
        start = clock.now
        engine = FleetEngine(configuration.plan)
        let shares = MemoryShares(of: configuration.memory)
        budget = OutputMemoryBudget(limit: shares.kept)
        windows = WindowBudget(limit: shares.windows, hosts: min(configuration.names.count, engine.maximumAtOnce))
        tally = FleetTally(convention: configuration.convention, commands: configuration.commands)
        if !configuration.earlier.isEmpty {
            whole = WholeRun(
                configuration.earlier, running: configuration.names,
                tally: FleetTally(convention: configuration.convention, commands: configuration.commands))
        }
        (jobs, addJob) = AsyncStream.makeStream(of: Job.self)
    }

    var now: Duration { start.duration(to: clock.now) }

    // MARK: The whole run

    /// Carries out the run and returns its summary. Cancelling the task ends the running commands; every host still gets its
    /// outcome.
    ///
    /// - Parameter concluded: called with the summary before the summary becomes an event.
    func conduct(_ concluded: @escaping @Sendable (FleetSummary) -> Void = { _ in }) async -> FleetSummary {
        queue.send(.started(configuration.started(parallel: engine.parallel)))
        configuration.input?.begin { await self.inputEnded($0) }
        post(.begin)
        // This is a separate task, so that running attempts end in order and are recorded even if the caller is
        // cancelled.
        let driver = Task { await drive(concluded) }
        await withTaskCancellationHandler {
            await driver.value
        } onCancel: {
            Task { await self.end() }
        }
        return summary
    }

    func drive(_ concluded: @Sendable (FleetSummary) -> Void) async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { add(job, to: &group) }
            // This may be before the attempts that the run abandoned have ended.
            await conclude(concluded)
        }
    }

    func conclude(_ concluded: @Sendable (FleetSummary) -> Void) async {
        wake?.cancel()
        duration = now
        await endInput()
        let summary = summary
        do {
            try await configuration.journal?.finish(summary)
        } catch {
            // Everything in the journal is durable; only the end of the run is missing.
            configuration.log.line("the journal could not be ended: \(error)")
        }
        concluded(summary)
        queue.send(.summary(summary))
        queue.finish()
    }

    /// The input has ended or cannot be read; in the second case no further host can get it.
    func inputEnded(_ end: SharedInput.End) {
        switch end {
        case .failed(let reason): post(.broken(reason: "standard input: \(reason)"))
        case .whole(let digest, let count):
            recordInput(count == 0 ? nil : digest)
        case .closed: break
        }
    }

    /// Treats a pipe without any bytes that no host needed as no input.
    func endInput() async {
        guard let input = configuration.input else { return }
        if case .whole(let digest, let count)? = input.end {
            recordInput(count == 0 ? nil : digest)
        } else if input.isStream, input.end == nil, input.count == 0, case .completed = ending {
            recordInput(nil)
        }
        // Computing its digest can take longer than a short run.
        await inputRecord?.value
        input.close()
    }

    /// Records the input in the journal, once. Without this record the run cannot be resumed.
    func recordInput(_ digest: [UInt8]?) {
        guard configuration.recordsInput, inputRecord == nil else { return }
        inputRecord = Task { [journal = configuration.journal] in try? await journal?.read(digest) }
    }

    func add(_ job: Job, to group: inout DiscardingTaskGroup) {
        switch job {
        case .attempt(let host, let number):
            let executor = LoopExecutor.next()
            group.addTask(executorPreference: executor) { await self.attempt(host, number, executor) }
        case .record(let result, let use): group.addTask { await self.record(result, use) }
        case .between(let number): group.addTask { await self.between(number) }
        }
    }

    /// Ends the run: begins no more hosts and ends the running commands.
    func end() {
        while !engine.isCompleted, engine.interrupts < 2 { post(.interrupted(reason: "the run was ended")) }
    }

    /// Begins no more hosts, because something that the whole run depends on has failed. Running hosts finish by themselves.
    package func stop(because reason: String) {
        if !engine.isCompleted { post(.broken(reason: reason)) }
    }

    /// Takes the next step towards the end, at the request of a person or a signal.
    ///
    /// - Parameter signal: the signal's name without SIG. Any signal but Ctrl-C takes the first two steps at once.
    /// - Returns: the number of the step, from 1.
    @discardableResult
    package func interrupt(by signal: String) -> Int {
        guard !engine.isCompleted else { return engine.interrupts }
        self.signal = self.signal ?? signal
        post(.interrupted(reason: "interrupted"))
        if signal != "INT", engine.interrupts == 1 { post(.interrupted(reason: "interrupted")) }
        return engine.interrupts
    }

    /// Whether the run ended while attempts were still in progress.
    package var wasAbandoned: Bool { engine.interrupts > 2 }

    /// How many hosts may run at once.
    package var parallel: Int { engine.parallel }

    /// The running hosts, and how long each has been running.
    package var running: [(host: String, duration: Duration)] {
        let now = now
        return underWay.map { (configuration.names[$0.key], now - $0.value.beganAt) }.sorted { $0.duration > $1.duration }
    }

    /// The number of running hosts, and the one that began first. Does not sort them, because there may be many.
    package var runningSum: (count: Int, slowest: (host: String, duration: Duration)?) {
        let first = underWay.min { $0.value.beganAt < $1.value.beganAt }
        return (underWay.count, first.map { (configuration.names[$0.key], now - $0.value.beganAt) })
    }

    /// The number of hosts that have failed and will be retried.
    package var waiting: Int { engine.waiting }

    /// Sets how many hosts may run at once.
    package func setParallel(_ count: Int) { post(.parallel(count)) }

    // MARK: The engine

    func post(_ event: EngineEvent) {
        let now = now
        for decision in engine.handle(event, at: now) { perform(decision, now) }
        scheduleWake(now)
    }

    func perform(_ decision: EngineDecision, _ now: Duration) {
        switch decision {
        case .batch(let number, let count, let hosts):
            batch = number
            queue.send(.batch(number: number, of: count, hosts: hosts))
        case .between(let number): addJob.yield(.between(after: number))
        case .start(let host, let number):
            underWay[host] = Attempt(control: RunControl(), beganAt: now)
            let known = startedHosts[host] ?? StartedHost(beganAt: now)
            known.attempts = number
            startedHosts[host] = known
            addJob.yield(.attempt(host: host, number: number))
        case .password(let host, let use, let turn):
            underWay[host]?.turns.removeValue(forKey: use)?.resume(returning: turn)
        case .retry(let host, let delay):
            // If the command may have run in an earlier attempt, that attempt's error is reported.
            if let error = startedHosts[host]?.last?.value.1.error {
                configuration.log.line(
                    "\(configuration.names[host]): \(error.code.rawValue); trying again in \(delay.inWholeMilliseconds) ms")
            }
        case .finish(let host, let ending): finish(host, ending, now)
        case .cancel(let host): underWay[host]?.control.end(by: signal)
        case .paused(let reason): queue.send(.paused(reason: reason))
        case .resumed(let reason): queue.send(.resumed(reason: reason))
        case .stopped(let rule, let reason):
            isStopped = true
            // No batch will follow, so there is nothing to wait for.
            gate?.cancel()
            queue.send(.stopped(rule: rule, reason: reason))
        case .completed: finishJobs()
        }
    }

    /// The files that a host already has complete, for its next attempt or for a resumed run; nil if they are not needed. All
    /// hosts together remember a million files.
    func finishedFiles(of host: String) async -> SFTPFinishedFiles? {
        guard let transfer = configuration.transfer else { return nil }
        // A host that has the only file is done.
        let journal = transfer.amount?.files == 1 ? nil : configuration.journal
        let triesAgain = configuration.plan.retry.maxAttempts > 1
        guard triesAgain || journal != nil else { return nil }
        // Files whose record cannot be read are copied again.
        let known = (try? await journal?.copied(on: host)) ?? [:]
        return SFTPFinishedFiles(
            limit: max(1024, (1 << 20) / max(1, engine.parallel)), remembers: triesAgain, known: known,
            added: { journal?.copied($0, size: $1, on: host) })
    }

    func scheduleWake(_ now: Duration) {
        guard let next = engine.nextWake else { return }
        if let wakeAt, wakeAt <= next, wakeAt > now { return }
        wake?.cancel()
        wakeAt = next
        let instant = start.advanced(by: next)
        wake = Task { [weak self, clock] in
            guard (try? await clock.sleep(until: instant)) != nil else { return }
            await self?.woken()
        }
    }

    func woken() {
        wakeAt = nil
        post(.tick)
    }

    // MARK: The summary

    /// The totals of the run so far.
    package var summary: FleetSummary {
        tally.summary(
            run: configuration.run, duration: duration ?? now, ending: ending, whole: whole?.tally, folded: configuration.folded)
    }

    var ending: FleetTally.Ending {
        if let signal { return .interrupted(.ended(by: signal)) }
        return isStopped ? .stopped : .completed
    }
}

extension Duration {
    var inWholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}

/// Everything that defines a run, except the work in progress on its hosts.
package struct FleetRunConfiguration: Sendable {
    package var run: String
    /// The hosts in the order in which they begin, each once.
    package var names: [String]
    /// The command, as a person would read it.
    package var command: String
    /// The files to copy instead of running a command.
    package var transfer: FleetTransfer?
    /// The input of every host's command, from a file or this process's standard input.
    package var input: SharedInput?
    /// The password for sudo, which may be asked for during the run.
    package var sudo: SudoPassword?
    /// Whether the journal records the digest of the input once it is known.
    package var recordsInput = false
    /// Whether anything is done on each host after its login.
    package var runsAfterLogin = true
    /// The SSH client that makes the connections: `libssh2`, or OpenSSH's `ssh`.
    package var via = "libssh2"
    package var plan: EnginePlan
    package var work: any HostRunner
    package var output: OutputPolicy
    /// Memory for windows and output, in bytes: see ``MemoryShares``.
    package var memory = 64 << 20
    package var journal: (any RunJournal)?
    /// In a resumed run, the hosts on which the command ran or may have run before.
    package var earlier: [FleetHostResult] = []
    /// Where the journal is, as shown to a person.
    package var journalPlace: String?
    /// Called between two batches. Returns the reason to end the run, or nil. Cancelled if the run is stopped meanwhile.
    package var between: (@Sendable (_ after: Int) async -> String?)?
    package var log: any RunLog = SilentLog()
    /// The convention for the hosts' exit statuses.
    package var convention = SSHExitStatus.Convention.bridge
    /// The treatment of the exit status of a command that failed.
    package var commands = SSHExitStatus.CommandStatus.remote

    package init(run: String, names: [String], command: String, plan: EnginePlan, work: any HostRunner, output: OutputPolicy) {
        self.run = run
        self.names = names
        self.command = command
        self.plan = plan
        self.work = work
        self.output = output
    }

    /// Folds names into one expression.
    package let folded: @Sendable ([String]) -> String = FleetRunConfiguration.fold

    /// Folds names into one expression.
    package static let fold: @Sendable ([String]) -> String = { names in
        (try? HostSet(names.map { FleetHost(name: $0) }).folded) ?? names.joined(separator: ",")
    }

    func started(parallel: Int) -> FleetEvent.Start {
        var start = FleetEvent.Start(
            run: run, hosts: names.count, command: command, parallel: parallel,
            stopRules: plan.stop.map { ($0.rule.description, $0.at) }, journal: journalPlace)
        start.runsAfterLogin = runsAfterLogin
        start.via = via
        start.stdin = input?.name
        return start
    }
}
