internal import BridgeSSH
internal import ErrorCore
internal import SSHRun

extension FleetCoordinator {
    // MARK: An attempt

    func attempt(_ host: Int, _ number: Int, _ executor: LoopExecutor) async {
        if startedHosts[host]?.finished == nil, let finished = await finishedFiles(of: configuration.names[host]) {
            startedHosts[host]?.finished = finished
        }
        guard let attempt = prepared(host, number, executor) else { return }
        let report = await report(of: attempt)
        windows.give(attempt.window)
        ended(host, report)
    }

    /// Prepares the work on a host; nil if the run has left the host meanwhile. This is not part of ``attempt(_:_:_:)``: its
    /// temporary values would stay in memory as long as the attempt lasts, for every host.
    @inline(never)
    func prepared(_ host: Int, _ number: Int, _ executor: LoopExecutor) -> HostAttempt? {
        let name = configuration.names[host]
        guard let control = underWay[host]?.control else { return nil }
        let share = OutputMemoryBudget.Share()
        func output(_ stream: SSHEvidence.OutputStream) -> HostOutput {
            HostOutput(name, stream, configuration.output, queue, budget, share)
        }
        let outputs = (output(.standardOutput), output(.standardError))
        if let old = startedHosts[host]?.share { budget.end(old) }
        startedHosts[host]?.output = outputs
        startedHosts[host]?.share = share
        return HostAttempt(
            host: name, number: number, control: control, executor: executor, window: window(),
            finished: startedHosts[host]?.finished, output: outputs.0, error: outputs.1, coordinator: self, index: host)
    }

    func window() -> Int { windows.take(parallel: engine.parallel, running: underWay.count - 1) }

    func report(of attempt: HostAttempt) async -> AttemptReport {
        let task = Task(executorPreference: attempt.executor) { [work = configuration.work] in await work.perform(attempt) }
        attempt.control.attach(cancel: { task.cancel() })
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            attempt.control.end(by: nil)
        }
    }

    @inline(never)
    func ended(_ host: Int, _ report: AttemptReport) {
        guard let attempt = underWay[host] else { return }
        for turn in attempt.turns.values { turn.resume(returning: nil) }
        underWay[host] = nil
        let conclusion = report.conclusion(wasArmed: attempt.isArmed)
        var end = conclusion.attemptEnd
        if conclusion.outcome == .error, mayHaveRun(host) {
            // The command did not run in this attempt, but it may have run in an earlier one. A cause on this machine still
            // pauses the run.
            if end.localReason == nil { end.outcome = .unknown }
        } else if report.repeatsEarlier, let earlier = startedHosts[host]?.last?.value.1 {
            end = earlier.attemptEnd
            end.retry = .never
        } else {
            startedHosts[host]?.last = Boxed((report, conclusion))
        }
        post(.attemptEnded(host: host, end))
    }

    /// Whether the command may have run in an earlier attempt.
    func mayHaveRun(_ host: Int) -> Bool { startedHosts[host]?.last?.value.1.outcome == .unknown }

    func arm(_ host: Int) async throws {
        do {
            try Task.checkCancellation()
            try await configuration.journal?.arm(configuration.names[host])
        } catch is CancellationError {
            throw CancellationError()
        } catch let claimed as HostIsClaimed {
            throw claimed.verdict
        } catch {
            journalFailed(error)
            throw error
        }
        // The attempt may have been left meanwhile.
        guard underWay[host] != nil else { throw CancellationError() }
        underWay[host]?.isArmed = true
        post(.armed(host: host))
    }

    /// Waits until the host may use a password.
    ///
    /// - Returns: nil if the attempt is over.
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

    func withdraw(_ use: PasswordUse, _ host: Int) {
        underWay[host]?.turns.removeValue(forKey: use)?.resume(returning: nil)
    }

    // MARK: Ends

    func finish(_ host: Int, _ ending: EngineEnding, _ now: Duration) {
        let mayHaveRunBefore = mayHaveRun(host)
        let known = startedHosts.removeValue(forKey: host)
        var result = FleetHostResult(host: configuration.names[host], outcome: .skipped)
        result.batch = batch
        result.transfer = configuration.transfer?.part(of: result.host)
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
            result.shell = report.shell
            result.postQuantum = report.postQuantum
            result.hostKeyUpdate = report.hostKeyUpdate
            result.refusedVariables = report.refusedVariables
        case .abandoned(let mayHaveRun):
            let attempt = underWay.removeValue(forKey: host)
            for turn in attempt?.turns.values ?? [:].values { turn.resume(returning: nil) }
            result.outcome = mayHaveRun || mayHaveRunBefore ? .unknown : .error
            result.error = cancelled(result.host, mayHaveRun: result.outcome == .unknown)
            attempt?.control.end(by: signal)
        }
        tally.add(result)
        whole?.add(result)
        // The output stays in memory until both the reader of the events and the journal have taken it.
        let use = known?.share.map {
            OutputMemoryBudget.SharedHold(of: $0, in: budget, holders: configuration.journal == nil ? 1 : 2)
        }
        queue.send(.ended(result)) { use?.end() }
        guard configuration.journal != nil else { return }
        records += 1
        addJob.yield(.record(result, use))
    }

    /// The error of a host that is given up before its attempt has ended.
    private func cancelled(_ host: String, mayHaveRun: Bool) -> SSHError {
        var evidence = SSHEvidence(local: .cancelled(signal: signal), stage: .local)
        evidence.host = host
        if mayHaveRun {
            var command = SSHCommandEvidence(command: configuration.command)
            command.progress = .sent
            evidence.command = command
        }
        return SSHFailureClassifier.classify(evidence)
    }

    func record(_ result: FleetHostResult, _ use: OutputMemoryBudget.SharedHold?) async {
        defer { use?.end() }
        do {
            try await configuration.journal?.record(result)
        } catch {
            journalFailed(error)
        }
        records -= 1
        finishJobs()
    }

    private func journalFailed(_ error: any Error) {
        post(.broken(reason: (error as? SSHError)?.message ?? "the journal cannot be written"))
    }

    func between(_ number: Int) async {
        var problem: String?
        if let between = configuration.between, !isStopped {
            let task = Task { await between(number) }
            gate = task
            problem = await task.value
            gate = nil
        }
        post(.betweenEnded(problem: problem))
    }

    /// Ends the run once every host has its outcome and the journal has recorded it.
    func finishJobs() {
        if engine.isCompleted, records == 0 { addJob.finish() }
    }
}
