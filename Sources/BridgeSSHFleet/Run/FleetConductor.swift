internal import BridgeSSH
internal import ErrorCore
internal import SSHRun

/// Carries a run out: asks the engine, starts attempts, and tells the journal and the reader of the events what becomes of them.
///
/// An actor: events reach the engine one at a time, and what it decides happens in its order.
package actor FleetConductor {
    /// What is done beside the conductor, in tasks of their own.
    private enum Job {
        case attempt(host: Int, number: Int)
        case record(FleetHostResult, KeptBudget.Use?)
        case between(after: Int)
    }

    /// An attempt that is under way.
    private struct Attempt {
        let control: RunControl
        let beganAt: Duration
        var isArmed = false
        /// Those that wait for the host's turn with a password.
        var turns: [PasswordUse: CheckedContinuation<PasswordTurn?, Never>] = [:]
    }

    /// What is known of a host that has begun and has no outcome yet. By reference: it is large, and each place that looks at a part
    /// of it would keep a copy in the frame of an attempt.
    private final class Begun {
        let beganAt: Duration
        var attempts = 0
        /// Of the last attempt that has ended; most hosts have none while they are here.
        var last: Boxed<(AttemptReport, AttemptConclusion)>?
        var output: (HostOutput, HostOutput)?
        var share: KeptBudget.Share?
        var finished: SFTPFinishedFiles?

        init(beganAt: Duration) { self.beganAt = beganAt }
    }

    private let setting: FleetSetting
    private let queue: FleetEventQueue
    private let budget: KeptBudget
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var engine: FleetEngine
    private var windows: WindowBudget
    private var underWay: [Int: Attempt] = [:]
    private var begun: [Int: Begun] = [:]
    private var tally: FleetTally
    /// With what was known before; nil for a run that was not resumed.
    private var whole: WholeRun?
    private var wake: Task<Void, Never>?
    /// What tells the journal what the hosts read.
    private var inputRecord: Task<Void, Never>?
    private var wakeAt: Duration?
    private var records = 0
    private var isStopped = false
    private var signal: String?
    private var batch = 1
    /// What happens between two batches, while it does.
    private var gate: Task<String?, Never>?
    /// Of the whole run, once it is over.
    private var duration: Duration?
    private let jobs: AsyncStream<Job>
    private let addJob: AsyncStream<Job>.Continuation

    init(_ setting: FleetSetting, _ queue: FleetEventQueue) {
        self.setting = setting
        self.queue = queue
        start = clock.now
        engine = FleetEngine(setting.plan)
        let shares = MemoryShares(of: setting.memory)
        budget = KeptBudget(limit: shares.kept)
        windows = WindowBudget(limit: shares.windows, hosts: min(setting.names.count, engine.mostAtOnce))
        tally = FleetTally(convention: setting.convention, commands: setting.commands)
        if !setting.earlier.isEmpty {
            whole = WholeRun(
                setting.earlier, running: setting.names,
                tally: FleetTally(convention: setting.convention, commands: setting.commands))
        }
        (jobs, addJob) = AsyncStream.makeStream(of: Job.self)
    }

    private var now: Duration { start.duration(to: clock.now) }

    // MARK: The whole run

    /// Carries the run out, to its summary. Cancelling the task ends running commands; every host gets its outcome all the same.
    ///
    /// - Parameter concluded: called with the summary before it is an event.
    func conduct(_ concluded: @escaping @Sendable (FleetSummary) -> Void = { _ in }) async -> FleetSummary {
        queue.send(.started(setting.started(parallel: engine.parallel)))
        setting.input?.begin { await self.inputEnded($0) }
        post(.begin)
        // In a task of its own: what is under way is ended in order, and recorded, also where the caller is cancelled.
        let driver = Task { await drive(concluded) }
        await withTaskCancellationHandler {
            await driver.value
        } onCancel: {
            Task { await self.end() }
        }
        return summary
    }

    private func drive(_ concluded: @Sendable (FleetSummary) -> Void) async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { add(job, to: &group) }
            // Before attempts that were left have ended.
            await conclude(concluded)
        }
    }

    private func conclude(_ concluded: @Sendable (FleetSummary) -> Void) async {
        wake?.cancel()
        duration = now
        await endInput()
        let summary = summary
        do {
            try await setting.journal?.finish(summary)
        } catch {
            // What is in the journal is durable; only its end is missing.
            setting.log.line("the journal could not be ended: \(error)")
        }
        concluded(summary)
        queue.send(.summary(summary))
        queue.finish()
    }

    /// What hosts read has come to its end, or cannot be read: then no host can be given it any more.
    private func inputEnded(_ end: SharedInput.End) {
        switch end {
        case .failed(let reason): post(.broken(reason: "standard input: \(reason)"))
        case .whole(let digest, let count):
            recordInput(count == 0 ? nil : digest)
        case .closed: break
        }
    }

    /// A pipe that nobody has written to, and that no host has needed, was no input.
    private func endInput() async {
        guard let input = setting.input else { return }
        if case .whole(let digest, let count)? = input.end {
            recordInput(count == 0 ? nil : digest)
        } else if input.isStream, input.end == nil, input.count == 0, case .completed = ending {
            recordInput(nil)
        }
        // Its digest takes longer than a short run.
        await inputRecord?.value
        input.close()
    }

    /// Tells the journal once what was read. What it does not know cannot be resumed.
    private func recordInput(_ digest: [UInt8]?) {
        guard setting.recordsInput, inputRecord == nil else { return }
        inputRecord = Task { [journal = setting.journal] in try? await journal?.read(digest) }
    }

    private func add(_ job: Job, to group: inout DiscardingTaskGroup) {
        switch job {
        case .attempt(let host, let number):
            let executor = LoopExecutor.next()
            group.addTask(executorPreference: executor) { await self.attempt(host, number, executor) }
        case .record(let result, let use): group.addTask { await self.record(result, use) }
        case .between(let number): group.addTask { await self.between(number) }
        }
    }

    /// Ends the run: no more hosts are begun, and running commands are ended.
    func end() {
        while !engine.isCompleted, engine.interrupts < 2 { post(.interrupted(reason: "the run was ended")) }
    }

    /// Begins no more hosts, because something that the whole run depends on has failed. Those that run end by themselves.
    package func stop(because reason: String) {
        if !engine.isCompleted { post(.broken(reason: reason)) }
    }

    /// The next step of an end that a person or a signal wants.
    ///
    /// - Parameter signal: its name without SIG; one that is no ^C does the first two steps at once.
    /// - Returns: the number of the step, from 1.
    @discardableResult
    package func interrupt(by signal: String) -> Int {
        guard !engine.isCompleted else { return engine.interrupts }
        self.signal = self.signal ?? signal
        post(.interrupted(reason: "interrupted"))
        if signal != "INT", engine.interrupts == 1 { post(.interrupted(reason: "interrupted")) }
        return engine.interrupts
    }

    /// Whether the run was left while attempts were under way.
    package var wasLeft: Bool { engine.interrupts > 2 }

    /// How many hosts may run at once.
    package var parallel: Int { engine.parallel }

    /// The hosts that run, and for how long each has.
    package var running: [(host: String, duration: Duration)] {
        let now = now
        return underWay.map { (setting.names[$0.key], now - $0.value.beganAt) }.sorted { $0.duration > $1.duration }
    }

    /// How many hosts run, and the one that began first. They need not be put in order for that, as they are many.
    package var runningSum: (count: Int, slowest: (host: String, duration: Duration)?) {
        let first = underWay.min { $0.value.beganAt < $1.value.beganAt }
        return (underWay.count, first.map { (setting.names[$0.key], now - $0.value.beganAt) })
    }

    /// How many hosts have failed and will be tried again.
    package var waiting: Int { engine.waiting }

    /// Sets how many hosts may run at once.
    package func setParallel(_ count: Int) { post(.parallel(count)) }

    // MARK: The engine

    func post(_ event: EngineEvent) {
        let now = now
        for decision in engine.handle(event, at: now) { perform(decision, now) }
        scheduleWake(now)
    }

    private func perform(_ decision: EngineDecision, _ now: Duration) {
        switch decision {
        case .batch(let number, let count, let hosts):
            batch = number
            queue.send(.batch(number: number, of: count, hosts: hosts))
        case .between(let number): addJob.yield(.between(after: number))
        case .start(let host, let number):
            underWay[host] = Attempt(control: RunControl(), beganAt: now)
            let known = begun[host] ?? Begun(beganAt: now)
            known.attempts = number
            begun[host] = known
            addJob.yield(.attempt(host: host, number: number))
        case .password(let host, let use, let turn):
            underWay[host]?.turns.removeValue(forKey: use)?.resume(returning: turn)
        case .retry(let host, let delay):
            // Of an attempt in which it may have run, that is what is said.
            if let error = begun[host]?.last?.value.1.error {
                setting.log.line(
                    "\(setting.names[host]): \(error.code.rawValue); trying again in \(delay.inWholeMilliseconds) ms")
            }
        case .finish(let host, let ending): finish(host, ending, now)
        case .cancel(let host): underWay[host]?.control.end(by: signal)
        case .paused(let reason): queue.send(.paused(reason: reason))
        case .resumed(let reason): queue.send(.resumed(reason: reason))
        case .stopped(let rule, let reason):
            isStopped = true
            // No batch follows for which it would be waited.
            gate?.cancel()
            queue.send(.stopped(rule: rule, reason: reason))
        case .completed: finishJobs()
        }
    }

    /// What a host has whole, for its next attempt or for a resumed run; nil where it is not needed. All hosts at once remember a
    /// million.
    private func finishedFiles(of host: String) async -> SFTPFinishedFiles? {
        guard let transfer = setting.transfer else { return nil }
        // A host that has its only file is done.
        let journal = transfer.amount?.files == 1 ? nil : setting.journal
        let triesAgain = setting.plan.retry.maxAttempts > 1
        guard triesAgain || journal != nil else { return nil }
        // What cannot be read is copied again.
        let known = (try? await journal?.copied(on: host)) ?? [:]
        return SFTPFinishedFiles(
            limit: max(1024, (1 << 20) / max(1, engine.parallel)), remembers: triesAgain, known: known,
            added: { journal?.copied($0, size: $1, on: host) })
    }

    private func scheduleWake(_ now: Duration) {
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

    private func woken() {
        wakeAt = nil
        post(.tick)
    }

    // MARK: An attempt

    private func attempt(_ host: Int, _ number: Int, _ executor: LoopExecutor) async {
        if begun[host]?.finished == nil, let finished = await finishedFiles(of: setting.names[host]) {
            begun[host]?.finished = finished
        }
        guard let attempt = prepared(host, number, executor) else { return }
        let report = await report(of: attempt)
        windows.give(attempt.window)
        ended(host, report)
    }

    /// What the work on a host needs; nil if the host was left meanwhile. Not a part of ``attempt(_:_:_:)``: what it needs for a
    /// moment only would stay in memory for as long as the attempt lasts, and there are as many of these as hosts.
    @inline(never)
    private func prepared(_ host: Int, _ number: Int, _ executor: LoopExecutor) -> HostAttempt? {
        let name = setting.names[host]
        guard let control = underWay[host]?.control else { return nil }
        let share = KeptBudget.Share()
        func output(_ stream: SSHEvidence.OutputStream) -> HostOutput {
            HostOutput(name, stream, setting.output, queue, budget, share)
        }
        let outputs = (output(.standardOutput), output(.standardError))
        if let old = begun[host]?.share { budget.end(old) }
        begun[host]?.output = outputs
        begun[host]?.share = share
        return HostAttempt(
            host: name, number: number, control: control, executor: executor, window: window(),
            finished: begun[host]?.finished, output: outputs.0, error: outputs.1, conductor: self, index: host)
    }

    private func window() -> Int { windows.take(parallel: engine.parallel, running: underWay.count - 1) }

    private func report(of attempt: HostAttempt) async -> AttemptReport {
        let task = Task(executorPreference: attempt.executor) { [work = setting.work] in await work.perform(attempt) }
        attempt.control.attach(cancel: { task.cancel() })
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            attempt.control.end(by: nil)
        }
    }

    @inline(never)
    private func ended(_ host: Int, _ report: AttemptReport) {
        guard let attempt = underWay[host] else { return }
        for turn in attempt.turns.values { turn.resume(returning: nil) }
        underWay[host] = nil
        let conclusion = report.conclusion(wasArmed: attempt.isArmed)
        var end = conclusion.attemptEnd
        if conclusion.outcome == .error, mayHaveRun(host) {
            // It did not run now, and may have run in an attempt before. What holds all hosts up does so all the same.
            if end.localReason == nil { end.outcome = .unknown }
        } else {
            begun[host]?.last = Boxed((report, conclusion))
        }
        post(.attemptEnded(host: host, end))
    }

    /// Whether the command may have run in an attempt that has ended.
    private func mayHaveRun(_ host: Int) -> Bool { begun[host]?.last?.value.1.outcome == .unknown }

    func arm(_ host: Int) async throws {
        do {
            try Task.checkCancellation()
            try await setting.journal?.arm(setting.names[host])
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            post(.broken(reason: "the journal cannot be written"))
            throw error
        }
        // It may have been left in the meantime.
        guard underWay[host] != nil else { throw CancellationError() }
        underWay[host]?.isArmed = true
        post(.armed(host: host))
    }

    /// Waits for the host's turn with a password.
    ///
    /// - Returns: nil where the attempt is over.
    func turn(_ use: PasswordUse, of host: Int) async -> PasswordTurn? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                guard underWay[host] != nil, underWay[host]?.turns[use] == nil, !Task.isCancelled else {
                    return turn.resume(returning: nil)
                }
                underWay[host]?.turns[use] = turn
                post(.passwordWanted(host: host, use))
            }
        } onCancel: {
            Task { await self.withdraw(use, host) }
        }
    }

    private func withdraw(_ use: PasswordUse, _ host: Int) {
        underWay[host]?.turns.removeValue(forKey: use)?.resume(returning: nil)
    }

    // MARK: Ends

    private func finish(_ host: Int, _ ending: EngineEnding, _ now: Duration) {
        let mayHaveRunBefore = mayHaveRun(host)
        let known = begun.removeValue(forKey: host)
        var result = FleetHostResult(host: setting.names[host], outcome: .skipped)
        result.batch = batch
        result.transfer = setting.transfer?.part(of: result.host)
        if let known {
            result.attempts = known.attempts
            result.beganAt = known.beganAt
            result.duration = now - known.beganAt
            result.standardOutput = known.output?.0.kept ?? FleetKeptOutput()
            result.standardError = known.output?.1.kept ?? FleetKeptOutput()
        }
        switch ending {
        case .skipped: break
        case .result:
            guard let (report, conclusion) = known?.last?.value else { break }
            result.outcome = conclusion.outcome
            result.termination = conclusion.termination
            result.error = conclusion.error
            result.endpoint = report.endpoint
            result.timings = report.timings
            result.copied = report.copied
        case .abandoned(let mayHaveRun):
            let attempt = underWay.removeValue(forKey: host)
            for turn in attempt?.turns.values ?? [:].values { turn.resume(returning: nil) }
            result.outcome = mayHaveRun || mayHaveRunBefore ? .unknown : .error
            result.error = SSHFailureClassifier.classify(SSHEvidence(local: .cancelled(signal: signal), stage: .local))
            attempt?.control.end(by: signal)
        }
        tally.add(result)
        whole?.add(result)
        // The reader of the events and the journal hold the output, each until it has taken it.
        let use = known?.share.map { KeptBudget.Use(of: $0, in: budget, holders: setting.journal == nil ? 1 : 2) }
        queue.send(.ended(result)) { use?.end() }
        guard setting.journal != nil else { return }
        records += 1
        addJob.yield(.record(result, use))
    }

    private func record(_ result: FleetHostResult, _ use: KeptBudget.Use?) async {
        defer { use?.end() }
        do {
            try await setting.journal?.record(result)
        } catch {
            post(.broken(reason: "the journal cannot be written"))
        }
        records -= 1
        finishJobs()
    }

    private func between(_ number: Int) async {
        var problem: String?
        if let between = setting.between, !isStopped {
            let task = Task { await between(number) }
            gate = task
            problem = await task.value
            gate = nil
        }
        post(.betweenEnded(problem: problem))
    }

    /// Ends the run once every host has its outcome, and the journal has it too.
    private func finishJobs() {
        if engine.isCompleted, records == 0 { addJob.finish() }
    }

    // MARK: The summary

    /// What the run has come to so far.
    package var summary: FleetSummary {
        tally.summary(run: setting.run, duration: duration ?? now, ending: ending, whole: whole?.tally, folded: setting.folded)
    }

    private var ending: FleetTally.Ending {
        if let signal { return .interrupted(.ended(by: signal)) }
        return isStopped ? .stopped : .completed
    }
}

extension Duration {
    fileprivate var inWholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
